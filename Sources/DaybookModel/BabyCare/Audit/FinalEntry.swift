import Daybook

// Rules B6 to B9, B11, B13 and B14: problems of the entries at the end of a history.
extension BabyCare.AuditedBaby {
    /// Returns the entries in their state after the last event, in order of id.
    func finalEntries() -> [BabyCare.FinalEntry] {
        state.entries.map { id, entry in
            let cited = citedPositions[id]
            return BabyCare.FinalEntry(
                id: id, entry, changePosition: cited?.changePosition ?? 0,
                joins: cited?.joins ?? [])
        }.sortedByBytes(of: \.id)
    }

    /// Returns independent checks of the entries in their state after the last event.
    ///
    /// - Parameter zone: the time zone of the times in B7 and B8 findings; UTC if `nil`.
    func checks(
        of entries: [BabyCare.FinalEntry], of babyId: String, in zone: Zone?
    ) -> [@Sendable () -> [Finding]] {
        [
            {
                let (unique, duplicateFindings) = BabyCare.duplicates(entries, in: zone)
                return duplicateFindings + BabyCare.overlaps(unique, in: zone)
            },
            {
                entries.flatMap { shown in
                    shown.problems.map { $0.finding(shown.changePosition, shown.entity) }
                }
            },
            { localIdFindings(babyId) },
        ]
    }

    /// Returns a B11 finding for each local id of the baby or its entries that was never replaced.
    private func localIdFindings(_ babyId: String) -> [Finding] {
        let problem = { (id: String) in
            BabyCare.Problem("B11", "an id from the server", "the id '\(id)' was never replaced")
        }
        var findings: [Finding] = []
        if BabyCare.isLocalId(babyId) {
            findings.append(problem(babyId).finding(firstPosition, "baby:\(babyId)"))
        }
        for (id, positions) in citedPositions where BabyCare.isLocalId(id) {
            findings.append(problem(id).finding(positions.firstPosition, "entry:\(id)"))
        }
        return findings
    }
}

extension BabyCare {
    /// An entry in its state after the last event of the log.
    ///
    /// A class, because the audit sorts and divides lists of entries.
    final class FinalEntry: Sendable {
        let id: String
        let entry: SharedEntry
        /// Position of the event that last changed the state, times or declared duration.
        let changePosition: Int64
        let joins: [AuditedBaby.Join]

        init(
            id: String, _ entry: SharedEntry, changePosition: Int64,
            joins: [AuditedBaby.Join] = []
        ) {
            self.id = id
            self.entry = entry
            self.changePosition = changePosition
            self.joins = joins
        }

        /// Returns the position of the event since which this entry and another contradict each
        /// other: the last change of either, or the replacement that made their babies one.
        func contradictionPosition(with other: FinalEntry) -> Int64 {
            let changed = max(changePosition, other.changePosition)
            guard !joins.isEmpty, !other.joins.isEmpty else { return changed }
            let joined = joins.filter { join in
                other.joins.contains {
                    $0.position == join.position && $0.isFromReplaced != join.isFromReplaced
                }
            }.map(\.position)
            return joined.reduce(changed, max)
        }

        /// Name of the entry in findings, such as `entry:7`.
        var entity: String { "entry:\(id)" }
    }

    /// True if the id has the form of the ids that the original app assigns while offline. Source:
    /// S4.
    static func isLocalId(_ id: String) -> Bool {
        id.hasPrefix("offline_") || id.hasPrefix("local-")
    }

