import Daybook
import DaybookInput
import DaybookInvestigation
import TestSupport
import Testing

@testable import DaybookModel

/// Facts with any values in a log: whatever is asked of it has an answer or a typed error.
///
/// A trap ends the process, and the seed is the test's argument. `tools/attack-facts` does the same
/// through the tool, for as long as wanted.
@Suite struct FactAttackTests {
    private static let catalogue = Result { try Catalogue(Catalog.areas) }
    private static let keys = ["a", "b", "c"]

    @Test("Any stored facts are survived", arguments: Cases.sample(UInt64(1)...60))
    func survives(seed: UInt64) throws {
        let catalogue = try Self.catalogue.get()
        var attack = Attack(seed: seed, catalogue)
        for _ in 0..<80 { try attack.addFact() }
        #expect(attack.count == 80)
        for _ in 0..<2 { for name in attack.commands { try attack.give(name) } }
        try attack.fold()
        try attack.report()
        try attack.audit()
        try attack.makeIssuedAgain()
    }

    @Test("An audit reads no event of a kind that it ignores")
    func ignoredKinds() throws {
        let catalogue = try Self.catalogue.get()
        var attack = Attack(seed: 0, catalogue)
        for _ in 0..<2_000 { try attack.addFact() }
        let tags = attack.nouns.compactMap { Tag("\($0):a") }
        #expect(tags.count > 20)
        let unreadable = [UInt8](repeating: 0xFF, count: 12)
        let envelope = Envelope(
            position: Position(1), occurredAt: Instant(microseconds: 0),
            recordedAt: Instant(microseconds: 0))
        var ignored = 0
        for (kind, event) in catalogue.events {
            #expect(throws: CorruptPayload.self) {
                _ = try unsafe event.outOfLimitsAndAuthor(unreadable.contents.bytes)
            }
            for description in catalogue.audits.values {
                var audit = description.make(AuditContext(digest: { _ in 0 }))
                guard audit.ignores(kind) else { continue }
                ignored += 1
                let stored = RecordedEvent(
                    envelope: envelope, kind: kind, tags: tags, zone: "", payload: unreadable)
                #expect(throws: Never.self, "\(description.name) reads \(kind)") {
                    try audit.check(stored, actor: "a")
                }
            }
        }
        #expect(ignored > 1_000)
    }

    @Test(
        "Two replacements of one id let commands about it be decided",
        arguments: [
            ["household", "h"], ["baby", "b"], ["careEntry", "e"],
        ])
    func doubleReplacement(noun: [String]) throws {
        let catalogue = try Self.catalogue.get()
        var attack = Attack(seed: 1, catalogue)
        for other in ["r1", "r2", noun[1]] {
            for from in [noun[1], "r1", "r2"] {
                attack.add(
                    Household.IdReplaced(
                        kind: try #require(Household.EntityKind(name: noun[0])), localId: from,
                        remoteId: other))
            }
        }
        let changes = [
            Household.BabyProfileChanged(babyId: "b", weightG: 4_000),
            Household.BabyProfileChanged(babyId: "r2", weightG: 4_000),
        ]
        for change in changes {
            let decision = PendingCommand(
                change, context: CommandContext(now: Instant(microseconds: 0)))
            #expect(try attack.decide(decision) != .events([]))
        }
    }
}

/// A log in memory under attack.
private struct Attack {
    private let catalogue: Catalogue
    private let kinds: [EventDescription]
    let commands: [String]
    private var sampler: SchemaSampler
    private var events: [RecordedEvent] = []
    private var recordedUs = Sampler.earliestUs

    var count: Int { events.count }
    /// Nouns of the tags of all events.
    var nouns: Set<String> { Set(events.flatMap(\.tags).map { String($0.noun) }) }

    init(seed: UInt64, _ catalogue: Catalogue) {
        self.catalogue = catalogue
        sampler = SchemaSampler(seed: seed, calm: [3, 8, 40][Int(seed % 3)])
        // Most logs keep to one area, so that facts meet.
        let areas = ["", "baby-care household", "running", "session", "launch", "baby-care"]
        let area = areas[Int(seed / 3) % areas.count].split(separator: " ")
        let isIn = { (name: String) in
            area.isEmpty || area.contains { name.hasPrefix("\($0).") }
        }
        kinds = catalogue.events.values.filter { isIn($0.kind.name) }.sorted { $0.kind < $1.kind }
        commands = catalogue.commands.keys.filter(isIn).sorted()
    }

