package import Daybook
package import DaybookLMDB

/// A range of positions of a damaged log that became other positions in the new log.
package struct SalvageMove: Record {
    /// The first position in the damaged log.
    public var first = Position.origin
    /// The last position in the damaged log.
    public var last = Position.origin
    /// The position in the new log of the first event.
    public var movedTo = Position.origin

    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("first", &first, "last", &last, "to", &movedTo)
    }
}

/// The result of a salvage: what was written and what was lost.
package struct SalvageReport: Hashable, Sendable {
    /// The number of events in the new log.
    public internal(set) var events: UInt64 = 0
    /// The number of commits in the new log.
    public internal(set) var commits: UInt64 = 0
    /// The position up to which events, positions and chain values are unchanged.
    public internal(set) var unchangedThrough = Position.origin
    /// The head of the new log; if no commit was moved, the damaged log once had this head.
    public internal(set) var head = Head.origin
    /// The id of the new log, as 32 hexadecimal digits.
    public internal(set) var id = ""
    /// True if the new log has the id of the damaged log.
    public internal(set) var hasSameID = false
    /// True if the new log has the secret of the damaged log, so that it recognises repeated
    /// requests.
    public internal(set) var hasSameSecret = false
    /// The last position of the damaged log; `nil` if it cannot be determined.
    public internal(set) var lastPosition: Position?
    /// The positions that were not written, in order.
    public internal(set) var gaps: [SalvageGap] = []
    /// The ranges that were written under other positions.
    public internal(set) var moves: [SalvageMove] = []
    /// The number of personal texts written.
    public internal(set) var texts: UInt64 = 0
    /// The positions in the new log of events with a missing text, either erased or lost.
    public internal(set) var withoutText: [Position] = []
    /// The number of people whose rows or keys are lost, with their names and texts.
    public internal(set) var lostPeople = 0
    /// The number of pages that could not be read from the disk.
    public internal(set) var unreadablePages = 0

    /// True if nothing was lost, moved or changed.
    public var isComplete: Bool {
        gaps.isEmpty && moves.isEmpty && withoutText.isEmpty && lostPeople == 0 && hasSameID
            && hasSameSecret && lastPosition != nil
    }
}

/// The options of a salvage.
package struct SalvageOptions: Sendable {
    /// True to also write complete commits after a gap, under new positions and in a log with a
    /// new id.
    public var includesCommitsAfterGaps = false
    /// Names of time zones to try for lost rows of the table `names`.
    public var zones: [String] = []

    /// Creates the default options: only commits before the first gap.
    public init() {}
}

/// The progress of a salvage.
package enum SalvageProgress: Sendable {
    /// The damaged file is being read; `page` of `of` pages are done.
    case sweeping(page: UInt64, of: UInt64)
    /// The chain is being checked; it is proven up to this position.
    case proving(Position)
    /// The new log is being written; it ends at this position.
    case writing(Position)
    /// The new log is being verified, up to this position so far.
    case verifying(Position)
}

/// A reason why no new log was written.
package enum SalvageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The damaged file could not be opened.
    case unreadable(OpenError)
    /// No commit can be proven from the start of the chain, and the log was not empty.
    ///
    /// `beyondGaps` is the number of complete commits after the gap, which
    /// `SalvageOptions.includesCommitsAfterGaps` would write.
    case nothing(path: String, beyondGaps: Int)
    /// The new file could not be written.
    case file(FileError)
    /// The damaged log has another format, or the new log could not be written or verified.
    case log(LogError)
    /// The verification of the new log found this fault.
    case unsound(Verification.Finding)

    public var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .nothing(let path, 0): "\(path): contains no commit whose chain value can be verified"
        case .nothing(let path, let count):
            "\(path): the first commit is lost, so that no chain leads to the \(count) complete "
                + "commits after it"
        case .file(let error): "\(error)"
        case .log(let error): "\(error)"
        case .unsound(let finding):
            "the new log fails verification: position \(finding.position): \(finding.rule): "
                + finding.message
        }
    }
}

