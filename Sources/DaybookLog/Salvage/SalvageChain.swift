import Daybook
import DaybookLMDB

/// A commit of the damaged log that can be written to the new log.
struct SalvagedCommit {
    var first: UInt64
    var last: UInt64
    var row: SweptRow
}

/// The state of the chain after the commits that it proves.
struct ChainState {
    var next: UInt64 = 1
    var chain: [UInt8] = Array(repeating: 0, count: 32)
    var names: [Name] = []
}

/// A search for the rows of commits and events, which the chain proves.
struct SalvageChain {
    let rows: SalvageRows
    private let guesses: NameGuesses
    /// The chosen rows of events for which several rows were found.
    private(set) var choices: [UInt64: SweptRow] = [:]
    private(set) var proven = ChainState()
    private(set) var prefix: [SalvagedCommit] = []

    /// The number of combinations of rows that are tried before a commit counts as unproven.
    static let mostTries = 100_000

    init(_ rows: SalvageRows, _ guesses: NameGuesses) {
        self.rows = rows
        self.guesses = guesses
    }

    /// A proven commit that follows a state, with the rows chosen for it.
    private struct Step {
        var commit: SalvagedCommit
        var choices: [UInt64: SweptRow]
        var state: ChainState
    }

    /// One of several alternative continuations of the chain.
    private struct Branch {
        var steps: [Step]
        var isOver = false

        var end: UInt64 { steps.last?.commit.last ?? 0 }
    }

    /// Follows the chain from the first commit as far as chain values prove the commits.
    ///
    /// If two commits fit as the next one, a transaction that was never finished left one of them
    /// in the file. The longest continuation is then the committed one.
    mutating func prove(through last: UInt64, _ progress: (UInt64) -> Void) {
        var sinceProgress = 0
        while true {
            var branches = steps(from: proven, through: last).map { Branch(steps: [$0]) }
            while branches.count > 1, branches.contains(where: { !$0.isOver }) {
                advance(&branches, through: last)
            }
            guard let branch = branches.max(by: { $0.end < $1.end }) else { return }
            for step in branch.steps {
                prefix.append(step.commit)
                choices.merge(step.choices) { $1 }
                proven = step.state
            }
            sinceProgress += 1
            if sinceProgress % 10_000 == 0 { progress(proven.next - 1) }
        }
    }

    /// Extends each branch by one commit, and drops ended branches that are not the longest.
    private func advance(_ branches: inout [Branch], through last: UInt64) {
        var advanced: [Branch] = []
        for branch in branches {
            guard !branch.isOver, let state = branch.steps.last?.state else {
                advanced.append(branch)
                continue
            }
            let next = steps(from: state, through: last)
            if next.isEmpty {
                var ended = branch
                ended.isOver = true
                advanced.append(ended)
            }
            for step in next {
                var longer = branch
                longer.steps.append(step)
                advanced.append(longer)
            }
        }
        let furthest = advanced.map(\.end).max() ?? 0
        branches = advanced.filter { !$0.isOver || $0.end == furthest }
    }

    private func steps(from state: ChainState, through last: UInt64) -> [Step] {
        SalvageRows.rows(rows.commits, at: state.next).compactMap { row in
            guard let commit = rows.commit(row),
                let end = commit.lastPosition(startingAt: state.next), end <= last
            else { return nil }
            return step(row, commit, state.next...end, from: state)
        }
    }

    private func step(
        _ row: SweptRow, _ commit: CommitRecord, _ range: ClosedRange<UInt64>,
        from state: ChainState
    ) -> Step? {
        guard let events = candidates(commit, range) else { return nil }
        let kinds = events.flatMap { $0.map(\.header.kind) }
        let zones = events.flatMap { $0.map(\.header.zone) }
        let newest = Int(max(kinds.max() ?? 0, zones.max() ?? 0))
        var wanted: [[Name]] = []
        for number in state.names.count..<max(newest, state.names.count) {
            let number = UInt16(number + 1)
            let names = names(number, firstUsedIn: range, events)
            guard !names.isEmpty else { return nil }
            wanted.append(names)
        }
        guard
            let proof = prove(commit, events, newNames: wanted, after: state.chain)
        else { return nil }
        var next = ChainState(next: range.upperBound + 1, chain: commit.chain)
        next.names = state.names + proof.names
        return Step(
            commit: SalvagedCommit(first: range.lowerBound, last: range.upperBound, row: row),
            choices: choices(proof.rows, events), state: next)
    }

    /// The names and rows that hash to a commit's chain value.
    private struct Proof {
        var names: [Name]
        var rows: [SweptRow]
    }

    /// Finds the names and rows that hash to a commit's chain value.
    ///
    /// - Parameter newNames: the possible names for each name that the commit is the first to use.
    private func prove(
        _ commit: CommitRecord, _ events: [[EventCandidate]], newNames: [[Name]],
        after value: [UInt8]
    ) -> Proof? {
        var tries = 0
        var proof: Proof?
        forEachCombination(of: newNames) { names in
            let chain = Chain(after: value, commit: commit, newNames: names)
            if let rows = choose(events[...], chain, commit.chain, &tries) {
                proof = Proof(names: names, rows: rows)
            }
            return proof == nil && tries < Self.mostTries
        }
        return proof
    }

