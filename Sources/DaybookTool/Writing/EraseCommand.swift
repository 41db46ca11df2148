import ArgumentParser
import Daybook
import DaybookLog

struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase personal texts for good: of somebody, of one event, or of an actor.",
        discussion: """
            Personal texts, the places of runs and the names of actors are encrypted, each \
            person's and each run's under a key of its own; the places of one event count as one \
            text. The key is overwritten in the file, and the erasure is recorded; the chain \
            still holds. Texts of the same people that are not erased are encrypted anew. Backups, \
            copies and snapshots of the file system are not reached. What an interrupted backup \
            or compaction left is removed, or named where it cannot be.
            """)

    @Option(
        help: ArgumentHelp(
            "The texts of whom the tag names, by any of their ids, of all events with it, and of a "
                + "user's runs. "
                + "May be given again.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("The texts of this event.", valueName: "position"))
    var position: UInt64?

    @Option(
        help: ArgumentHelp("The name of this actor, and texts kept under it.", valueName: "name"))
    var actor: String?

    @Option(
        help: ArgumentHelp(
            "Why, kept with the record as a personal text of who asks.", valueName: "text"))
    var reason: String?

    @Option(help: ArgumentHelp("Who asks for it.", valueName: "name"))
    var by: String?

    @Flag(help: "Erase nothing, and say what would go.")
    var dryRun = false

    @Flag(
        help: "Also clear space in the file that is not in use. It reads the whole file.")
    var scrub = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let kinds = [!tag.isEmpty, position != nil, actor != nil]
        guard kinds.count(where: { $0 }) == 1 else {
            throw ValidationError("Give one of --tag, --position and --actor.")
        }
        guard !dryRun || !scrub else {
            throw ValidationError("--dry-run erases nothing, so that --scrub has no place.")
        }
    }

    func run() throws {
        let tags = try tag.map { text in
            guard let tag = Tag(identifier(text)) else {
                throw ValidationError("--tag: expected noun:id like baby:b, found '\(text)'.")
            }
            return tag
        }
        let catalogue = try catalogue()
        let log = try log.open(dryRun ? .read : .write)
        let target = try mappingLogErrors { try self.target(tags, log, catalogue) }
        let erasure = try erase(target, log, catalogue)
        if scrub, !(try mappingLogErrors { try log.scrub() }) {
            StandardError.message(
                "a reader of an older state holds space that is not cleared; run "
                    + "'\(ReplayTool.name) erase --scrub' again")
        }
        let remnants = try mappingLogErrors {
            dryRun
                ? try log.remnants()
                : log.remnantsRemovedOnOpening + (try log.removeRemnants())
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
        if erasure.isNothing {
            throw Failure(.finding, "the log holds nothing to erase of \(asked)")
        }
    }

    private var asked: String {
        if let position { return "position \(position)" }
        return actor.map { "actor '\($0)'" } ?? tag.joined(separator: ", ")
    }

    private func erase(
        _ target: ErasureTarget, _ log: EventLog, _ catalogue: Catalogue
    ) throws -> Erasure {
        guard !dryRun else {
            return try mappingLogErrors { try log.erasure(of: target, catalogue: catalogue) }
        }
        do throws(ErasureError) {
            return try log.erase(
                target, reason: reason, metadata: CommitMetadata(actor: by ?? ""),
                catalogue: catalogue)
        } catch {
            switch error {
            case .unstorable: throw Failure(.usage, error)
            case .log: throw Failure(.log, error)
            }
        }
    }

    /// Adds every id that the person had: a tag with another of them is about the same person.
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
                "\(erasure.unrecorded.counted("text")) \(erasure.unrecorded == 1 ? "was" : "were") gone "
                    + "before, which \(dryRun ? "would be" : erasure.unrecorded.are) put on record")
        }
        if let position = erasure.position {
            Output.line(
                "\(erasure.slots.counted("key")) \(erasure.slots.are) overwritten, "
                    + "\(erasure.rewritten.counted("text")) of the same people encrypted anew; "
                    + "on record at position \(position)")
        }
    }

    private func answer(_ erasure: Erasure, _ remnants: [CopyRemnant]) -> EraseAnswer {
        EraseAnswer(
            texts: Int64(erasure.texts), people: Int64(erasure.people),
            unrecorded: Int64(erasure.unrecorded), keys: Int64(erasure.slots),
            rewritten: Int64(erasure.rewritten), position: erasure.position, dryRun: dryRun,
            removedCopies: remnants.filter { $0.fate == .removed }.map(\.path),
            keptCopies: remnants.filter { $0.fate != .removed }.map(\.path))
    }
}

struct EraseAnswer: Answer {
    static let name = "erase"
    static let summary = "What was erased."

    var texts: Int64 = 0
    var people: Int64 = 0
    var unrecorded: Int64 = 0
    var keys: Int64 = 0
    var rewritten: Int64 = 0
    var position: Position?
    var dryRun = false
    var removedCopies: [String] = []
    var keptCopies: [String] = []

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("texts", &texts, "people", &people, "unrecorded", &unrecorded, "keys", &keys)
        try field("rewritten", &rewritten, "position", &position, "dryRun", &dryRun)
        try field("removedCopies", &removedCopies, "keptCopies", &keptCopies)
    }
}
