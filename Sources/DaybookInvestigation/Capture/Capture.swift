public import Daybook
import DaybookInput
import DaybookScenarios

/// A scenario made from a log: given events of the log, it expects the states of their entities.
public struct Capture: Sendable {
    /// An event with its payload as JSON, in which personal texts are filled in.
    public struct Fact: Sendable {
        public var event: RecordedEvent
        public var payloadJSON: String

        public init(event: RecordedEvent, payloadJSON: String) {
            self.event = event
            self.payloadJSON = payloadJSON
        }
    }

    /// An entity whose state the scenario expects.
    public struct Entity: Hashable, Sendable {
        public var projection: String
        /// Newest id of the entity.
        public var key: String

        public init(projection: String, key: String) {
            self.projection = projection
            self.key = key
        }
    }

    /// A command that is refused after the given events.
    public struct RefusedCommand: Sendable {
        public var command: String
        /// Input of the command as a JSON object.
        public var inputJSON: String
        /// Time of the command by the device's clock.
        public var at: Instant
        public var code: String

        public init(command: String, inputJSON: String, at: Instant, code: String) {
            self.command = command
            self.inputJSON = inputJSON
            self.at = at
            self.code = code
        }
    }

    private let title: String
    private var refused: RefusedCommand?
    private var facts: [Fact]
    private var entities: [Entity]
    private let catalogue: Catalogue
    private let rules: RuleSet

    /// Creates a scenario of events in the order of the log, in their newest schema versions.
    public init(
        _ title: String, _ facts: [Fact], _ entities: [Entity], _ rules: RuleSet,
        _ catalogue: Catalogue, refused: RefusedCommand? = nil
    ) {
        self.title = title
        self.refused = refused
        self.facts = facts
        self.entities = entities
        self.rules = rules
        self.catalogue = catalogue
    }

    /// Replaces ids and texts with meaningless names, and shifts the coordinates of places.
    ///
    /// Equal values get equal names.
    ///
    /// - Parameter isZone: returns `true` for names of time zones, which are kept.
    public mutating func pseudonymise(
        isZone: @escaping @Sendable (String) -> Bool
    ) throws(InputError) {
        var pseudonyms = Pseudonyms(catalogue, isZone: isZone)
        for tag in facts.flatMap(\.event.tags) {
            let (noun, id) = (String(tag.noun), String(tag.id))
            // Some tags name no entity.
            guard !id.contains("/"), !catalogue.plainNouns.contains(noun) else { continue }
            pseudonyms.add(id, noun: noun)
        }
        var trees: [Tree] = []
        for fact in facts { trees.append(try JSONParser.parse(fact.payloadJSON.utf8)) }
        let command = try refused.map { (refused) throws(InputError) in
            try JSONParser.parse(refused.inputJSON.utf8)
        }
        // Ids without a tag in the slice belong to other entities.
        for tree in trees { pseudonyms.addIDs(of: tree) }
        if let command { pseudonyms.addIDs(of: command) }
        for index in facts.indices {
            guard let description = catalogue.events[facts[index].event.kind] else { continue }
            pseudonyms.rename(&trees[index], description.fields)
            facts[index].payloadJSON = trees[index].canonicalText
        }
        if let refused, let description = catalogue.commands[refused.command] {
            if var tree = command {
                pseudonyms.rename(&tree, description.fields)
                self.refused?.inputJSON = tree.canonicalText
            }
        }
        entities = entities.map {
            Entity(projection: $0.projection, key: pseudonyms.replacement(of: $0.key))
        }
        for index in facts.indices where !isZone(facts[index].event.zone) {
            facts[index].event.zone = ""
        }
    }

    /// Returns the scenario as YAML. It expects the states that a run of the scenario produces.
    ///
    /// Fields that depend on when the log recorded an event are not reproduced by the scenario.
    /// They are left out, and a comment names them.
    ///
    /// - Parameter states: states of the entities in the log, as JSON.
    public func text(states: [Entity: String], zones: ZoneSource?) throws(InputError) -> String {
        let given = try header()
        guard let kind = facts.first?.event.kind ?? catalogue.events.keys.min() else {
            throw InputError(
                "expected events to capture, or an event kind in the catalogue; found neither")
        }
        // A scenario needs a check; this one always holds, because no event follows.
        let probe = try ScenarioFile.parse(
            given + "when: []\nthen:\n  - count: {\(kind): 0}\n", path: "capture",
            catalogue: catalogue
        ) { (name) throws(InputError) in
            throw InputError("a captured scenario cannot refer to the file '\(name)'", file: name)
        }
        let results = try ScenarioRunner(catalogue: catalogue, zones: zones).run(probe)
        let events = results.first?.events.map(\.recorded) ?? []
        let folds: [String: EntityFolds<Void>]
        do throws(FoldError) { folds = try self.folds(of: events) } catch {
            throw InputError("\(error)")
        }
        var checks: [String] = []
        for entity in entities {
            guard let own = folds[entity.projection], let number = own.numbers[entity.key]
            else { continue }
            let made = try JSONParser.parse(own.entities[number].fold.json.utf8)
            let known = try states[entity].map { (json) throws(InputError) in
                try JSONParser.parse(json.utf8)
            }
            var omitted: [String] = []
            let kept = known.map { made.common(with: $0, "", &omitted) } ?? made
            let fields = catalogue.projections[entity.projection]?.fields ?? []
            if !omitted.isEmpty {
                checks.append(
                    "  # not shown by facts: \(omitted.joined(separator: ", ").visible)\n")
            }
            let shown = kept.writingMoments(of: fields).canonicalText
            checks.append(
                "  - state:\n      of: \(entity.projection)\n      key: "
                    + "\(JSONWriter.text(entity.key))\n      is: \(shown)\n"
                    .withHiddenTextEscapedForYAML)
        }
        guard let refused else { return given + "when: []\n\nthen:\n" + checks.joined() }
        return given + """
            when:
              - name: refused
                at: \(Timestamp.text(refused.at))
                command: \(refused.command)
                with: \(try inputText(of: refused).withHiddenTextEscapedForYAML)

            then:
              - refused: {step: refused, code: \(refused.code)}

            """ + checks.joined()
    }