    /// Returns the closed and imported open entries without duplicates, and a B8 finding for each
    /// duplicate. Memos with a note are left out: those at the same time may have different texts.
    static func duplicates(
        _ entries: [FinalEntry], in zone: Zone?
    ) -> (unique: [FinalEntry], duplicateFindings: [Finding]) {
        var firsts: [KindAndTimes: FinalEntry] = [:]
        firsts.reserveCapacity(entries.count)
        // Entries of the same kind and times as one in `firsts`, but with other values.
        var others: [KindAndTimes: [FinalEntry]] = [:]
        var unique: [FinalEntry] = []
        var duplicateFindings: [Finding] = []
        let sorted = entries.sorted {
            $0.changePosition == $1.changePosition
                ? $0.id < $1.id : $0.changePosition < $1.changePosition
        }
        for shown in sorted {
            let entry = shown.entry
            let mayBeNote = entry.kind == .memo && entry.hasText
            let isLive = entry.state == .closed || (entry.state == .open && entry.file.isImported)
            guard isLive, !mayBeNote else { continue }
            let times = KindAndTimes(kind: entry.kind, started: entry.started, ended: entry.ended)
            guard let sameTimes = firsts[times] else {
                firsts[times] = shown
                unique.append(shown)
                continue
            }
            let candidates = [sameTimes] + (others[times] ?? [])
            guard let first = candidates.first(where: { $0.entry.value == entry.value }) else {
                others[times, default: []].append(shown)
                unique.append(shown)
                continue
            }
            let problem = Problem(
                "B8", "one \(entry.kind.name) at \(timeText(entry.started, in: zone))",
                "the entry '\(first.id)' (position \(first.changePosition)) has the same values")
            duplicateFindings.append(
                problem.finding(shown.contradictionPosition(with: first), shown.entity))
        }
        return (unique, duplicateFindings)
    }

    /// Returns a point in time as text in `zone`; in UTC if `zone` is `nil`.
    fileprivate static func timeText(_ time: Instant, in zone: Zone?) -> String {
        zone.map { Timestamp.text(time, in: $0) } ?? Timestamp.text(time)
    }

    /// The kind and the times of an entry, which are equal for duplicates.
    private struct KindAndTimes: Hashable {
        var kind: Kind
        var started: Instant
        var ended: Instant?
    }

    /// Returns a B7 finding for each entry that starts before an earlier one of its kind ends. Each
    /// entry is reported once, with the earlier entry that ends last. The finding cites the event
    /// since which the two overlap. One pass in order of start takes O(n log n) time.
    static func overlaps(_ entries: [FinalEntry], in zone: Zone?) -> [Finding] {
        let stretches = entries.filter { shown in
            let entry = shown.entry
            return entry.state == .closed && (entry.ended ?? entry.started) > entry.started
        }.sorted {
            $0.entry.started == $1.entry.started
                ? $0.id < $1.id : $0.entry.started < $1.entry.started
        }
        var furthest: [Kind: FinalEntry] = [:]
        var findings: [Finding] = []
        for shown in stretches {
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
                    "no \(entry.kind.name) before \(timeText(otherEnd, in: zone)), when \(other.id) "
                        + "(position \(other.changePosition)) ends",
                    "one from \(timeText(entry.started, in: zone)) (position \(shown.changePosition)), "
                        + "overlapping for \(length)")
                findings.append(
                    problem.finding(shown.contradictionPosition(with: other), shown.entity))
            }
            if let end = entry.ended, end > otherEnd { furthest[entry.kind] = shown }
        }
        return findings
    }
}

// Rules B6, B9, B13 and B14.
extension BabyCare.FinalEntry {
    private typealias Problem = BabyCare.Problem

    /// The entry's violations of rules B6, B9, B13 and B14.
    fileprivate var problems: [BabyCare.Problem] {
        // Rule B2 covers an end before the start.
        guard !entry.isReportable, entry.lengthUs >= 0 else { return sleepProblems }
        let end = entry.ended ?? entry.started
        let problem = Problem(
            "B14",
            "times in the years 1 to 9999, less than 400 days apart, and amounts that can be added",
            "start \(entry.started.written), end \(end.written)")
        return [problem] + sleepProblems
    }

    /// The entry's violations of rules B6, B9 and B13; empty unless the entry is a sleep.
    private var sleepProblems: [Problem] {
        guard entry.kind == .sleep else { return [] }
        if entry.state == .open, entry.file.isImported {
            let start = Timestamp.text(entry.started)
            return [Problem("B13", "an end", "open since \(start)")]
        }
        guard entry.state == .closed, let end = entry.ended else { return [] }
        // The times of a recorded fact are unchecked, so their difference may overflow 64 bits.
        let lengthUs = Int128(end.microseconds) - Int128(entry.started.microseconds)
        var problems: [Problem] = []
        if lengthUs > Int128(Instant.dayUs) {
            problems.append(Problem("B6", "at most 86400 s", "\(lengthUs / 1_000_000) s"))
        }
        if let declaredS = entry.file.declaredDurationS {
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
