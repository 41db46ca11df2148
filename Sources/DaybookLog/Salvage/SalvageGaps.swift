package import Daybook
import DaybookLMDB

/// A range of positions of a damaged log that were not written to the new log.
package struct SalvageGap: Record {
    /// The first position in the damaged log.
    public var first = Position.origin
    /// The last position in the damaged log.
    public var last = Position.origin
    /// The reason, as a phrase for people.
    public var reason = ""

    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("first", &first, "last", &last, "reason", &reason)
    }
}

/// A search of the positions after the first gap for complete commits and for reasons of loss.
struct SalvageGaps {
    /// The ranges without complete commits, in order.
    private(set) var gaps: [SalvageGap] = []
    /// Complete commits that the chain from the first commit does not reach.
    private(set) var stranded: [SalvagedCommit] = []
    /// The rows that were found, and the commits that the chain proves.
    private var chain: SalvageChain
    /// All rows that were found in the damaged file.
    private var rows: SalvageRows { chain.rows }
    /// The last position of the log.
    private let end: UInt64

    /// Searches the positions after the proven commits.
    ///
    /// - Parameter end: the last position of the log.
    init(_ chain: inout SalvageChain, through end: UInt64) {
        self.chain = chain
        self.end = end
        findGaps()
        chain = self.chain
    }

    /// Sorts the positions after the proven commits into complete commits and gaps.
    private mutating func findGaps() {
        var position = chain.proven.next
        while position <= end {
            var reason: String?
            var last = end
            for row in SalvageRows.rows(rows.commits, at: position) {
                guard let commit = rows.commit(row),
                    let its = commit.lastPosition(startingAt: position), its <= end
                else { continue }
                last = min(last, its)
                let commitRow = SalvagedCommit(first: position, last: its, row: row)
                reason = check(commitRow, commit)
                guard reason != nil else {
                    stranded.append(commitRow)
                    break
                }
            }
            if let commit = stranded.last, commit.first == position {
                position = commit.last + 1
                continue
            }
            if let next = nextCommit(behind: position) { last = min(last, next - 1) }
            add(position, last, reason ?? lost(position, last, hasCommit: false))
            position = last + 1
        }
    }

    /// Returns the position of the next commit whose row was found; `nil` if there is none.
    private func nextCommit(behind position: UInt64) -> UInt64? {
        let index = rows.commits.lowerBound(where: { $0.key > position })
        return index < rows.commits.count ? rows.commits[index].key : nil
    }

    /// Adds a range to the gaps, and extends the last gap if the reason is the same.
    private mutating func add(_ first: UInt64, _ last: UInt64, _ reason: String) {
        if let before = gaps.last, before.last.rawValue + 1 == first, before.reason == reason {
            gaps[gaps.count - 1].last = Position(last)
        } else {
            gaps.append(SalvageGap(first: Position(first), last: Position(last), reason: reason))
        }
    }

    /// Returns a description of the missing rows of a range.
    private func lost(_ first: UInt64, _ last: UInt64, hasCommit: Bool) -> String {
        let from = rows.events.lowerBound(where: { $0.key >= first })
        let through = rows.events.lowerBound(where: { $0.key > last })
        let found = Set(rows.events[from..<through].lazy.filter { $0.form == .checked }.map(\.key))
        let count = last - first + 1
        let lost = count - UInt64(found.count)
        if hasCommit {
            return lost > 0
                ? "\(lost) of \(count.counted("event")) of the commit \(count.are) lost"
                : "the events do not match their commit"
        }
        if lost == 0 { return "the row of the commit is lost" }
        return lost == count
            ? "events and their commits are lost"
            : "\(lost) of \(count.counted("event")) and the row of the commit are lost"
    }

    /// Returns the reason why a commit after a gap cannot be written; `nil` if it is complete.
    private mutating func check(_ row: SalvagedCommit, _ commit: CommitRecord) -> String? {
        guard let events = chain.candidates(commit, row.first...row.last) else {
            return lost(row.first, row.last, hasCommit: true)
        }
        var names: [UInt16: Name] = [:]
        for event in events.joined() {
            for number in [event.header.kind, event.header.zone] where number > 0 {
                guard let name = name(number) else {
                    return "row \(number) of the table 'names' is lost"
                }
                names[number] = name
            }
        }
        let newNames = names.sorted { $0.key < $1.key }.map(\.value)
            .filter { (row.first...row.last).contains($0.firstPosition) }
        let before = predecessors(of: row.first)
        for predecessor in before {
            guard
                let found = chain.rows(of: commit, events, newNames, after: predecessor.chain)
            else { continue }
            chain.addChoices(found)
            return nil
        }
        if before.contains(where: \.isCertain) {
            return "rows are readable, but the chain does not lead to them"
        }
        let isPlain =
            row.row.form == .checked
            && events.allSatisfy { $0.count == 1 && $0[0].row.form == .checked }
        return isPlain ? nil : "rows are readable, but nothing proves which are right"
    }

    /// A commit that may precede another one directly.
    private struct Predecessor {
        /// The chain value of the commit.
        var chain: [UInt8]
        /// True if the commit is proven or its row matches its checksum.
        var isCertain: Bool
    }

    /// Returns the commits that may end right before a position.
    private func predecessors(of position: UInt64) -> [Predecessor] {
        if position == chain.proven.next {
            return [Predecessor(chain: chain.proven.chain, isCertain: true)]
        }
        if let last = stranded.last, last.last + 1 == position,
            let commit = rows.commit(last.row)
        {
            return [Predecessor(chain: commit.chain, isCertain: true)]
        }
        let end = rows.commits.lowerBound(where: { $0.key >= position })
        guard end > 0 else { return [] }
        return SalvageRows.rows(rows.commits, at: rows.commits[end - 1].key).compactMap { row in
            guard let commit = rows.commit(row),
                commit.lastPosition(startingAt: row.key) == position - 1
            else { return nil }
            return Predecessor(chain: commit.chain, isCertain: row.form == .checked)
        }
    }

    /// Returns the kind or zone in a row of `names`; `nil` if it is lost or ambiguous.
    func name(_ number: UInt16) -> Name? { chain.name(number) }
}

extension SalvageChain {
    /// Returns the content of a row of `names`: the one that the chain has proven, or else the only
    /// one with a matching checksum; `nil` if there are several or none.
    func name(_ number: UInt16) -> Name? {
        if number > 0, Int(number) <= proven.names.count { return proven.names[Int(number) - 1] }
        let checked = SalvageRows.rows(rows.names, at: UInt64(number)).filter {
            $0.form == .checked
        }
        guard checked.count == 1, let row = checked.first else { return nil }
        return rows.name(row)
    }
}
