import Daybook
import DaybookLMDB

/// A commit of the damaged log that can be written to the new log.
struct SalvagedCommit {
    /// The position of the first event, in the damaged log.
    var first: UInt64
    /// The position of the last event, in the damaged log.
    var last: UInt64
    /// The place of the commit's row.
    var row: SweptRow
}

/// The state of the chain after the commits that it proves.
struct ChainState {
    /// The position after the last proven event.
    var next: UInt64 = 1
    /// The chain value of the last proven commit.
    var chain: [UInt8] = Array(repeating: 0, count: 32)
    /// The rows of the table `names` that the proven commits use.
    var names: [Name] = []
}

/// A search for the original rows among all rows that were found; the chain values prove them.
struct SalvageChain {
    /// All rows that were found in the damaged file.
    let rows: SalvageRows
    /// Candidates for lost rows of the table `names`.
    private let guesses: NameGuesses
    /// The chosen rows of events for which several rows were found.
    private(set) var choices: [UInt64: SweptRow] = [:]
    /// The state after the commits of `prefix`.
    private(set) var proven = ChainState()
    /// The commits that the chain proves, from the first commit of the log on.
    private(set) var prefix: [SalvagedCommit] = []

    /// The number of combinations of rows that are tried before a commit counts as unproven.
    static let maxTries = 100_000

    init(_ rows: SalvageRows, _ guesses: NameGuesses) {
        self.rows = rows
        self.guesses = guesses
    }

    /// A proven commit that follows a state, with the rows chosen for it.
    private struct Step {
        var commit: SalvagedCommit
        /// The chosen rows, by position, of events for which several rows were found.
        var choices: [UInt64: SweptRow]
        /// The state after the commit.
        var state: ChainState
    }

    /// One of several alternative continuations of the chain.
    private struct Branch {
        /// The commits of the branch, in order.
        var steps: [Step]
        /// True if no commit continues the branch.
        var hasEnded = false

        /// The position of the branch's last event.
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
            while branches.count > 1, branches.contains(where: { !$0.hasEnded }) {
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
            guard !branch.hasEnded, let state = branch.steps.last?.state else {
                advanced.append(branch)
                continue
            }
            let next = steps(from: state, through: last)
            if next.isEmpty {
                var ended = branch
                ended.hasEnded = true
                advanced.append(ended)
            }
            for step in next {
                var longer = branch
                longer.steps.append(step)
                advanced.append(longer)
            }
        }
        let furthest = advanced.map(\.end).max() ?? 0
        branches = advanced.filter { !$0.hasEnded || $0.end == furthest }
    }

    /// Returns the proven commits that can follow a state, each with the rows chosen for it.
    private func steps(from state: ChainState, through last: UInt64) -> [Step] {
        SalvageRows.rows(rows.commits, at: state.next).compactMap { row in
            guard let commit = rows.commit(row),
                let end = commit.lastPosition(startingAt: state.next), end <= last
            else { return nil }
            return step(row, commit, state.next...end, from: state)
        }
    }

    /// Returns the proof of one commit after a state; `nil` if the chain does not prove it.
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
        /// The names that the commit is the first to use.
        var names: [Name]
        /// The row of each event of the commit.
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
            return proof == nil && tries < Self.maxTries
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

    /// Adds the rows chosen for a commit after a gap.
    mutating func addChoices(_ found: [UInt64: SweptRow]) { choices.merge(found) { $1 } }

    /// Returns the chosen rows, by position, of events with several candidates.
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
            for candidate in candidates where tries < Self.maxTries {
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

    /// Returns the possible contents of a row of `names` that a commit is the first to use.
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
    /// The place of the row in the damaged file.
    var row: SweptRow
    var header: EventHeader
    /// The stored event without its checksum.
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

    /// Returns the rows at a position that match a commit.
    ///
    /// - Parameter offset: the number of events before this one in the commit.
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
        of lists: [[Name]], _ chosen: [Name] = [], _ body: ([Name]) -> Bool
    ) -> Bool {
        guard chosen.count < lists.count else { return body(chosen) }
        for name in lists[chosen.count] {
            guard forEachCombination(of: lists, chosen + [name], body) else { return false }
        }
        return true
    }
}

/// Candidate contents of lost rows of the table `names`; the chain proves the right one.
struct NameGuesses {
    let catalogue: Catalogue
    /// Names of time zones to try.
    let zones: [String]

    /// Returns candidates for the row `number`, from the events that use it.
    ///
    /// - Parameter position: the first position of the commit that is the first to use the row.
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
