import Daybook
import DaybookLMDB

/// A commit of the damaged log that can be written to the new log.
struct SalvagedCommit {
    /// The position of the first event, in the damaged log.
    var first: UInt64
    /// The position of the last event, in the damaged log.
    var last: UInt64
    /// The place of the commit's row in the damaged file.
    var row: SweptRow
}

/// The data after a sequence of proven commits that is needed to prove the next commit.
struct ChainState {
    /// The position after the last proven event, where the next commit must begin.
    var nextPosition: UInt64 = 1
    /// The chain value of the last proven commit.
    var lastChainValue: [UInt8] = Array(repeating: 0, count: 32)
    /// The event kinds and time zones that the proven commits use, in the order of rows of `names`.
    var names: [Name] = []
}

/// A search for the original rows of a damaged log among all rows that were found in its file.
///
/// A commit is proven if its row and the rows of its events hash to its stored chain value.
struct SalvageChain {
    /// All rows that were found in the damaged file.
    let rows: SalvageRows
    /// Finds candidates for lost rows of the table `names`.
    private let nameGuesses: NameGuesses
    /// The chosen row of each event for which several rows were found, by position.
    private(set) var chosenRows: [UInt64: SweptRow] = [:]
    /// The data after the last proven commit.
    private(set) var provenState = ChainState()
    /// The proven commits, from the first commit of the log on, without gaps.
    private(set) var provenCommits: [SalvagedCommit] = []

    /// The number of combinations of rows that are tried before a commit counts as not proven.
    static let maxTries = 100_000

    init(_ rows: SalvageRows, _ nameGuesses: NameGuesses) {
        self.rows = rows
        self.nameGuesses = nameGuesses
    }

    /// A proven commit that follows a given state, with the rows chosen for its events.
    private struct Step {
        var commit: SalvagedCommit
        /// The chosen row of each event for which several rows were found, by position.
        var chosenRows: [UInt64: SweptRow]
        /// The data after the commit, for proving the next one.
        var state: ChainState
    }

    /// One of several alternative sequences of commits that may continue the proven ones.
    private struct Branch {
        /// The commits of the branch, in the order of positions.
        var steps: [Step]
        /// True if no commit was found that can follow the branch's last one.
        var hasEnded = false

        /// The position of the last event in the branch; 0 for an empty branch.
        var lastPosition: UInt64 { steps.last?.commit.last ?? 0 }
    }

    /// Proves the commits from the first one on by their chain values, as far as possible.
    ///
    /// If two commits can be the next one, a transaction that was never committed left one of them
    /// in the file. The one with the longest continuation is then taken.
    mutating func prove(through last: UInt64, _ progress: (UInt64) -> Void) {
        var sinceProgress = 0
        while true {
            var branches = nextSteps(from: provenState, through: last).map { Branch(steps: [$0]) }
            while branches.count > 1, branches.contains(where: { !$0.hasEnded }) {
                advance(&branches, through: last)
            }
            guard let branch = branches.max(by: { $0.lastPosition < $1.lastPosition }) else {
                return
            }
            for step in branch.steps {
                provenCommits.append(step.commit)
                chosenRows.merge(step.chosenRows) { $1 }
                provenState = step.state
            }
            sinceProgress += 1
            if sinceProgress % 10_000 == 0 { progress(provenState.nextPosition - 1) }
        }
    }

