import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import Playback
import ReplayCommands

extension OpenBaby {
    /// Appends that the report was handed out, once it was: what it says is written and durable.
    ///
    /// The same report of the same events is issued to the same user once, however often the
    /// command is run, so that one that was killed can be run again. Other events between, which
    /// the report does not depend on, and the issuing itself make no other report of it; an event
    /// that it depends on does, even where it says the same again after that.
    func issue(
        _ kind: BabyCare.ReportKind, _ period: String, _ report: some Record, by: String?
    ) throws {
        Output.makeDurable()
        let body = BabyCare.ReportIssued {
            $0.babyId = profile.babyId
            $0.kind = kind
            $0.period = period
            $0.zone = zone.name
            $0.tzdata = tzdata
            $0.rules = Rules(rules)
            $0.position = Int64(clamping: reading.through.rawValue)
            $0.digest = Digest(bits: InputRules.standard.digest(JSONWriter.text(report)))
            $0.by = by.map { Author($0) }
        }
        let now = EventLog.systemTime()
        let decision = PendingCommand(
            body,
            context: CommandContext(
                now: now, zone: zone.name, offsetS: Int32(zone.offsetS(at: now))))
        let asked = try mappingLogErrors { try identity(of: body, report) }
        let receipt = try decideOrFail(
            decision, on: log, by: by, reading.catalogue,
            once: AppendRequest.Idempotency(
                key: "report-issued/\(CareImport.plainDigest(of: asked))", asked: asked))
        if let receipt, receipt.isRepeated {
            StandardError.message(
                "\(kind.name) report of '\(profile.babyId)', \(period): issued already, at "
                    + "position \(receipt.first)")
        }
    }

    /// The identity of an issue: what was asked, the last event that the answer depends
    /// on, and what it says beside when it was made.
    private func identity(of body: BabyCare.ReportIssued, _ report: some Record) throws -> [UInt8] {
        var body = body
        body.position = try lastDependency(of: body)
        body.digest = .blank
        let leaves = FlatFields.of(report).filter { !BabyCare.momentFields.contains($0.path) }
        return BinaryWriter.bytes(body)
            + leaves.flatMap { leaf in Array("\u{0}\(leaf.path)\u{0}\(leaf.value)".utf8) }
    }

    private func lastDependency(of body: BabyCare.ReportIssued) throws -> Int64 {
        guard let issuing = reading.catalogue.issuing[BabyCare.ReportIssued.kind] else { return 0 }
        let bytes = BinaryWriter.bytes(body)
        let answer = try unsafe issuing.answer(bytes.contents.bytes) { noun, id in
            noun == "baby" ? profile.ids : [id]
        }
        guard let answer else { return 0 }
        let events = try log.events(
            answer.query, withEntities: answer.entityNoun, kinds: BabyCare.entryHistoryKinds,
            through: reading.through)
        return events.lazy.filter { reading.catalogue.issuing[$0.kind] == nil }
            .map { Int64(clamping: $0.position.rawValue) }.max() ?? 0
    }
}
