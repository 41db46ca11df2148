public import Daybook
public import DaybookLMDB

/// Positions of a damaged log that have others in the new one.
public struct SalvageMove: Record {
    public var first = Position.origin
    public var last = Position.origin
    /// The new position of the first one.
    public var movedTo = Position.origin

    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("first", &first, "last", &last, "to", &movedTo)
    }
}

/// The result of a salvage: rows written and rows lost.
public struct SalvageReport: Hashable, Sendable {
    /// Events and commits of the new log.
    public internal(set) var events: UInt64 = 0
    public internal(set) var commits: UInt64 = 0
    /// Events up to here are what and where they were, under the same chain values.
    public internal(set) var unchangedThrough = Position.origin
    /// The head of the new log: where nothing is moved, one that the damaged log had.
    public internal(set) var head = Head.origin
    public internal(set) var id = ""
    /// True where the new log has the id of the damaged one.
    public internal(set) var hasSameID = false
    /// True where it has the secret, so that requests are known again by their keys.
    public internal(set) var hasSameSecret = false
    /// The last position of the damaged log; `nil` where the file no longer tells it.
    public internal(set) var lastPosition: Position?
    /// Positions that are not written, in order.
    public internal(set) var gaps: [SalvageGap] = []
    public internal(set) var moves: [SalvageMove] = []
    /// Personal texts written.
    public internal(set) var texts: UInt64 = 0
    /// Positions in the new log of events with a text that was either erased or lost.
    public internal(set) var withoutText: [Position] = []
    /// People whose rows or keys are lost, and their names and texts with them.
    public internal(set) var lostPeople = 0
    /// Pages that the disk did not give.
    public internal(set) var unreadablePages = 0

    /// True where the new log is all that the damaged one was.
    public var isComplete: Bool {
        gaps.isEmpty && moves.isEmpty && withoutText.isEmpty && lostPeople == 0 && hasSameID
            && hasSameSecret && lastPosition != nil
    }
}

/// How much a salvage takes.
public struct SalvageOptions: Sendable {
    /// Also whole commits behind a gap, under new positions and in a log with a new id.
    public var takesCommitsBeyondGaps = false
    /// Names of zones that a lost row of the table `names` may have held.
    public var zones: [String] = []

    public init() {}
}

/// The progress of a salvage.
public enum SalvageProgress: Sendable {
    case sweeping(page: UInt64, of: UInt64)
    case proving(Position)
    case writing(Position)
    case verifying(Position)
}

/// Why no new log was written.
public enum SalvageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The damaged file cannot be read.
    case unreadable(OpenError)
    /// The first commit is lost, and no trace of an empty log was found. So many whole commits
    /// behind the gap could be taken.
    case nothing(path: String, beyondGaps: Int)
    /// The new file cannot be written.
    case file(FileError)
    case log(LogError)
    /// The new log does not verify.
    case unsound(Verification.Finding)

    public var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .nothing(let path, 0): "\(path): holds no commit that can be proven"
        case .nothing(let path, let count):
            "\(path): the first commit is lost, so that no chain leads to the \(count) whole commits "
                + "after it"
        case .file(let error): "\(error)"
        case .log(let error): "\(error)"
        case .unsound(let finding):
            "what was salvaged does not verify: position \(finding.position): \(finding.rule): "
                + finding.message
        }
    }
}

extension EventLog {
    /// Writes what is readable and proven in a damaged log into a new one.
    ///
    /// The file at `path` is only read, without a lock. The new log has its name once it verifies.
    public static func salvage(
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
        // Facts that were wrong from the start stay what they were.
        let original = ["payload", "tags", "clock"]
        if let finding = result.findings.first(where: { !original.contains($0.rule) }) {
            throw .unsound(finding)
        }
        do throws(FileError) {
            try staged.takePermissions(of: path, isWritable: true)
            try staged.publish()
        } catch {
            throw .file(error)
        }
        return salvage.report
    }
}

/// One salvage under way.
private struct Salvage {
    let file: PageFile
    let options: SalvageOptions
    let catalogue: Catalogue
    var report = SalvageReport()
    private var chain: SalvageChain?
    private(set) var stranded: [SalvagedCommit] = []

    init(_ file: PageFile, _ options: SalvageOptions, _ catalogue: Catalogue) {
        self.file = file
        self.options = options
        self.catalogue = catalogue
    }

    /// The version of another format, where the file has one.
    var otherFormat: UInt32? { chain?.rows.otherFormat }

    /// Finds what can be written. `false` where that is nothing.
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
            || (options.takesCommitsBeyondGaps && !stranded.isEmpty)
    }

    mutating func write(
        to path: String, _ progress: (SalvageProgress) -> Void
    ) throws(LogError) {
        guard let chain else { return }
        let isMoved = options.takesCommitsBeyondGaps && !stranded.isEmpty
        let rows = chain.rows
        let log = try begin(path, rows, isMoved: isMoved)
        let (erasures, people) = people(chain, isMoved ? stranded : [])
        try people.write(to: log)
        report.lostPeople = people.lost
        var writer = SalvageWriter(log, chain, people, erasures, catalogue)
        let isWriting = { (head: UInt64) in progress(.writing(Position(head))) }
        try writer.append(chain.prefix, isMoved: false, notesKeys: isMoved, isWriting)
        report.unchangedThrough = Position(writer.written.head)
        if isMoved {
            try writer.append(stranded, isMoved: true, notesKeys: true, isWriting)
            setAside(writer.written.repeated, "the commit has a key that an earlier one has")
        } else {
            setAside(stranded, "whole, but behind a gap")
        }
        try writer.finish()
        try log.reindex()
        report(writer.written, rows, isMoved ? log.identifier : rows.identifier ?? log.identifier)
        report.hasSameID = !isMoved && rows.identifier != nil
    }

    /// A new log, with the secret of the damaged one, and the id where no commit is moved.
    private func begin(
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
        // Digests are made under the secret that a log was opened with.
        return try EventLog(path: path, access: .write, people: catalogue.people)
    }

    /// The erasures and the people of the commits that are to be written.
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
            // A commit that is lost may have been the first to name somebody.
            for event in candidates.lazy.compactMap(\.first) where salvaged.first >= end {
                count = max(count, event.names.map(\.person).max() ?? 0)
            }
            // An erasure is a commit of its own.
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

    /// Adds commits to what is not written.
    private mutating func setAside(_ commits: [SalvagedCommit], _ reason: String) {
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

    private mutating func report(
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
