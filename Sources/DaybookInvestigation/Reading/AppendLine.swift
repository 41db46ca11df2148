public import Daybook
public import DaybookLog
public import DaybookScenarios

/// A command or an event as a line of JSON, in the form that `append` takes.
public struct AppendLine: Sendable {
    public enum Body: Sendable {
        case command(any PendingDecision)
        case event(NewEvent)
    }

    public var number: Int
    /// The name of the command, or the kind of the event.
    public var name: String
    public var body: Body
    /// The time by the device's clock; that of the reading where the line has none.
    public var time: Instant
    public var metadata: CommitMetadata
    public var idempotency: AppendRequest.Idempotency?
    /// The fields of the command or event as they were given.
    public var data: Tree
    /// Position after which an altered history has the event.
    public var after: Int64?
    /// The event is appended where this holds.
    public var condition: AppendCondition?
}

extension AppendLine {
    /// Refuses events that no log can hold, with the field whose id makes no tag.
    public func check(_ events: [NewEvent]) throws(InputError) {
        for tag in events.lazy.flatMap(\.tags) where !tag.isValid {
            let reason =
                tag.id.isEmpty
                ? "an id is not empty"
                : "an id has no control character, and with its noun at most 255 bytes"
            throw InputError(
                "\(JSONWriter.text(tag.text)) is no tag: \(reason)", line: number,
                field: field(of: String(tag.id)))
        }
    }

    /// The fault of the line where its command is refused for an id that makes no tag; `nil` for
    /// another refusal.
    public func fault(_ refused: Daybook.Refusal) -> InputError? {
        refused.code == Daybook.Refusal.invalidTag ? fault(refused.message) : nil
    }

    /// The fault of the line for a reason that quotes the tag which no log can hold.
    public func fault(_ reason: String) -> InputError {
        guard case .map(let members) = data.content else {
            return InputError(reason, line: number)
        }
        let member = members.first { member in
            guard case .text(let text) = member.value.content else { return false }
            return reason.contains(":" + JSONWriter.text(text).dropFirst() + " is no tag")
        }
        return InputError(
            reason, line: number, field: member.map { "data.\($0.key)" } ?? "data")
    }

    /// The field that has an id; that of all the data where none has.
    private func field(of id: String) -> String {
        guard case .map(let members) = data.content else { return "data" }
        let member = members.first { member in
            if case .text(let text) = member.value.content { return Tag("id", text).id == id }
            return false
        }
        return member.map { "data.\($0.key)" } ?? "data"
    }
}

/// Reads lines of commands and events.
public struct AppendLineReader: Sendable {
    private let catalogue: Catalogue
    private let rules: InputRules
    private let zones: @Sendable () -> ZoneSource?

    /// - Parameters:
    ///   - rules: those of history for lines that no log takes in.
    ///   - zones: gives the tz database; `nil` where none is at hand.
    public init(
        _ catalogue: Catalogue, rules: InputRules = .standard,
        zones: @escaping @Sendable () -> ZoneSource?
    ) {
        self.catalogue = catalogue
        self.rules = rules
        self.zones = zones
    }

    /// The rules with the tz database that names of zones are looked up in.
    private var rulesWithZones: InputRules { rules.with(zones()) }

    /// - Parameter now: the time of a line without one.
    public func read(_ bytes: [UInt8], line number: Int, now: Instant) throws(InputError)
        -> AppendLine
    {
        let tree = try JSONParser.parse(bytes, line: number)
        let head = try TreeReader.read(AppendHead.self, from: tree, rules: rulesWithZones)
        var now = now
        var offsetS: Int32?
        if let at = head.at {
            guard let time = Timestamp.parse(at) else {
                throw InputError(
                    "expected an RFC 3339 time like 2026-07-12T12:00:00Z, found \"\(at)\"",
                    line: number, field: "at")
            }
            if rules.checksLimits {
                try AppendHead.check(time.instant, time.offsetS, at, number)
            }
            now = time.instant
            if Timestamp.namesOffset(at) { offsetS = Int32(time.offsetS) }
        }
        let context = CommandContext(
            now: now, zone: head.zone ?? "", namedOffsetS: offsetS, zones: zones())
        if let key = head.key, !(1...255).contains(key.utf8.count) {
            throw InputError(
                "expected 1 to 255 bytes, found \(key.utf8.count)", line: number, field: "key")
        }
        if let causation = head.causation, causation < 1 {
            throw InputError(
                "expected a position, from 1, found the number \(causation)", line: number,
                field: "causation")
        }
        if let after = head.after, after < 0 {
            throw InputError(
                "expected a position, from 0, found the number \(after)", line: number,
                field: "after")
        }
        guard let data = tree["data"], case .map = data.content else {
            throw InputError("expected an object", line: number, field: "data")
        }
        return AppendLine(
            number: number, name: head.command ?? head.event ?? "",
            body: try body(head, data, context, number), time: context.now,
            metadata: CommitMetadata(
                actor: head.actor ?? "", device: head.device ?? "",
                correlation: head.correlation ?? "",
                causation: head.causation.map { Position(UInt64($0)) }),
            idempotency: head.key.map {
                AppendRequest.Idempotency(key: $0, asked: asked(head, data))
            }, data: data, after: head.after,
            condition: try condition(tree["failIfEventsMatch"], head, number))
    }