extension EventLog {
    /// Writes the readable and proven part of a damaged log into a new log.
    ///
    /// The file at `path` is only read, without a lock. The new log gets its name after it has been
    /// verified.
    package static func salvage(
        _ path: String, to output: String, _ options: SalvageOptions = SalvageOptions(),
        against catalogue: Catalogue, progress: (SalvageProgress) -> Void = { _ in }
    ) throws(SalvageError) -> SalvageReport {
        let file: PageFile
        do throws(OpenError) {
            file = try PageFile(path: path)
        } catch {
            throw .unreadable(error)
        }
        let staged: StagedFile
        do throws(FileError) {
            staged = try StagedFile(for: output, from: path)
        } catch {
            throw .file(error)
        }
        var salvage = Salvage(file, options, catalogue)
        let isAnything = salvage.prove(progress)
        if let found = salvage.otherFormat {
            throw .log(.formatVersion(path: path, found: found))
        }
        guard isAnything else {
            throw .nothing(path: path, beyondGaps: salvage.stranded.count)
        }
        let result: Verification
        do throws(LogError) {
            try salvage.write(to: staged.path, progress)
            let log = try EventLog(path: staged.path, access: .read)
            result = try log.verify(against: catalogue) { progress(.verifying($0)) }
        } catch {
            throw .log(error)
        }
        // Findings of these rules may come from the original events, which a salvage does not
        // change.
        let original = ["payload", "tags", "clock"]
        if let finding = result.findings.first(where: { !original.contains($0.rule) }) {
            throw .unsound(finding)
        }
        do throws(FileError) {
            try staged.copyPermissions(of: path, isWritable: true)
            try staged.publish()
        } catch {
            throw .file(error)
        }
        return salvage.report
    }
}

/// A salvage in progress.
private struct Salvage {
    let file: PageFile
    let options: SalvageOptions
    let catalogue: Catalogue
    /// The result so far.
    var report = SalvageReport()
    /// The rows and the commits that the chain proves; `nil` before `prove`.
    private var chain: SalvageChain?
    /// Complete commits after a gap, to which no proven chain leads.
    private(set) var stranded: [SalvagedCommit] = []

    init(_ file: PageFile, _ options: SalvageOptions, _ catalogue: Catalogue) {
        self.file = file
        self.options = options
        self.catalogue = catalogue
    }

    /// The format version of the file, if it is not this program's.
    var otherFormat: UInt32? { chain?.rows.otherFormat }

    /// Finds the commits that can be written; returns `false` if there is nothing to write.
    mutating func prove(_ progress: (SalvageProgress) -> Void) -> Bool {
        let pages = file.pageCount
        let rows = SalvageRows(file) { progress(.sweeping(page: $0, of: pages)) }
        var chain = SalvageChain(
            rows, NameGuesses(catalogue: catalogue, zones: options.zones))
        let last = rows.lastPosition
        report.lastPosition = last.map { Position($0) }
        chain.prove(through: last ?? .max) { progress(.proving(Position($0))) }
        let gaps = SalvageGaps(&chain, through: last ?? rows.lastSeen)
        report.gaps = gaps.gaps
        stranded = gaps.stranded
        self.chain = chain
        return !chain.prefix.isEmpty || last == 0
            || (options.includesCommitsAfterGaps && !stranded.isEmpty)
    }

    /// Writes the new log and fills the report.
    mutating func write(
        to path: String, _ progress: (SalvageProgress) -> Void
    ) throws(LogError) {
        guard let chain else { return }
        let isMoved = options.includesCommitsAfterGaps && !stranded.isEmpty
        let rows = chain.rows
        let log = try createLog(path, rows, isMoved: isMoved)
        let (erasures, people) = people(chain, isMoved ? stranded : [])
        try people.write(to: log)
        report.lostPeople = people.lostCount
        var writer = SalvageWriter(log, chain, people, erasures, catalogue)
        let isWriting = { (head: UInt64) in progress(.writing(Position(head))) }
        try writer.append(chain.prefix, isMoved: false, skipsRepeatedKeys: isMoved, isWriting)
        report.unchangedThrough = Position(writer.written.head)
        if isMoved {
            try writer.append(stranded, isMoved: true, skipsRepeatedKeys: true, isWriting)
            addGaps(writer.written.repeated, "an earlier commit has the same idempotency key")
        } else {
            addGaps(stranded, "complete, but after a gap")
        }
        try writer.finish()
        try log.reindex()
        let id = isMoved ? log.identifier : rows.identifier ?? log.identifier
        fillReport(writer.written, rows, id)
        report.hasSameID = !isMoved && rows.identifier != nil
    }