    private static let rules = InputRules(
        digest: { text in text.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } }, normalise: { $0 })

    mutating func addFact() throws {
        let description = sampler.pick(kinds)
        let tree = sampler.tree(of: description.fields)
        append(try description.read(tree, "", Self.rules.ofHistory))
    }

    mutating func add(_ payload: some EventPayload) {
        append(NewEvent(payload, occurredAt: Instant(microseconds: 0)))
    }

    private mutating func append(_ new: NewEvent) {
        recordedUs = sampler.isExtreme() ? max(recordedUs, sampler.moment()) : recordedUs
        let envelope = Envelope(
            position: Position(UInt64(events.count) + 1),
            occurredAt: Instant(microseconds: sampler.moment()),
            recordedAt: Instant(microseconds: recordedUs),
            offsetS: sampler.isExtreme() ? sampler.pick([.min, .max, 0]) : 0)
        events.append(
            RecordedEvent(
                envelope: envelope, kind: new.kind, tags: new.tags.filter(\.isValid),
                zone: new.zone, payload: new.payload))
    }

    mutating func give(_ name: String) throws {
        let command = try #require(catalogue.commands[name])
        let context = CommandContext(now: Instant(microseconds: sampler.moment()), zone: "UTC")
        let tree = sampler.tree(of: command.fields)
        let decision = try command.read(tree, "", Self.rules.ofHistory, context)
        if case .events(let new) = try decide(decision) { new.forEach { append($0) } }
    }

    mutating func decide(_ decision: any PendingDecision) throws -> Outcome {
        try decide(opened: decision)
    }

    private func decide(opened decision: some PendingDecision) throws -> Outcome {
        var decision = decision
        _ = try decision.gather { (query, decision) throws(FoldError) in
            for event in events where query.matches(kind: event.kind, tags: event.tags) {
                try decision.fold(event)
            }
        }
        return decision.outcome()
    }

    /// Every projection of every entity, under every rule, with its state machine, and the pairs of
    /// events that may change places.
    func fold() throws {
        let identities = try Identities(events, in: catalogue)
        for projection in catalogue.projections.values {
            for rules in projection.rules {
                var walk = EntityWalk(of: projection, identities)
                if walk.needsReadAhead { events.forEach { walk.readAhead($0) } }
                var matrix = catalogue.machines[projection.name]
                    .map { TransitionMatrix($0, of: projection, rules: rules) }
                var safety = OrderSafety(of: projection, rules, in: catalogue)
                var timelines: [String: Timeline] = [:]
                for event in events where projection.kinds.contains(event.kind) {
                    let keys = walk.keys(of: event)
                    try safety.apply(event, keys)
                    for key in keys {
                        try matrix?.apply(event.view, key)
                        _ = try timelines[
                            key, default: Timeline(of: projection, rules: rules)
                        ].advance(with: event)
                    }
                }
                try check(projection, rules, identities)
            }
        }
    }

    /// A state is the same when its bytes are read back, whatever is in it.
    private func check(
        _ projection: ProjectionDescription, _ rules: RuleSet, _ identities: Identities
    ) throws {
        for key in ["a", "b", "c"] {
            var fold = projection.fold(rules)
            for event in try EntityWalk.events(
                of: projection, key, among: events, in: catalogue)
            {
                try fold.apply(event)
            }
            var again = projection.fold(rules)
            try unsafe again.restore(fold.bytes.span.bytes)
            #expect(again.json == fold.json)
            _ = identities.all(projection.noun, key)
        }
    }

    mutating func report() throws {
        let zones = try ZoneFiles.source()
        for report in catalogue.reports.values.sorted(by: { $0.name < $1.name }) {
            for _ in 0..<6 {
                let context = ReportContext(
                    rules: sampler.pick([.standard, .source]), zones: zones,
                    position: Position(UInt64(events.count)),
                    knownAt: Instant(microseconds: sampler.moment()))
                let arguments = sampler.tree(of: report.arguments)
                do throws(ReportError) {
                    _ = try report.answer(arguments, "", Self.rules, events, context)
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }

    mutating func audit() throws {
        let context = AuditContext(
            zones: try ZoneFiles.source(), zone: sampler.pick([nil, "UTC", "Asia/Seoul"]),
            digest: Self.rules.digest)
        let actors = events.map { _ in sampler.pick(["", "a", "b"]) }
        for description in catalogue.audits.values {
            let whole = try result(of: description, context, actors) { _ in true }
            var audit = description.make(context)
            for event in events where description.kindsReadAhead.contains(event.kind) {
                try audit.readAhead(event)
            }
            let partial = try result(of: description, context, actors) { !audit.ignores($0) }
            #expect(partial == whole, "\(description.name) ignores a kind that it reads")
        }
    }

    /// The findings of one audit over the events of the kinds for which `isRead` is true.
    private func result(
        of description: AuditDescription, _ context: AuditContext, _ actors: [String],
        _ isRead: (EventKind) -> Bool
    ) throws -> AuditResult {
        var run = AuditRun([description], context)
        for event in events where run.kindsReadAhead.contains(event.kind) {
            try run.readAhead(event)
        }
        for (event, actor) in zip(events, actors) where isRead(event.kind) {
            try run.check(event, actor: actor)
        }
        return run.finish()
    }

    /// Makes every publication again from all events.
    func makeIssuedAgain() throws {
        let zones = try ZoneFiles.source()
        let context = ReportContext(
            rules: .standard, zones: zones, position: Position(UInt64(events.count)),
            knownAt: Instant(microseconds: recordedUs))
        let identities = try Identities(events, in: catalogue)
        for event in events {
            let payload = unsafe event.payload.contents.bytes
            let issued = try catalogue.publications[event.kind]?.readPublication(payload) {
                identities.all($0, $1)
            }
            for variant in issued?.variants ?? [] {
                do throws(ReportError) {
                    _ = try variant.make(events, context)
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }
}