    /// The kinds that this program knows, in all their layouts.
    private var knownKinds: Set<EventKind> {
        Set(catalogue.events.keys).union(catalogue.upcasters.keys)
    }

    private func condition(
        _ tree: Tree?, _ head: AppendHead, _ number: Int
    ) throws(InputError) -> AppendCondition? {
        let field = "failIfEventsMatch"
        guard let tree, tree.content != .null else { return nil }
        guard head.command == nil else {
            throw InputError(
                "belongs to event lines; a command depends on what its rule depends on",
                line: number, field: field)
        }
        let input = try TreeReader.read(
            ConditionInput.self, from: tree, field: field, rules: .standard)
        guard let query = tree["query"] else {
            throw InputError("is missing", line: number, field: "\(field).query")
        }
        if let after = input.after, after < 0 {
            throw InputError(
                "expected a position, from 0, found the number \(after)", line: number,
                field: "\(field).after")
        }
        return AppendCondition(
            try QueryInput.read(query, field: "\(field).query", known: knownKinds),
            after: Position(UInt64(input.after ?? 0)))
    }

    private func body(
        _ head: AppendHead, _ data: Tree, _ context: CommandContext, _ number: Int
    ) throws(InputError) -> AppendLine.Body {
        switch (head.command, head.event) {
        case (let name?, nil):
            guard let command = catalogue.commands[name] else {
                let area = name.prefix { $0 != "." }
                let known = catalogue.commands.keys.filter { $0.hasPrefix(area + ".") }.sorted()
                let all = known.isEmpty ? catalogue.commands.keys.sorted() : known
                let hint = NearestNames.hint(for: name, in: catalogue.commands.keys)
                throw InputError(
                    "there is no command \"\(name)\""
                        + (hint == "." ? "; expected \(all.joined(separator: ", "))" : hint),
                    line: number, field: "command")
            }
            return .command(try command.read(data, "data", rulesWithZones, context))
        case (nil, let name?):
            guard let kind = EventKind(name), let event = catalogue.events[kind] else {
                let known = catalogue.events.keys.map(\.name)
                let hint = NearestNames.hint(for: name, in: known)
                throw InputError(
                    "there is no kind of event \"\(name)\"" + (hint == "." ? "" : hint),
                    line: number, field: "event")
            }
            var new = try event.read(data, "data", rulesWithZones)
            new.occurredAt = context.now
            new.zone = context.zone
            new.offsetS = context.offsetS
            return .event(new)
        default:
            throw InputError(
                "expected either \"command\" or \"event\"", line: number, field: "")
        }
    }

    /// Canonical bytes of the request, for the key's digest: the line without its times and key.
    private func asked(_ head: AppendHead, _ data: Tree) -> [UInt8] {
        Array("\(head.command ?? "")\u{0}\(head.event ?? "")\u{0}\(data.canonicalText)".utf8)
    }
}

/// The members of a line beside its data.
private struct AppendHead: Record {
    var command: String?
    var event: String?
    var at: String?
    var zone: String?
    var actor: String?
    var device: String?
    var correlation: String?
    var causation: Int64?
    var key: String?
    var after: Int64?
    private var failIfEventsMatch: Unread?
    private var data = Unread()

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("command", &command)
        try field("event", &event)
        try field("at", &at)
        try field("zone", &zone, .zone)
        try field("actor", &actor)
        try field("device", &device)
        try field("correlation", &correlation)
        try field("causation", &causation)
        try field("key", &key)
        try field("after", &after)
        try field("failIfEventsMatch", &failIfEventsMatch)
        try field("data", &data)
    }
}

extension AppendHead {
    /// Refuses a moment outside the years 1900 to 2199, and an offset of more than 18 hours.
    fileprivate static func check(
        _ instant: Instant, _ offsetS: Int, _ text: String, _ line: Int
    ) throws(InputError) {
        let expectation =
            Limit.moment.expectation(of: instant.microseconds)
            ?? Limit.offsetS.expectation(of: Int64(offsetS)).map { _ in
                "expected an offset of at most 18 hours"
            }
        guard let expectation else { return }
        throw InputError("\(expectation), found \"\(text)\"", line: line, field: "at")
    }
}