    /// Folds the events into the states of all entities whose projections the scenario expects, by
    /// the projection's name.
    private func folds(
        of events: [RecordedEvent]
    ) throws(FoldError) -> [String: EntityFolds<Void>] {
        var folds: [String: EntityFolds<Void>] = [:]
        let events = try events.map { (event) throws(FoldError) in try catalogue.upcast(event) }
        let identities = try Identities(events, in: catalogue)
        for name in Set(entities.map(\.projection)) {
            guard let projection = catalogue.projections[name] else { continue }
            var own = EntityFolds<Void>(of: projection, rules)
            try EntityWalk.forEach(of: projection, in: events, identities) {
                (event, key) throws(FoldError) in
                try own.entities[own.number(of: key)].fold.apply(event)
            }
            folds[name] = own
        }
        return folds
    }

    /// Returns the beginning of the scenario: its title, settings and given events.
    private func header() throws(InputError) -> String {
        let zones = Dictionary(grouping: facts.map(\.event.zone).filter { !$0.isEmpty }) { $0 }
        let zone = zones.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? "UTC"
        let last = facts.map(\.event.envelope.occurredAt).max() ?? Instant(microseconds: 0)
        var text = "scenario: \(JSONWriter.text(title))\nsource: captured from a log\n"
        text += "rules: \(rules.name)\nclock: \(Timestamp.text(last))\n"
        text += "zone: \(YAMLScalar.text(of: .text(zone)))\n\n"
        text += facts.isEmpty ? "given: []\n" : "given:\n"
        for fact in facts {
            let time = Self.timeText(fact.event.envelope, zone)
            text += comment(on: fact) + "  - event: \(fact.event.kind)\n    at: \(time)\n"
            text += "    data: \(try payloadText(of: fact))\n"
        }
        return (text + "\n").withHiddenTextEscapedForYAML
    }

    /// Returns what a given event means, as a comment; empty if its payload cannot be read.
    private func comment(on fact: Fact) -> String {
        let envelope = fact.event.envelope
        guard let known = catalogue.events[fact.event.kind],
            let tree = try? JSONParser.parse(fact.payloadJSON.utf8),
            let event = try? known.read(tree, "data", .standard),
            let sentence = try? known.sentence(
                of: event.payload,
                Wording(occurredAt: envelope.occurredAt, offsetS: envelope.offsetS),
                { event.personal.indices.contains(Int($0)) ? event.personal[Int($0)].text : nil })
        else { return "" }
        return "  # \(sentence.text)\n"
    }

    /// Returns the payload of a given event as JSON, in which points in time are RFC 3339 texts.
    private func payloadText(of fact: Fact) throws(InputError) -> String {
        guard let fields = catalogue.events[fact.event.kind]?.fields else {
            return fact.payloadJSON
        }
        return try JSONParser.parse(fact.payloadJSON.utf8).writingMoments(of: fields).json
    }

    /// Returns the input of a command as JSON, in which points in time are RFC 3339 texts.
    private func inputText(of refused: RefusedCommand) throws(InputError) -> String {
        guard let fields = catalogue.commands[refused.command]?.fields else {
            return refused.inputJSON
        }
        return try JSONParser.parse(refused.inputJSON.utf8).writingMoments(of: fields).json
    }

    /// Returns the time of an event as RFC 3339, with the UTC offset of the device.
    ///
    /// - Parameter zone: the time zone of the scenario. If it is not UTC, a time in UTC ends in
    ///   `+00:00`, because the scenario would read `Z` as this zone's offset.
    private static func timeText(_ envelope: Envelope, _ zone: String) -> String {
        let offset = Int64(envelope.offsetS)
        let local = Timestamp.text(envelope.occurredAt.advanced(byMicroseconds: offset * 1_000_000))
        guard offset != 0 else { return zone == "UTC" ? local : local.dropLast() + "+00:00" }
        let minutes = offset.magnitude / 60
        let two = { (value: UInt64) in value < 10 ? "0\(value)" : "\(value)" }
        return local.dropLast() + (offset < 0 ? "-" : "+") + two(minutes / 60) + ":"
            + two(minutes % 60)
    }
}

extension Tree {
    /// Returns the members that are equal in both trees; `omitted` receives the other paths.
    fileprivate func common(with other: Tree, _ path: String, _ omitted: inout [String]) -> Tree {
        guard case .map(let members) = content, case .map = other.content else { return self }
        var kept: [Member] = []
        for member in members {
            let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
            guard let value = other[member.key] else {
                omitted.append(inner)
                continue
            }
            if member.value.canonicalText == value.canonicalText {
                kept.append(member)
            } else if case .map = member.value.content, case .map = value.content {
                kept.append(
                    Member(
                        key: member.key, value: member.value.common(with: value, inner, &omitted)))
            } else {
                omitted.append(inner)
            }
        }
        return Tree(.map(kept), line: line)
    }
}
