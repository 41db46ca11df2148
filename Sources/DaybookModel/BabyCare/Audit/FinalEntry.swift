import Daybook

// Rules B6 to B9, B11, B13 and B14: problems of the entries at the end of a history.
extension BabyCare.AuditedBaby {
    /// Returns the findings about the entries as they are after the last event.
    ///
    /// - Parameter zone: zone of the times in B7 and B8 findings; UTC if `nil`.
    func finalFindings(_ babyId: String, in zone: Zone?) -> [Finding] {
        let entries = state.entries.keys.sorted().compactMap { id in
            state.entries[id].map { shown(id, $0) }
        }
        var findings: [Finding] = []
        for shown in entries {
            findings += shown.problems.map { $0.finding(shown.at, shown.entity) }
        }
        let (single, copies) = BabyCare.duplicates(entries, in: zone)
        return findings + copies + BabyCare.overlaps(single, in: zone) + localIds(babyId)
    }

    func shown(_ id: String, _ entry: BabyCare.Entry) -> BabyCare.FinalEntry {
        BabyCare.FinalEntry(id: id, entry: entry, at: marks[id]?.shownAt ?? 0)
    }

    /// Checks rule B11 on the ids of the baby and its entries.
    private func localIds(_ babyId: String) -> [Finding] {
        let problem = { (id: String) in
            BabyCare.Problem("B11", "an id of the server", "\(id) was never replaced")
        }
        var findings: [Finding] = []
        if BabyCare.isLocal(babyId) {
            findings.append(problem(babyId).finding(firstAt, "baby:\(babyId)"))
        }
        for (id, mark) in marks where BabyCare.isLocal(id) {
            findings.append(problem(id).finding(mark.firstAt, "entry:\(id)"))
        }
        return findings
    }
}

extension BabyCare {
    /// An entry at the end of a history, and the position that last changed its times or state.
    struct FinalEntry: Sendable {
        var id: String
        var entry: Entry
        var at: Int64

        var entity: String { "entry:\(id)" }
    }

    /// True if the id is one that the app generates while offline.
    ///
    /// Source: S4.
    static func isLocal(_ id: String) -> Bool {
        id.hasPrefix("offline_") || id.hasPrefix("local-")
    }

    /// Returns the live entries without duplicates, and a B8 finding for each duplicate.
    ///
    /// Notes at the same time do not count as duplicates, because their texts are not known here.
    static func duplicates(
        _ entries: [FinalEntry], in zone: Zone?
    ) -> (single: [FinalEntry], copies: [Finding]) {
        // Entries are large: their order is found by index, and each is copied once.
        var firsts: [Sameness: Int] = [:]
        var single: [FinalEntry] = []
        var copies: [Finding] = []
        let order = entries.indices.sorted {
            (entries[$0].at, entries[$0].id) < (entries[$1].at, entries[$1].id)
        }
        for index in order {
            let shown = entries[index]
            let entry = shown.entry
            let mayBeNote = entry.kind == .memo && entry.hasText
            let isLive = entry.state == .closed || (entry.state == .open && entry.isImported)
            guard isLive, !mayBeNote else { continue }
            let sameness = Sameness(
                kind: entry.kind, started: entry.started, ended: entry.ended,
                value: entry.value)
            guard let first = firsts[sameness].map({ entries[$0] }) else {
                firsts[sameness] = index
                single.append(shown)
                continue
            }
            let problem = Problem(
                "B8", "one \(entry.kind.name) at \(time(entry.started, in: zone))",
                "\(first.id) of position \(first.at) is the same")
            copies.append(problem.finding(shown.at, shown.entity))
        }
        return (single, copies)
    }

    fileprivate static func time(_ moment: Instant, in zone: Zone?) -> String {
        zone.map { Timestamp.text(moment, in: $0) } ?? Timestamp.text(moment)
    }

    private struct Sameness: Hashable {
        var kind: Kind
        var started: Instant
        var ended: Instant?
        var value: Value
    }

    /// Returns a B7 finding for each entry that starts before an earlier one of its kind ends.
    ///
    /// Each entry is reported once, with the earlier entry that ends last. The position of the
    /// finding is the later of the two entries'. One pass in order of start takes O(n log n) time.
    static func overlaps(_ entries: [FinalEntry], in zone: Zone?) -> [Finding] {
        let stretches = entries.indices.filter {
            let entry = entries[$0].entry
            return entry.state == .closed && (entry.ended ?? entry.started) > entry.started
        }.sorted {
            (entries[$0].entry.started, entries[$0].id) < (
                entries[$1].entry.started, entries[$1].id
            )
        }
        var furthest: [Kind: FinalEntry] = [:]
        var findings: [Finding] = []
        for index in stretches {
            let shown = entries[index]
            let entry = shown.entry
            guard let other = furthest[entry.kind], let otherEnd = other.entry.ended else {
                furthest[entry.kind] = shown
                continue
            }
            if entry.started < otherEnd {
                let end = min(entry.ended ?? otherEnd, otherEnd)
                let length = lengthText(end.microseconds &- entry.started.microseconds)
                let problem = Problem(
                    "B7",
                    "no \(entry.kind.name) before \(time(otherEnd, in: zone)), when \(other.id) "
                        + "(position \(other.at)) ends",
                    "one from \(time(entry.started, in: zone)) (position \(shown.at)), "
                        + "overlapping for \(length)")
                findings.append(problem.finding(max(shown.at, other.at), shown.entity))
            }
            if let end = entry.ended, end > otherEnd { furthest[entry.kind] = shown }
        }
        return findings
    }
}

// Rules B6, B9, B13 and B14.
extension BabyCare.FinalEntry {
    private typealias Problem = BabyCare.Problem

    fileprivate var problems: [BabyCare.Problem] {
        // Rule B2 covers an end before the start.
        guard !entry.isReportable, entry.lengthUs >= 0 else { return sleepProblems }
        let end = entry.ended ?? entry.started
        let problem = Problem(
            "B14", "times of the years 1 to 9999 and amounts that add up",
            "start \(entry.started.written), end \(end.written)")
        return [problem] + sleepProblems
    }

    private var sleepProblems: [Problem] {
        guard entry.kind == .sleep else { return [] }
        if entry.state == .open, entry.isImported {
            let start = Timestamp.text(entry.started)
            return [Problem("B13", "an end", "open since \(start)")]
        }
        guard entry.state == .closed, let end = entry.ended else { return [] }
        // The times of a recorded fact are unchecked, so their difference may overflow 64 bits.
        let lengthUs = Int128(end.microseconds) - Int128(entry.started.microseconds)
        var problems: [Problem] = []
        if lengthUs > Int128(Instant.dayUs) {
            problems.append(
                Problem("B6", "at most 86400 s", "\(lengthUs / 1_000_000) s"))
        }
        if let declaredS = entry.declaredDurationS {
            let differenceUs = Int128(declaredS) * 1_000_000 - lengthUs
            if differenceUs.magnitude > UInt128(BabyCare.Estimate.minuteUs) {
                problems.append(
                    Problem(
                        "B9", "\(declaredS) s, as declared",
                        "\(lengthUs / 1_000_000) s from start to end"))
            }
        }
        return problems
    }
}
