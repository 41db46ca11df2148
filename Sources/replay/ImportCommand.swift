import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import Playback
import ReplayCommands

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take over a baby's entries or a run from another app's file.",
        discussion: """
            Each row of a baby's file becomes one commit under a key of its own, so that importing \
            a file twice, or an overlapping one later, adds only what is new. Rows that give no \
            entry are listed with the reason, and the rest is kept. The baby is made if it is \
            new. An import never estimates an end: a sleep without one is recorded as open.

            A GPX file is one run of --user: all its tracks, every point whose coordinates are \
            possible. Limits of speed and accuracy are those given, and none by default. The same \
            track is imported once, whatever the file around it.
            """)

    @Option(
        help: ArgumentHelp(
            "The form of the file: \(FormatArgument.allValueStrings.joined(separator: ", ")).",
            valueName: "format"))
    var format: FormatArgument

    @Option(
        help: ArgumentHelp("The baby, for a file of care entries.", valueName: "id"),
        transform: identifier)
    var baby: String?

    @Option(help: ArgumentHelp("The runner, for gpx.", valueName: "id"), transform: identifier)
    var user: String?

    @OptionGroup var zones: ZoneOptions

    @Option(help: "The unit of amounts in a file without units: ml or oz.")
    var amountUnit = UnitArgument.ml

    @Option(
        help: ArgumentHelp(
            "gpx: leave out points reached faster, in metres a second.", valueName: "m/s"))
    var maxSpeed: String?

    @Option(
        help: ArgumentHelp("gpx: leave out points known less well, in metres.", valueName: "m"))
    var maxAccuracy: String?

    @Option(help: ArgumentHelp("The user who imports.", valueName: "user"), transform: identifier)
    var by: String?

    @Argument(help: ArgumentHelp("The file; '-' is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var log: LogOptions
    @OptionGroup var output: OutputOptions

    enum UnitArgument: String, ExpressibleByArgument, CaseIterable {
        case ml
        case oz
    }

    enum FormatArgument: ExpressibleByArgument {
        case care(BabyCare.FileFormat)
        case gpx

        init?(argument: String) {
            if argument == "gpx" {
                self = .gpx
            } else if let format = BabyCare.FileFormat(name: argument) {
                self = .care(format)
            } else {
                return nil
            }
        }

        static var allValueStrings: [String] { BabyCare.FileFormat.names + ["gpx"] }
    }

    func validate() throws {
        let (name, id, other) =
            if case .gpx = format { ("--user", user, baby) } else { ("--baby", baby, user) }
        // The key of a row holds the id beside 64 digits of a digest.
        guard let id else { throw ValidationError("Name whose file it is with \(name).") }
        guard !id.isEmpty, id.utf8.count <= 128 else {
            throw ValidationError("\(name): an id has 1 to 128 bytes.")
        }
        guard other == nil else {
            throw ValidationError("A file of this format takes \(name) alone.")
        }
    }

    func run() throws {
        switch format {
        case .gpx: try importTrack(of: user ?? "")
        case .care(let format): try importEntries(of: baby ?? "", format)
        }
    }

    private func importEntries(of baby: String, _ format: BabyCare.FileFormat) throws {
        let source = try zones.source()
        let bytes = try InputFile.bytes(of: file)
        let unit = amountUnit == .ml ? BabyCare.AmountUnit.ml : .oz
        let known = try knownZone(of: baby)
        guard let zoneName = zones.zone ?? known else {
            throw Failure(
                .usage, "name the zone that the file's times are in with --zone, like Asia/Seoul")
        }
        let zone = try ZoneOptions.zone(zoneName, source)
        let rows: [CareFile.Row]
        do throws(InputError) {
            rows = try CareFile.read(
                bytes, as: format, zone: zone, amountUnit: unit, rules: .standard)
        } catch {
            throw Failure(.usage, "\(error.inFile(file)); nothing was imported")
        }
        let log = try log.open(.create)
        let job = ImportJob(
            plan: CareImport(
                babyId: baby, format: format,
                context: "\(zoneName)\u{0}\(unit.rawValue)", rows: rows,
                digest: { log.keyedDigest($0, of: $1) }),
            zone: zone, by: by, file: log.digest(ofFile: bytes))
        show(try job.run(log, try catalogue()))
    }

    /// The zone of the baby, where the log knows it.
    private func knownZone(of baby: String) throws -> String? {
        guard zones.zone == nil else { return nil }
        let log = try log.open(.read)
        return try mappingLogErrors {
            try CareReading(log, MomentOptions.parse([])).profile(baby).zone
        }
    }

    private func show(_ outcome: ImportJob.Outcome) {
        Output.note(outcome: "the import is done")
        if output.json {
            Output.json(outcome.json)
        } else {
            Output.line(
                "\(outcome.rows) rows: \(outcome.accepted) accepted, \(outcome.changed) changed, "
                    + "\(outcome.duplicates) known already, \(outcome.rejected.count) rejected")
        }
        for rejected in outcome.rejected {
            StandardError.message(
                "\(file):\(rejected.line): row \(rejected.row): \(rejected.message)")
        }
        if !outcome.rejected.isEmpty { Failure(.finding).end() }
    }
}

/// Appends the rows of a file.
struct ImportJob {
    let plan: CareImport
    let zone: Zone
    let by: String?
    let file: Digest

    struct Rejected {
        var row: Int
        var line: Int
        var code: String
        var message: String
    }

    struct Outcome {
        var rows = 0
        var accepted = 0
        var changed = 0
        var duplicates = 0
        var rejected: [Rejected] = []

        var json: String {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("rows", Int64(rows))
                writer.member("accepted", Int64(accepted))
                writer.member("changed", Int64(changed))
                writer.member("duplicates", Int64(duplicates))
                writer.name("rejected")
                writer.array { writer in
                    for rejected in rejected {
                        writer.object { writer in
                            writer.member("row", Int64(rejected.row))
                            writer.member("line", Int64(rejected.line))
                            writer.member("code", rejected.code)
                            writer.member("reason", rejected.message)
                        }
                    }
                }
            }
            return writer.text
        }
    }

    /// Decides all rows and appends them in one transaction; again where others came between.
    func run(_ log: EventLog, _ catalogue: Catalogue) throws -> Outcome {
        try mappingLogErrors { try log.reindex() }
        for _ in 0..<100 {
            do throws(AppendError) {
                let outcome = try attempt(log, catalogue)
                return outcome
            } catch .conflict {
                continue
            } catch {
                throw error.failure("nothing was imported")
            }
        }
        throw Failure(.log, "other writers overtook a hundred attempts; nothing was imported")
    }

    private func attempt(
        _ log: EventLog, _ catalogue: Catalogue
    ) throws(AppendError) -> Outcome {
        var batch = DecisionBatch(log, catalogue)
        var outcome = Outcome()
        outcome.rows = plan.rows.count
        let identities = plan.identities()
        let origins = identities.compactMap { $0 }.flatMap { [$0.origin, $0.formerOrigin] }
        // Before anything is read, so that what comes after it is noticed.
        try batch.require(noneSince: BabyCare.query(ofRows: origins, of: [plan.babyId]))
        var state = try known(log, catalogue)
        let otherIds = state.profile.ids.filter { $0 != plan.babyId }
        try batch.require(noneSince: BabyCare.query(ofRows: origins, of: otherIds))
        var isKnown: [Bool] = []
        var refusals: [Int: String] = [:]
        for (index, identity) in identities.enumerated() {
            do throws(AppendError) {
                isKnown.append(
                    try identity.map { (identity) throws(AppendError) in
                        try log.receipt(for: identity.idempotency) != nil
                    } ?? false)
            } catch .keyReused {
                isKnown.append(true)
                refusals[index] = "was imported before in another zone or unit"
            }
        }
        let changes = plan.changes(
            identities, isKnown: isKnown, among: Array(state.entries.values))
        var ids = EntryIds()
        for (index, row) in plan.rows.enumerated() {
            let reject = { (code: String, message: String, outcome: inout Outcome) in
                outcome.rejected.append(
                    Rejected(row: row.row, line: row.line, code: code, message: message))
            }
            guard case .success(let content) = row.result, let identity = identities[index] else {
                if case .failure(let reason) = row.result {
                    reject(reason.code, reason.description, &outcome)
                }
                continue
            }
            if let refusal = refusals[index] {
                reject("otherZone", refusal, &outcome)
                continue
            }
            guard !isKnown[index] else {
                outcome.duplicates += 1
                continue
            }
            if let refused = try introduce(content, &state, &batch) {
                reject(refused.code, refused.message, &outcome)
                continue
            }
            let entryId = ids.next(identity, content.entries) { state.entry($0) != nil }
            switch try decide(content, identity, entryId, changes[index], &batch) {
            case .refused(let refused): reject(refused.code, refused.message, &outcome)
            case .events:
                if changes[index].isEmpty { outcome.accepted += 1 } else { outcome.changed += 1 }
            }
        }
        if outcome.accepted + outcome.changed > 0 { try note(outcome, &batch) }
        _ = try batch.append()
        return outcome
    }

    /// Everything the log knows of the baby.
    private func known(
        _ log: EventLog, _ catalogue: Catalogue
    ) throws(AppendError) -> BabyCare.State {
        var state = BabyCare.State.blank
        let reader = KindReader<BabyCare.Event>()
        var profile = Household.Profile.blank
        profile.babyId = plan.babyId
        do throws(LogError) {
            let items = profile.items + (BabyCare.query(profile).items ?? [])
            guard let query = Query(items: items) else { return state }
            try log.read(query) { (event) throws(LogError) in
                do throws(FoldError) {
                    let newest = try catalogue.upcast(event)
                    guard let known = try reader.read(newest) else { return true }
                    BabyCare.evolve(&state, with: known, newest.envelope)
                } catch {
                    throw .fold(error)
                }
                return true
            }
        } catch {
            throw .log(error)
        }
        return state
    }

    /// Makes the baby if it is new, and remembers which child of the file it is.
    private func introduce(
        _ content: CareFile.Content, _ state: inout BabyCare.State, _ batch: inout DecisionBatch
    ) throws(AppendError) -> EventSourcing.Refusal? {
        let format = plan.format.name
        let remembered = state.profile.sourceBabyIds[format]
        if let remembered, let id = content.sourceBabyId, id != remembered {
            return EventSourcing.Refusal(
                "otherChild",
                "is about the child '\(id.prefix(60))'; this baby is '\(remembered)'")
        }
        let isNew = content.sourceBabyId != nil && remembered == nil
        guard !state.profile.isKnown || isNew else { return nil }
        var body = Household.BabyProfileChanged {
            $0.babyId = plan.babyId
            $0.by = by.map { Author($0) }
        }
        if !state.profile.isKnown { body.zone = zone.name }
        if let id = content.sourceBabyId { body.sourceBabyIds = [format: id] }
        let outcome = try batch.decide(
            PendingCommand(body, context: context(EventLog.systemTime())),
            metadata: CommitMetadata(actor: by ?? ""), idempotency: nil)
        if case .refused(let refused) = outcome { return refused }
        state.profile.isKnown = true
        state.profile.sourceBabyIds.merge(body.sourceBabyIds) { _, new in new }
        return nil
    }

    private func decide(
        _ content: CareFile.Content, _ identity: CareImport.Identity, _ entryId: String,
        _ changes: [String], _ batch: inout DecisionBatch
    ) throws(AppendError) -> EventSourcing.Outcome {
        var entries = content.entries
        var caregiver = content.caregiver.map { PersonalText($0) }
        if plan.format == .babyAI, let user = content.caregiver {
            // A user id, and no name.
            for index in entries.indices { entries[index].meta["createdBy"] = user }
            caregiver = nil
        }
        let body = BabyCare.ImportRow {
            $0.babyId = plan.babyId
            $0.entryId = entryId
            $0.origin = identity.origin
            $0.entries = entries
            $0.changes = changes
            $0.caregiver = caregiver
            $0.source = content.source ?? .imported
            $0.by = by.map { Author($0) }
        }
        // It became known to the person when it was over, whatever the time of the import.
        let first = entries.first
        let now = content.created ?? first?.ended ?? first?.started ?? EventLog.systemTime()
        return try batch.decide(
            PendingCommand(body, context: context(now)),
            metadata: CommitMetadata(actor: by ?? ""), idempotency: identity.idempotency)
    }

    private func note(
        _ outcome: Outcome, _ batch: inout DecisionBatch
    ) throws(AppendError) {
        let body = BabyCare.DataImported {
            $0.babyId = plan.babyId
            $0.format = plan.format
            $0.sha256 = file
            $0.zone = zone.name
            $0.rows = Int64(outcome.rows)
            $0.accepted = Int64(outcome.accepted)
            $0.changed = Int64(outcome.changed)
            $0.duplicates = Int64(outcome.duplicates)
            $0.rejected = outcome.rejected.map { rejected in
                BabyCare.RejectedRow {
                    $0.row = Int64(rejected.row)
                    $0.reason = rejected.code
                }
            }
            $0.by = by.map { Author($0) }
        }
        _ = try batch.decide(
            PendingCommand(body, context: context(EventLog.systemTime())),
            metadata: CommitMetadata(actor: by ?? ""), idempotency: nil)
    }

    private func context(_ now: Instant) -> CommandContext {
        CommandContext(now: now, zone: zone.name, offsetS: Int32(zone.offsetS(at: now)))
    }
}