    /// Creates the new log with the secret of the damaged log, and with its id if no commit is
    /// moved.
    private func createLog(
        _ path: String, _ rows: SalvageRows, isMoved: Bool
    ) throws(LogError) -> EventLog {
        do {
            let log = try EventLog(path: path, access: .create)
            try log.writing { (transaction) throws(LogError) in
                let values = [
                    (key: Meta.secret, value: rows.secret),
                    (key: Meta.identifier, value: isMoved ? nil : rows.identifier),
                ]
                for (key, value) in values {
                    guard let value else { continue }
                    try transaction.put(value, for: key.rawSpan, in: log.tables.meta)
                }
                let id = isMoved ? log.identifier : rows.identifier ?? log.identifier
                let seal = Meta.seal(of: id, under: rows.secret ?? log.secret)
                let key = Meta.identifierSeal
                try transaction.put(seal, for: key.rawSpan, in: log.tables.meta)
            }
        }
        // Opened again, because an open log keeps the secret that it was opened with.
        return try EventLog(path: path, access: .write, people: catalogue.people)
    }

    /// Collects the erasures and the people of the commits to write.
    private func people(
        _ chain: SalvageChain, _ moved: [SalvagedCommit]
    ) -> (SalvageErasures, SalvagePeople) {
        var erasures = SalvageErasures()
        var count: UInt32 = 0
        var named: [UInt32: SalvagePeople.Named] = [:]
        let end = chain.proven.next
        for salvaged in chain.prefix + moved {
            guard let commit = chain.rows.commit(salvaged.row) else { continue }
            count = max(count, commit.actor)
            for person in commit.newPeople where person.number > 0 {
                count = max(count, person.number)
                named[person.number] = SalvagePeople.Named(
                    position: salvaged.first, seal: person.seal)
            }
            guard let candidates = chain.candidates(commit, salvaged.first...salvaged.last)
            else { continue }
            // A lost commit may have been the first to name a person, so names in events count too.
            for event in candidates.lazy.compactMap(\.first) where salvaged.first >= end {
                count = max(count, event.names.map(\.person).max() ?? 0)
            }
            // An erasure record is always the only event of its commit.
            guard commit.eventCount == 1, let event = candidates[0].first,
                chain.name(event.header.kind)?.text == TextsErased.kind.name
            else { continue }
            do throws(CorruptPayload) {
                let payload = event.value.rawSpan.extracting(event.header.payloadOffset...)
                erasures.add(
                    try BinaryReader.read(TextsErased.self, from: payload), at: salvaged.first,
                    isMoved: salvaged.first >= end)
            } catch {
                continue
            }
        }
        return (erasures, SalvagePeople(chain.rows, named, erasures, end: end, count: count))
    }

    /// Adds commits that are not written to the gaps of the report.
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

    /// Copies the content of the new log and its losses into the report.
    private mutating func fillReport(
        _ written: SalvageWriter.Written, _ rows: SalvageRows, _ id: [UInt8]
    ) {
        report.events = written.head
        report.commits = written.commits
        report.head = Head(unchecked: Position(written.head), written.chain)
        report.moves = written.moves
        report.texts = written.texts
        report.withoutText = written.withoutText.map { Position($0) }
        report.id = Hexadecimal.text(id)
        report.hasSameSecret = rows.secret != nil
        report.unreadablePages = file.unreadable.count
    }
}