    /// Returns the chosen rows of a commit with known names; `nil` if its chain value is not
    /// proven.
    func rows(
        of commit: CommitRecord, _ events: [[EventCandidate]], _ newNames: [Name],
        after chain: [UInt8]
    ) -> [UInt64: SweptRow]? {
        prove(commit, events, newNames: newNames.map { [$0] }, after: chain)
            .map { choices($0.rows, events) }
    }

    /// Stores the rows chosen for a commit after a gap.
    mutating func keep(_ found: [UInt64: SweptRow]) { choices.merge(found) { $1 } }

    private func choices(
        _ chosen: [SweptRow], _ events: [[EventCandidate]]
    ) -> [UInt64: SweptRow] {
        var choices: [UInt64: SweptRow] = [:]
        for (row, candidates) in zip(chosen, events) where candidates.count > 1 {
            choices[row.key] = row
        }
        return choices
    }

    /// Returns the rows of the events that hash to the chain value; `nil` if there are none.
    private func choose(
        _ events: ArraySlice<[EventCandidate]>, _ chain: Chain, _ value: [UInt8],
        _ tries: inout Int
    ) -> [SweptRow]? {
        var chain = chain
        var chosen: [SweptRow] = []
        for (index, candidates) in zip(events.indices, events) {
            if candidates.count == 1 {
                let only = candidates[0]
                chain.add(only.value.rawSpan)
                chosen.append(only.row)
                continue
            }
            for candidate in candidates where tries < Self.mostTries {
                var branch = chain
                branch.add(candidate.value.rawSpan)
                if let rest = choose(events[(index + 1)...], branch, value, &tries) {
                    return chosen + [candidate.row] + rest
                }
            }
            return nil
        }
        tries += 1
        return chain.value() == value ? chosen : nil
    }

    private func names(
        _ number: UInt16, firstUsedIn range: ClosedRange<UInt64>, _ events: [[EventCandidate]]
    ) -> [Name] {
        let stored = SalvageRows.rows(rows.names, at: UInt64(number)).compactMap(rows.name)
            .filter { range.contains($0.firstPosition) }
        return stored.isEmpty ? guesses.names(number, range.lowerBound, events) : stored
    }
}

/// A row that may be an event of a commit.
struct EventCandidate {
    var row: SweptRow
    var header: EventHeader
    var value: [UInt8]
}

extension SalvageChain {
    /// Returns the rows that match a commit, for each position; `nil` if a position has none.
    func candidates(
        _ commit: CommitRecord, _ range: ClosedRange<UInt64>
    ) -> [[EventCandidate]]? {
        // A number of events that does not fit into the file is damage.
        guard UInt64(range.count) <= UInt64(rows.file.byteCount) / 32 else { return nil }
        var events: [[EventCandidate]] = []
        for position in range {
            let found = candidates(commit, position, UInt32(position - range.lowerBound))
            guard !found.isEmpty else { return nil }
            events.append(found)
        }
        return events
    }

    func candidates(
        _ commit: CommitRecord, _ position: UInt64, _ offset: UInt32
    ) -> [EventCandidate] {
        let known = choices[position].map { [$0][...] }
        return (known ?? SalvageRows.rows(rows.events, at: position)).compactMap { row in
            guard let value = rows.value(row), let header = rows.header(value),
                header.commitOffset == offset, header.recordedAt == commit.recordedAt
            else { return nil }
            return EventCandidate(row: row, header: header, value: value)
        }
    }

    /// Calls `body` with each combination of one name from each list until it returns `false`.
    @discardableResult
    private func forEachCombination(
        of lists: [[Name]], _ taken: [Name] = [], _ body: ([Name]) -> Bool
    ) -> Bool {
        guard taken.count < lists.count else { return body(taken) }
        for name in lists[taken.count] {
            guard forEachCombination(of: lists, taken + [name], body) else { return false }
        }
        return true
    }
}

/// Guesses of the content of lost rows of `names`, of which the chain proves one.
struct NameGuesses {
    let catalogue: Catalogue
    let zones: [String]

    func names(_ number: UInt16, _ position: UInt64, _ events: [[EventCandidate]]) -> [Name] {
        for candidate in events.joined() {
            if candidate.header.kind == number {
                return kinds(of: candidate).map { Name(.kind, $0, firstUsedAt: position) }
            }
            if candidate.header.zone == number {
                return zones.map { Name(.zone, $0, firstUsedAt: position) }
            }
        }
        return []
    }

    /// Returns the kinds for which the payload of a row is canonical.
    private func kinds(of candidate: EventCandidate) -> [String] {
        let range = candidate.header.payloadRange(in: candidate.value.rawSpan)
        let payload = candidate.value.rawSpan.extracting(range)
        let known = catalogue.events.values.filter { known in
            do throws(CorruptPayload) {
                return try known.inspect(payload).isCanonical
            } catch {
                return false
            }
        }
        return known.map(\.kind.name).sorted()
    }
}
