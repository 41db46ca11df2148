import ArgumentParser
import Daybook
import DaybookLog

/// The command `erase`, which makes personal texts unreadable for good.
struct EraseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase the personal texts of a person, an event or an actor for good.",
        discussion: """
            Personal texts, the coordinates of runs and the names of actors are encrypted with a \
            key for each person and each run; the coordinates of one event count as one text. An \
            erasure overwrites the key in the file and is recorded in the log; the chain still \
            verifies. Texts of the same person that are not erased are encrypted with a new key. \
            Backups, copies and file system snapshots are not reached. Files that an interrupted \
            backup or compaction left are removed, or named if that is not possible.

            In PostgreSQL, old rows stay in the WAL, in standbys and in backups, encrypted under a \
            key outside the database. It is destroyed once all other keys of people are encrypted \
            under a new one and this is on disk, also on each standby that --standby names. The \
            command says what is not reached yet, and ends with 1 then; any later run of it, also \
            for texts that are erased already, goes on. Backups are read with the keys that were \
            exported with them.
            """)

    @Option(
        help: .text(
            "Texts of the person or entity with this tag, under any of its ids; for a user, also "
                + "those of the user's runs; may be repeated.", "tag"))
    var tag: [String] = []

    @Option(help: .text("Texts of the event at this position.", "position"))
    var position: UInt64?

    @Option(help: .text("Name of this actor, and the texts under it.", "name"))
    var actor: String?

    @Option(help: .text("Reason, recorded as a personal text of the person who asks.", "text"))
    var reason: String?

    @Option(help: .text("Person who asks for the erasure.", "name"))
    var by: String?

    @Flag(help: "Only show what would be erased.")
    var dryRun = false

    @Flag(help: "Also overwrite the unused space of the file, which reads the whole file.")
    var scrub = false

    @Option(
        help: .text(
            "For a log in PostgreSQL: a standby that must have the new keys on disk before the old "
                + "one is destroyed; may be repeated; '' for none.", "name"))
    var standby: [String] = []

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let kinds = [!tag.isEmpty, position != nil, actor != nil]
        guard kinds.count(where: { $0 }) == 1 else {
            throw ValidationError("Give exactly one of --tag, --position and --actor.")
        }
        guard standby.isEmpty || log.address != nil else {
            throw ValidationError("--standby is for a log in PostgreSQL.")
        }
        guard !dryRun || !scrub else {
            throw ValidationError("--scrub cannot be combined with --dry-run.")
        }
    }

    func run() throws {
        let expected = "noun:id, such as baby:mia"
        let tags = try tag.map { try Tag(of: "--tag", $0, expected: expected) }
        let catalogue = catalogue()
        let log = try log.open(dryRun ? .read : .write)
        if !standby.isEmpty, let store = log.store as? any ErasingStore {
            store.standbys = standby.filter { !$0.isEmpty }
        }
        let target = try mappingLogErrors { try self.target(tags, log, catalogue) }
        let erasure = try erase(target, log, catalogue)
        if scrub {
            let isComplete = try mappingLogErrors { try log.scrub() }
            if !isComplete {
                StandardError.message(
                    "some unused space was not overwritten, because another process still reads an "
                        + "older state of the log; run '\(Program.name) erase --scrub' again "
                        + "later")
            }
            StandardError.message("other writers waited for at most \(log.longestWriteText)")
        }
        let remnants = try mappingLogErrors {
            dryRun
                ? try RemnantSearch(log.file).remnants()
                : log.file.remnantsRemovedOnOpening + (try RemnantSearch(log.file).removeRemnants())
        }
        output.json ? Output.answer(answer(erasure, remnants)) : show(erasure, remnants)
        let kept = remnants.filter { $0.fate != .removed }
        for remnant in kept {
            guard case .kept(let reason) = remnant.fate else { continue }
            StandardError.message(
                "\(remnant.path): an unfinished copy of the log, in which the texts may still be "
                    + "read, \(dryRun ? "would not be" : "is not") removed: \(reason)")
        }
        if !kept.isEmpty, !dryRun { throw Failure(.finding) }
        if erasure.reach.map({ !$0.epochs.isEmpty || !$0.replicas.isEmpty }) ?? false {
            throw Failure(.finding)
        }
        if erasure.isNothing {
            throw Failure(.finding, "the log holds no personal text to erase for \(targetText)")
        }
    }

    /// Text that names the target of the erasure in messages.
    private var targetText: String {
        if let position { return "position \(position)" }
        return actor.map { "actor '\($0)'" } ?? tag.joined(separator: ", ")
    }

    /// Erases the texts of the target, or with `--dry-run` only finds them.
    private func erase(
        _ target: ErasureTarget, _ log: EventLog, _ catalogue: Catalogue
    ) throws -> Erasure {
        guard !dryRun else {
            return try mappingLogErrors { try log.erasure(of: target, catalogue: catalogue) }
        }
        do throws(AppendError) {
            return try log.erase(
                target, reason: reason, metadata: CommitMetadata(actor: by ?? ""),
                catalogue: catalogue)
        } catch {
            switch error {
            case .log(let cause): throw Failure(cause.code, error)
            case .conflict, .keyReused, .unstorable: throw Failure(.usage, error)
            }
        }
    }

    /// Returns the target of the erasure, with the tags of all ids of a person.
    private func target(
        _ tags: [Tag], _ log: EventLog, _ catalogue: Catalogue
    ) throws -> ErasureTarget {
        if let position { return .position(Position(position)) }
        if let actor { return .actor(actor) }
        let reader = try EntityReader(log, catalogue)
        var all: [Tag] = []
        for tag in tags {
            var ids: Set<String> = [String(tag.id)]
            let same = catalogue.people.tags(naming: tag)
            for noun in Set(same.map { String($0.noun) }) {
                ids.formUnion(try reader.identities(noun, String(tag.id)).all(noun, String(tag.id)))
            }
            all += ids.sorted().compactMap { Tag("\(tag.noun):\($0)") }
        }
        return .tags(all)
    }

    private func show(_ erasure: Erasure, _ remnants: [CopyRemnant]) {
        for remnant in remnants where remnant.fate == .removed {
            let verb = dryRun ? "would be" : "is"
            Output.line("\(remnant.path): an unfinished copy of the log \(verb) removed")
        }
        let verb = dryRun ? "would be" : "are"
        Output.line(
            "\(erasure.texts.counted("personal text")) and "
                + "\(erasure.people.counted("person", "people")) \(verb) erased")
        if erasure.unrecorded > 0 {
            Output.line(
                "\(erasure.unrecorded.counted("text")) \(erasure.unrecorded == 1 ? "was" : "were") missing "
                    + "already; this \(dryRun ? "would be" : "is now") recorded")
        }
        if let position = erasure.position {
            Output.line(
                "\(erasure.slots.counted("key")) \(erasure.slots.are) "
                    + "\(erasure.reach == nil ? "overwritten" : "gone from the database"), "
                    + "\(erasure.rewritten.counted("text")) of the same people re-encrypted; "
                    + "recorded at position \(position)")
        }
        if let reach = erasure.reach { for line in reach.lines { Output.line(line) } }
    }

    private func answer(_ erasure: Erasure, _ remnants: [CopyRemnant]) -> EraseAnswer {
        EraseAnswer(
            textCount: Int64(erasure.texts), personCount: Int64(erasure.people),
            unrecordedCount: Int64(erasure.unrecorded), overwrittenKeyCount: Int64(erasure.slots),
            rewrittenCount: Int64(erasure.rewritten), position: erasure.position, isDryRun: dryRun,
            removedCopies: remnants.filter { $0.fate == .removed }.map(\.path),
            keptCopies: remnants.filter { $0.fate != .removed }.map(\.path),
            epochs: erasure.reach?.epochs.map { EraseAnswer.Epoch($0) },
            replicas: erasure.reach?.replicas.map { EraseAnswer.Replica($0) },
            otherStandbys: erasure.reach?.otherStandbys)
    }

    static var examples: [String] {
        let noun = ExampleNames.current.personNoun ?? ExampleNames.current.noun
        return ["erase --tag \(noun):\(noun)-1 --reason 'asked for it' --by support --dry-run"]
    }

    static var answers: [any Answer.Type] { [EraseAnswer.self] }
}