    /// Extends each branch by one commit, and drops ended branches except the longest.
    private func advance(_ branches: inout [Branch], through last: UInt64) {
        var advanced: [Branch] = []
        for branch in branches {
            guard !branch.hasEnded, let state = branch.steps.last?.state else {
                advanced.append(branch)
                continue
            }
            let next = nextSteps(from: state, through: last)
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
        let furthest = advanced.map(\.lastPosition).max() ?? 0
        branches = advanced.filter { !$0.hasEnded || $0.lastPosition == furthest }
    }

    /// Returns the proven commits that can directly follow a given state.
    private func nextSteps(from state: ChainState, through last: UInt64) -> [Step] {
        SalvageRows.rows(rows.commits, at: state.nextPosition).compactMap { row in
            guard let commit = rows.commit(row),
                let end = commit.lastPosition(startingAt: state.nextPosition), end <= last
            else { return nil }
            return step(row, commit, state.nextPosition...end, from: state)
        }
    }

    /// Returns a commit with its chosen rows if its chain value proves that it follows a state.
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
            let names = possibleNames(number, firstUsedIn: range, events)
            guard !names.isEmpty else { return nil }
            wanted.append(names)
        }
        guard
            let proof = prove(commit, events, newNames: wanted, after: state.lastChainValue)
        else { return nil }
        var next = ChainState(nextPosition: range.upperBound + 1, lastChainValue: commit.chain)
        next.names = state.names + proof.names
        return Step(
            commit: SalvagedCommit(first: range.lowerBound, last: range.upperBound, row: row),
            chosenRows: chosenRows(proof.rows, events), state: next)
    }

    /// The event kinds, time zones and event rows that hash to a commit's chain value.
    private struct Proof {
        /// The event kinds and time zones that the commit is the first to use.
        var names: [Name]
        /// The row of each event of the commit.
        var rows: [SweptRow]
    }

    /// Finds the names and event rows that hash to a commit's chain value; `nil` if none do.
    ///
    /// - Parameters:
    ///   - newNames: for each row of `names` that the commit is the first to use, its possible
    ///     contents.
    ///   - value: the chain value of the previous commit.
    private func prove(
        _ commit: CommitRecord, _ events: [[EventCandidate]], newNames: [[Name]],
        after value: [UInt8]
    ) -> Proof? {
        var tries = 0
        var proof: Proof?
        forEachCombination(of: newNames) { names in
            let chain = ChainHash(after: value, commit: commit, newNames: names)
            if let rows = chooseRows(events[...], chain, commit.chain, &tries) {
                proof = Proof(names: names, rows: rows)
            }
            return proof == nil && tries < Self.maxTries
        }
        return proof
    }

    /// Returns the rows chosen for those events of a commit with known names that have several
    /// candidates, by position; `nil` if the commit cannot be proven.
    func rows(
        of commit: CommitRecord, _ events: [[EventCandidate]], _ newNames: [Name],
        after chain: [UInt8]
    ) -> [UInt64: SweptRow]? {
        prove(commit, events, newNames: newNames.map { [$0] }, after: chain)
            .map { chosenRows($0.rows, events) }
    }

    /// Records the event rows chosen for a commit after a gap.
    mutating func addChosenRows(_ found: [UInt64: SweptRow]) { chosenRows.merge(found) { $1 } }

    /// Returns those chosen rows, by position, for which there were several candidates.
    private func chosenRows(
        _ chosen: [SweptRow], _ events: [[EventCandidate]]
    ) -> [UInt64: SweptRow] {
        var chosenRows: [UInt64: SweptRow] = [:]
        for (row, candidates) in zip(chosen, events) where candidates.count > 1 {
            chosenRows[row.key] = row
        }
        return chosenRows
    }

    /// Chooses one candidate for each event so that they hash to a chain value; `nil` if none do.
    ///
    /// - Parameters:
    ///   - chain: the hash of the commit before these events.
    ///   - value: the chain value that the commit stores.
    ///   - tries: the number of combinations tried so far for the commit.
    private func chooseRows(
        _ events: ArraySlice<[EventCandidate]>, _ chain: ChainHash, _ value: [UInt8],
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
                if let rest = chooseRows(events[(index + 1)...], branch, value, &tries) {
                    return chosen + [candidate.row] + rest
                }
            }
            return nil
        }
        tries += 1
        return chain.value() == value ? chosen : nil
    }

    /// Returns the possible contents of a row of `names` that a commit is the first to use.
    ///
    /// - Parameters:
    ///   - number: the row number.
    ///   - range: the positions of the commit.
    private func possibleNames(
        _ number: UInt16, firstUsedIn range: ClosedRange<UInt64>, _ events: [[EventCandidate]]
    ) -> [Name] {
        let stored = SalvageRows.rows(rows.names, at: UInt64(number)).compactMap(rows.name)
            .filter { range.contains($0.firstPosition) }
        return stored.isEmpty ? nameGuesses.candidates(number, range.lowerBound, events) : stored
    }
}

/// A row of the damaged file that may be an event of a commit.
struct EventCandidate {
    /// The place of the row in the damaged file.
    var row: SweptRow
    var header: EventHeader
    /// The stored event without its checksum.
    var value: [UInt8]
}

extension SalvageChain {
    /// Returns the candidates for each event of a commit, by position; `nil` if an event has none.
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

    /// Returns the candidates for the event of a commit at one position.
    ///
    /// - Parameter offset: the number of events before this one in the commit.
    func candidates(
        _ commit: CommitRecord, _ position: UInt64, _ offset: UInt32
    ) -> [EventCandidate] {
        let known = chosenRows[position].map { [$0][...] }
        return (known ?? SalvageRows.rows(rows.events, at: position)).compactMap { row in
            guard let value = rows.value(row), let header = rows.header(value),
                header.commitOffset == offset, header.recordedAt == commit.recordedAt
            else { return nil }
            return EventCandidate(row: row, header: header, value: value)
        }
    }

    /// Calls `body` with each combination of one name from each list, until `body` returns `false`.
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

/// A source of candidates for lost rows of the table `names`; a chain value proves the right one.
struct NameGuesses {
    let catalogue: Catalogue
    /// The IANA names of time zones to try.
    let zones: [String]

    /// Returns candidates for the content of row `number`, from the events that refer to the row.
    ///
    /// - Parameter position: the first position of the commit that is the first to use the row.
    func candidates(_ number: UInt16, _ position: UInt64, _ events: [[EventCandidate]]) -> [Name] {
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

    /// Returns the names of the event kinds for which a candidate's payload is canonical.
    private func kinds(of candidate: EventCandidate) -> [String] {
        let range = candidate.header.payloadRange(in: candidate.value.rawSpan)
        let payload = candidate.value.rawSpan.extracting(range)
        let known = catalogue.events.values.filter { known in
            (try? known.inspect(payload).isCanonical) ?? false
        }
        return known.map(\.kind.name).sorted()
    }
}

extension EventCandidate {
    /// The separately stored names of people in the event.
    var names: [NamePlace] {
        (0..<header.nameCount).map { NamePlace($0, header, value.rawSpan) }
    }
}
