package import Daybook
package import DaybookLMDB

/// A range of positions of a damaged log whose events got other positions in the new log.
package struct SalvageMove: Record {
    /// The first position of the range, in the damaged log.
    public var first = Position.origin
    /// The last position of the range, inclusive, in the damaged log.
    public var last = Position.origin
    /// The position of the range's first event in the new log.
    public var movedTo = Position.origin

    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("first", &first, "last", &last, "to", &movedTo)
    }
}

/// The result of a salvage: counts of the data in the new log, and lists of the lost data.
package struct SalvageReport: Equatable, Sendable {
    /// The number of events in the new log.
    public internal(set) var eventCount: UInt64 = 0
    /// The number of commits in the new log.
    public internal(set) var commitCount: UInt64 = 0
    /// The last position up to which the new log has the same events and chain values.
    public internal(set) var unchangedThrough = Position.origin
    /// The head of the new log; if no commit was moved, the damaged log once had it too.
    public internal(set) var head = Head.origin
    /// The id of the new log, as 32 hexadecimal digits.
    public internal(set) var id = ""
    /// True if the new log has the id of the damaged log.
    public internal(set) var hasSameID = false
    /// True if the new log has the secret of the damaged log, so that it recognises the idempotency
    /// keys of earlier requests.
    public internal(set) var hasSameSecret = false
    /// The position of the last event of the damaged log; `nil` if it cannot be determined.
    public internal(set) var lastPosition: Position?
    /// The ranges of positions of the damaged log that were not written to the new log, in order.
    public internal(set) var gaps: [SalvageGap] = []
    /// The ranges of positions whose events got other positions in the new log, in order.
    public internal(set) var moves: [SalvageMove] = []
    /// The number of personal texts in the new log.
    public internal(set) var textCount: UInt64 = 0
    /// The positions in the new log of events with a personal text that was not found, and for
    /// which no erasure is known.
    public internal(set) var withoutText: [Position] = []
    /// The number of people whose rows or encryption keys are lost, with their names and texts.
    public internal(set) var lostPeople = 0
    /// The number of pages of the damaged file that could not be read from the disk.
    public internal(set) var unreadablePages = 0

    /// True if no data was lost, moved or changed.
    public var isComplete: Bool {
        gaps.isEmpty && moves.isEmpty && withoutText.isEmpty && lostPeople == 0 && hasSameID
            && hasSameSecret && lastPosition != nil
    }
}

/// The options of a salvage.
package struct SalvageOptions: Sendable {
    /// True if complete commits after a gap are written, too: at new positions, in a log with a new
    /// id.
    public var includesCommitsAfterGaps = false
    /// The IANA names of time zones to try for lost rows of the table `names`.
    public var zones: [String] = []

    /// Creates the default options, which write only the commits before the first gap.
    public init() {}
}

/// The stage that a salvage has reached, with the progress within it.
package enum SalvageProgress: Sendable {
    /// The damaged file is being read; `page` pages are read, of the number of all pages, `of`.
    case sweeping(page: UInt64, of: UInt64)
    /// Commits are being checked by their chain values; all commits up to this position are proven.
    case proving(Position)
    /// The new log is being written; it contains the events up to this position.
    case writing(Position)
    /// The new log is being verified; it is checked up to this position.
    case verifying(Position)
}

/// A reason why a salvage wrote no new log.
package enum SalvageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The damaged file could not be opened.
    case unreadable(OpenError)
    /// The first commit of the log is lost or incomplete, so no chain value proves any commit.
    ///
    /// `completeCount` is the number of complete commits after the gap, which
    /// `SalvageOptions.includesCommitsAfterGaps` would write.
    case nothing(path: String, completeCount: Int)
    /// The log is a replica, which is made again from its segments.
    case replica(path: String)
    /// The verification of the new log has this finding.
    case unsound(Verification.Finding)

    public var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .nothing(let path, 0):
            "\(path): nothing can be salvaged, because the file contains no commit whose chain "
                + "value (the hash of all commits up to the commit itself) is correct"
        case .nothing(let path, let count):
            "\(path): the first commit is lost; without it, the chain values (hashes) of the "
                + "\(count.counted("complete commit")) after it cannot be verified"
        case .replica(let path):
            "\(path): the log is a replica; pull a new one from its segments"
        case .unsound(let finding):
            "the new log has a fault at position \(finding.position): \(finding.message) "
                + "(verification rule '\(finding.rule)')"
        }
    }
}