struct EraseAnswer: Answer {
    static let name = "erase"
    static let summary = "What was erased."

    var textCount: Int64 = 0
    /// Number of people who are erased completely.
    var personCount: Int64 = 0
    /// Number of texts that were missing already, without a recorded erasure.
    var unrecordedCount: Int64 = 0
    /// Number of encryption keys overwritten in the file; 0 with `--dry-run`.
    var overwrittenKeyCount: Int64 = 0
    /// Number of other texts of the same people, which were encrypted again under new keys.
    var rewrittenCount: Int64 = 0
    /// Position of the event that records the erasure; `nil` if none was recorded.
    var position: Position?
    var isDryRun = false
    /// Paths of unfinished copies of the log that are, or with `--dry-run` would be, removed.
    var removedCopies: [String] = []
    var keptCopies: [String] = []
    /// Earlier epochs whose keys still open what WAL, standbys and backups have.
    var epochs: [Epoch]?
    /// Replicas with keys that have not carried out the erasure.
    var replicas: [Replica]?
    /// Connected standbys that nobody has named; `nil`, and left out, for a log in a file.
    var otherStandbys: [String]?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "texts", &textCount, "people", &personCount, "unrecorded", &unrecordedCount, "keys",
            &overwrittenKeyCount)
        try field("rewritten", &rewrittenCount, "position", &position, "dryRun", &isDryRun)
        try field("removedCopies", &removedCopies, "keptCopies", &keptCopies)
        try field.optionalField("epochs", &epochs)
        try field.optionalField("replicas", &replicas)
        try field.optionalField("otherStandbys", &otherStandbys)
    }
}
