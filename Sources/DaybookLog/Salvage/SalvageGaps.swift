package import Daybook
import DaybookLMDB

/// A range of positions of a damaged log whose events were not written to the new log.
package struct SalvageGap: Record {
    /// The first position of the range.
    public var first = Position.origin
    /// The last position of the range, inclusive.
    public var last = Position.origin
    /// The reason why the events were not written, as a phrase for people.
    public var reason = ""

    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("first", &first, "last", &last, "reason", &reason)
    }
}

/// A search for complete commits after the first gap, and for the reasons why others were lost.
struct SalvageGaps {
    /// The ranges of positions without complete commits, in order.
    private(set) var gaps: [SalvageGap] = []
    /// The complete commits to which no sequence of proven commits leads from the first commit.
    private(set) var commitsAfterGaps: [SalvagedCommit] = []
    /// The rows that were found, and the proven commits.
    private var chain: SalvageChain
    /// All rows that were found in the damaged file.
    private var rows: SalvageRows { chain.rows }
    /// The position of the last event of the damaged log.
    private let lastPosition: UInt64

    /// Searches the positions after the proven commits, up to the position `end`.
    ///
    /// - Parameters:
    ///   - chain: the proven commits; receives the rows chosen for complete commits after gaps.
    ///   - end: the position of the last event of the damaged log.
    init(_ chain: inout SalvageChain, through end: UInt64) {
        self.chain = chain
        self.lastPosition = end
        findGaps()
        chain = self.chain
    }

    /// Divides the positions after the proven commits into complete commits and gaps.
    private mutating func findGaps() {
        var position = chain.provenState.nextPosition
        while position <= lastPosition {
            var reason: String?
            var last = lastPosition
            for row in SalvageRows.rows(rows.commits, at: position) {
                guard let commit = rows.commit(row),
                    let its = commit.lastPosition(startingAt: position), its <= lastPosition
                else { continue }
                last = min(last, its)
                let commitRow = SalvagedCommit(first: position, last: its, row: row)
                reason = reasonNotWritable(commitRow, commit)
                guard reason != nil else {
                    commitsAfterGaps.append(commitRow)
                    break
                }
            }
            if let commit = commitsAfterGaps.last, commit.first == position {
                position = commit.last + 1
                continue
            }
            if let next = nextCommit(behind: position) { last = min(last, next - 1) }
            add(position, last, reason ?? lossReason(position, last, hasCommit: false))
            position = last + 1
        }
    }

    /// Returns the first position of the next commit whose row was found; `nil` if there is none.
    private func nextCommit(behind position: UInt64) -> UInt64? {
        let index = rows.commits.lowerBound(where: { $0.key > position })
        return index < rows.commits.count ? rows.commits[index].key : nil
    }

    /// Adds a range to the gaps, or extends an adjacent last gap with the same reason.
    private mutating func add(_ first: UInt64, _ last: UInt64, _ reason: String) {
        if let before = gaps.last, before.last.rawValue + 1 == first, before.reason == reason {
            gaps[gaps.count - 1].last = Position(last)
        } else {
            gaps.append(SalvageGap(first: Position(first), last: Position(last), reason: reason))
        }
    }

    /// Returns the reason for a gap whose rows are missing, with the number of missing events.
    ///
    /// - Parameter hasCommit: true if the row of the commit was found.
    private func lossReason(_ first: UInt64, _ last: UInt64, hasCommit: Bool) -> String {
        let from = rows.events.lowerBound(where: { $0.key >= first })
        let through = rows.events.lowerBound(where: { $0.key > last })
        let found = Set(
            rows.events[from..<through].lazy.filter { $0.integrity == .checked }.map(\.key))
        let count = last - first + 1
        let lost = count - UInt64(found.count)
        if hasCommit {
            return lost > 0
                ? "\(lost) of \(count.counted("event")) of the commit \(count.are) lost"
                : "the rows of the events do not match the row of their commit"
        }
        if lost == 0 { return "the row of the commit is lost" }
        return lost == count
            ? "the rows of the events and of their commits are lost"
            : "\(lost) of \(count.counted("event")) and the row of the commit are lost"
    }

    /// Returns the reason why a commit after a gap cannot be written; `nil` if it is complete.
    private mutating func reasonNotWritable(_ row: SalvagedCommit, _ commit: CommitRecord)
        -> String?
    {
        guard let events = chain.candidates(commit, row.first...row.last) else {
            return lossReason(row.first, row.last, hasCommit: true)
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
                let found = chain.rows(of: commit, events, newNames, after: predecessor.chainValue)
            else { continue }
            chain.addChosenRows(found)
            return nil
        }
        if before.contains(where: \.isCertain) {
            return "the rows are readable, but do not match the chain value of the previous commit"
        }
        let isPlain =
            row.row.integrity == .checked
            && events.allSatisfy { $0.count == 1 && $0[0].row.integrity == .checked }
        return isPlain ? nil : "the rows are readable, but no chain value proves which are right"
    }

    /// A commit that may be the one directly before another commit.
    private struct Predecessor {
        /// The chain value of the commit.
        var chainValue: [UInt8]
        /// True if the commit is proven, or its row matches its checksum.
        var isCertain: Bool
    }

    /// Returns the commits that may end directly before a position.
    private func predecessors(of position: UInt64) -> [Predecessor] {
        if position == chain.provenState.nextPosition {
            return [Predecessor(chainValue: chain.provenState.lastChainValue, isCertain: true)]
        }
        if let last = commitsAfterGaps.last, last.last + 1 == position,
            let commit = rows.commit(last.row)
        {
            return [Predecessor(chainValue: commit.chain, isCertain: true)]
        }
        let end = rows.commits.lowerBound(where: { $0.key >= position })
        guard end > 0 else { return [] }
        return SalvageRows.rows(rows.commits, at: rows.commits[end - 1].key).compactMap { row in
            guard let commit = rows.commit(row),
                commit.lastPosition(startingAt: row.key) == position - 1
            else { return nil }
            return Predecessor(chainValue: commit.chain, isCertain: row.integrity == .checked)
        }
    }

    /// Returns the event kind or time zone in a row of `names`; `nil` if it is lost or ambiguous.
    func name(_ number: UInt16) -> Name? { chain.name(number) }
}

extension SalvageChain {
    /// Returns the content of a row of `names`: the one that a chain value proves, or else the only
    /// one with a matching checksum; `nil` if there is none or several match.
    func name(_ number: UInt16) -> Name? {
        if number > 0, Int(number) <= provenState.names.count {
            return provenState.names[Int(number) - 1]
        }
        let checked = SalvageRows.rows(rows.names, at: UInt64(number)).filter {
            $0.integrity == .checked
        }
        guard checked.count == 1, let row = checked.first else { return nil }
        return rows.name(row)
    }
}