/// A salvage of one damaged log in progress.
package struct Salvage {
    /// Writes the commits of a damaged log that can be read and proven into a new log.
    ///
    /// The file at `path` is only read, without a lock. The new log gets its name `output` after it
    /// has been verified.
    package static func run(
        _ path: String, to output: String, _ options: SalvageOptions = SalvageOptions(),
        against catalogue: Catalogue, progress: (SalvageProgress) -> Void = { _ in }
    ) throws -> SalvageReport {
        let file: PageFile
        do throws(OpenError) {
            file = try PageFile(path: path)
        } catch {
            throw SalvageError.unreadable(error)
        }
        let staged = try StagedFile(for: output, from: path)
        var salvage = Salvage(file, options, catalogue)
        let isAnything = salvage.findCommits(progress)
        if let found = salvage.otherFormat {
            throw LogError.formatVersion(path: path, found: found)
        }
        guard !salvage.isReplica else { throw SalvageError.replica(path: path) }
        guard isAnything else {
            throw SalvageError.nothing(path: path, completeCount: salvage.commitsAfterGaps.count)
        }
        let result: Verification
        do {
            try salvage.write(to: staged.path, progress)
            let log = try EventLog(path: staged.path, access: .read)
            result = try log.verify(against: catalogue) { progress(.verifying($0)) }
        }
        // Findings of these rules may come from the original events, which a salvage does not
        // change.
        let original = ["payload", "tags", "clock"]
        if let finding = result.findings.first(where: { !original.contains($0.rule) }) {
            throw SalvageError.unsound(finding)
        }
        try staged.copyPermissions(of: path, isWritable: true)
        try staged.publish()
        return salvage.report
    }

    let file: PageFile
    let options: SalvageOptions
    let catalogue: Catalogue
    /// The report, which `findCommits` and `write` fill.
    var report = SalvageReport()
    /// The found rows and the commits that chain values prove; `nil` before `findCommits`.
    private var chain: SalvageChain?
    /// The complete commits after a gap, to which no sequence of proven commits leads.
    private(set) var commitsAfterGaps: [SalvagedCommit] = []

    init(_ file: PageFile, _ options: SalvageOptions, _ catalogue: Catalogue) {
        self.file = file
        self.options = options
        self.catalogue = catalogue
    }

    /// The format version of the damaged log if this program does not support it; otherwise `nil`.
    var otherFormat: UInt32? { chain?.rows.otherFormat }
    /// True if the damaged log is a replica.
    var isReplica: Bool { chain?.rows.isReplica ?? false }

    /// Finds the commits that can be written; returns `false` if there are none, unless the damaged
    /// log is known to be empty.
    mutating func findCommits(_ progress: (SalvageProgress) -> Void) -> Bool {
        let pages = file.pageCount
        let rows = SalvageRows(file) { progress(.sweeping(page: $0, of: pages)) }
        var chain = SalvageChain(
            rows, NameGuesses(catalogue: catalogue, zones: options.zones))
        let last = rows.lastPosition
        report.lastPosition = last.map { Position($0) }
        chain.prove(through: last ?? .max) { progress(.proving(Position($0))) }
        let gaps = SalvageGaps(&chain, through: last ?? rows.lastFoundPosition)
        report.gaps = gaps.gaps
        commitsAfterGaps = gaps.commitsAfterGaps
        self.chain = chain
        return !chain.provenCommits.isEmpty || last == 0
            || (options.includesCommitsAfterGaps && !commitsAfterGaps.isEmpty)
    }

    /// Writes the new log at `path` and fills the report.
    mutating func write(
        to path: String, _ progress: (SalvageProgress) -> Void
    ) throws(LogError) {
        guard let chain else { return }
        let isMoved = options.includesCommitsAfterGaps && !commitsAfterGaps.isEmpty
        let rows = chain.rows
        let log = try createLog(path, rows, isMoved: isMoved)
        let (erasures, people) = people(chain, isMoved ? commitsAfterGaps : [])
        try people.write(to: log)
        report.lostPeople = people.lostCount
        var writer = SalvageWriter(log, chain, people, erasures, catalogue)
        let isWriting = { (head: UInt64) in progress(.writing(Position(head))) }
        try writer.append(
            chain.provenCommits, isMoved: false, skipsRepeatedKeys: isMoved, isWriting)
        report.unchangedThrough = Position(writer.written.lastPosition)
        if isMoved {
            try writer.append(commitsAfterGaps, isMoved: true, skipsRepeatedKeys: true, isWriting)
            addGaps(writer.written.skippedCommits, "an earlier commit has the same idempotency key")
        } else {
            addGaps(commitsAfterGaps, "the commit is complete, but follows a gap")
        }
        try writer.finish()
        try log.reindex(afresh: true)
        let id = isMoved ? log.file.identifier : rows.identifier ?? log.file.identifier
        fillReport(writer.written, rows, id)
        report.hasSameID = !isMoved && rows.identifier != nil
    }

    /// Creates the new log with the secret of the damaged log; also with its id if no commit moves.
    private func createLog(
        _ path: String, _ rows: SalvageRows, isMoved: Bool
    ) throws(LogError) -> EventLog {
        do {
            let log = try EventLog(path: path, access: .create)
            try log.file.writing { (transaction) throws(LogError) in
                let values = [
                    (key: Meta.secret, value: rows.secret),
                    (key: Meta.identifier, value: isMoved ? nil : rows.identifier),
                ]
                for (key, value) in values {
                    guard let value else { continue }
                    try transaction.put(value, for: key.rawSpan, in: log.file.tables.meta)
                }
                let id = isMoved ? log.file.identifier : rows.identifier ?? log.file.identifier
                let seal = Meta.seal(of: id, under: rows.secret ?? log.file.secret)
                let key = Meta.identifierSeal
                try transaction.put(seal, for: key.rawSpan, in: log.file.tables.meta)
            }
        }
        // Opened again, because an open log keeps the secret that it was opened with.
        return try EventLog(path: path, access: .write, people: catalogue.people)
    }

    /// Collects the recorded erasures and the people of the commits to write.
    private func people(
        _ chain: SalvageChain, _ moved: [SalvagedCommit]
    ) -> (SalvageErasures, SalvagePeople) {
        var erasures = SalvageErasures()
        var count: UInt32 = 0
        var named: [UInt32: PersonRow.FirstMention] = [:]
        let end = chain.provenState.nextPosition
        for salvaged in chain.provenCommits + moved {
            guard let commit = chain.rows.commit(salvaged.row) else { continue }
            count = max(count, commit.actor)
            for person in commit.newPeople where person.number > 0 {
                count = max(count, person.number)
                named[person.number] = PersonRow.FirstMention(
                    position: salvaged.first, seal: person.seal)
            }
            guard let candidates = chain.candidates(commit, salvaged.first...salvaged.last)
            else { continue }
            // A lost commit may have been the first to name a person, so names in events count too.
            for event in candidates.lazy.compactMap(\.first) where salvaged.first >= end {
                count = max(count, event.names.map(\.personNumber).max() ?? 0)
            }
            // An erasure record is always the only event of its commit.
            guard commit.eventCount == 1, let event = candidates[0].first,
                chain.name(event.header.kind)?.text == TextsErased.kind.name
            else { continue }
            let payload = event.value.rawSpan.extracting(event.header.payloadOffset...)
            if let record = try? BinaryReader.read(TextsErased.self, from: payload) {
                erasures.add(record, at: salvaged.first, isMoved: salvaged.first >= end)
            }
        }
        return (erasures, SalvagePeople(chain.rows, named, erasures, end: end, count: count))
    }

    /// Adds to the gaps in the report the positions of commits that are not written.
    private mutating func addGaps(_ commits: [SalvagedCommit], _ reason: String) {
        for commit in commits {
            if let last = report.gaps.last, last.reason == reason,
                last.last.rawValue + 1 == commit.first
            {
                report.gaps[report.gaps.count - 1].last = Position(commit.last)
                continue
            }
            report.gaps.append(
                SalvageGap(
                    first: Position(commit.first), last: Position(commit.last), reason: reason))
        }
        report.gaps.sort { $0.first < $1.first }
    }

    /// Copies the counts of written data and the losses into the report.
    private mutating func fillReport(
        _ written: SalvageWriter.Written, _ rows: SalvageRows, _ id: [UInt8]
    ) {
        report.eventCount = written.lastPosition
        report.commitCount = written.commitCount
        report.head = Head(unchecked: Position(written.lastPosition), written.lastChainValue)
        report.moves = written.moves
        report.textCount = written.textCount
        report.withoutText = written.positionsWithoutText.map { Position($0) }
        report.id = Hexadecimal.text(id)
        report.hasSameSecret = rows.secret != nil
        report.unreadablePages = file.unreadable.count
    }
}
