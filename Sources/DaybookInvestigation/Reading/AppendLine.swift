public import Daybook
public import DaybookInput
public import DaybookLog

/// A command or an event, parsed from a line of JSON that `append` reads.
public struct AppendLine: Sendable {
    /// The command or event of a line.
    package enum Body: Sendable {
        case command(any PendingDecision)
        case event(NewEvent)
    }

    /// Number of the line, from 1.
    public var number: Int
    /// Name of the command, or kind of the event.
    public var name: String
    package var body: Body
    /// Time of the command or event by the device's clock; the time of reading if the line states
    /// none.
    public var time: Instant
    /// Actor, device, correlation and causation of the commit that the line makes.
    public var metadata: CommitMetadata
    /// Idempotency key, with the request to which the key belongs; `nil` if the line has no key.
    public var idempotency: AppendRequest.Idempotency?
    /// The texts in the input of the command or in the payload of the event, by which an error
    /// finds the field with an id.
    package var texts: [(field: String, text: String)]
    /// Position after which the event is inserted into an altered history; `nil` if not given.
    public var after: Int64?
    public var condition: AppendCondition?
}

extension AppendLine {
    /// Throws if an event has an invalid tag, which a log cannot store.
    ///
    /// The error names the field of the line that contains the id of the tag.
    public func check(_ events: [NewEvent]) throws(InputError) {
        for tag in events.lazy.flatMap(\.tags) where !tag.isValid {
            let reason =
                tag.id.isEmpty
                ? "an id must not be empty"
                : "an id must not contain control characters, and a tag has at most 255 bytes"
            throw InputError(
                "\(JSONWriter.text(tag.text)) is not a tag: \(reason)", line: number,
                field: field(of: String(tag.id)))
        }
    }

    /// Returns an error with line and field if the command was refused for an invalid tag; else
    /// `nil`.
    public func fault(_ refused: Daybook.Refusal) -> InputError? {
        refused.code == Daybook.Refusal.invalidTag ? fault(refused.message) : nil
    }

    /// Returns an error with the line and the field that has the id of the tag that `reason`
    /// quotes.
    public func fault(_ reason: String) -> InputError {
        let named = texts.first {
            reason.contains(":" + JSONWriter.text($0.text).dropFirst() + " is not a tag")
        }
        return InputError(reason, line: number, field: named.map { "data.\($0.field)" } ?? "data")
    }

    /// Returns the path of the field that contains an id; `data` if no field contains it.
    private func field(of id: String) -> String {
        texts.first { Tag("id", $0.text).id == id }.map { "data.\($0.field)" } ?? "data"
    }
}

/// A parser of lines with commands and events.
public struct AppendLineReader: Sendable {
    private let catalogue: Catalogue
    private let rules: InputRules
    /// Returns the tz database; `nil` if none is available.
    private let zones: @Sendable () -> ZoneSource?

    /// Creates a reader; use the rules of history for lines that are not appended to a log.
    public init(
        _ catalogue: Catalogue, rules: InputRules = .standard,
        zones: @escaping @Sendable () -> ZoneSource?
    ) {
        self.catalogue = catalogue
        self.rules = rules
        self.zones = zones
    }

    /// The rules for input, with the tz database in which the names of zones are looked up.
    private var rulesWithZones: InputRules { rules.lookingUpZones(in: zones()) }

    /// Parses a line; `now` is the time of a line that states none.
    public func read(_ bytes: [UInt8], line number: Int, now: Instant) throws(InputError)
        -> AppendLine
    {
        try read(try JSONParser.parse(bytes, line: number), line: number, now: now)
    }

    package func read(_ tree: Tree, line number: Int, now: Instant) throws(InputError) -> AppendLine
    {
        let head = try TreeReader.read(AppendHead.self, from: tree, rules: rulesWithZones)
        var now = now
        var offsetS: Int32?
        if let at = head.at {
            guard let time = Timestamp.parse(at) else {
                throw InputError(
                    "expected an RFC 3339 time like 2026-07-12T12:00:00Z, found \"\(at)\"",
                    line: number, field: "at")
            }
            if rules.checksLimits { try AppendHead.check(time.instant, time.offsetS, at, number) }
            now = time.instant
            if Timestamp.namesOffset(at) { offsetS = Int32(time.offsetS) }
        }
        let context = CommandContext(
            now: now, zone: head.zone ?? "", namedOffsetS: offsetS, zones: zones())
        if let key = head.key, !(1...255).contains(key.utf8.count) {
            throw InputError(
                "expected an idempotency key of 1 to 255 bytes, found \(key.utf8.count) bytes",
                line: number, field: "key")
        }
        if let causation = head.causation, causation < 1 {
            throw InputError(
                "expected the position of the causing event (1 or more), found \(causation)",
                line: number, field: "causation")
        }
        if let after = head.after, after < 0 {
            throw InputError(
                "expected a position (0 or more), found \(after)", line: number, field: "after")
        }
        guard let data = tree["data"], case .map(let members) = data.content else {
            throw InputError(
                "expected an object with the command's input or the event's payload", line: number,
                field: "data")
        }
        return AppendLine(
            number: number, name: head.command ?? head.event ?? "",
            body: try body(head, data, context, number), time: context.now,
            metadata: CommitMetadata(
                actor: head.actor ?? "", device: head.device ?? "",
                correlation: head.correlation ?? "",
                causation: head.causation.map { Position(UInt64($0)) }),
            idempotency: head.key.map {
                AppendRequest.Idempotency(key: $0, asked: requestBytes(head, data))
            },
            texts: members.compactMap { member in
                guard case .text(let text) = member.value.content else { return nil }
                return (member.key, text)
            }, after: head.after,
            condition: try condition(tree["failIfEventsMatch"], head, number))
    }

    /// The event kinds that this program knows, in all their schema versions.
    private var knownKinds: Set<EventKind> {
        Set(catalogue.events.keys).union(catalogue.upcasters.keys)
    }

    /// Parses the append condition of an event line; `nil` if the line has none.
    private func condition(
        _ tree: Tree?, _ head: AppendHead, _ number: Int
    ) throws(InputError) -> AppendCondition? {
        let field = "failIfEventsMatch"
        guard let tree, tree.content != .null else { return nil }
        guard head.command == nil else {
            throw InputError(
                "an append condition is allowed only on the line of an event; "
                    + "a command determines its own condition", line: number, field: field)
        }
        let input = try TreeReader.read(
            ConditionInput.self, from: tree, field: field, rules: .standard)
        guard let query = tree["query"] else {
            throw InputError(
                "the append condition has no member 'query'", line: number, field: "\(field).query")
        }
        if let after = input.after, after < 0 {
            throw InputError(
                "expected a position (0 or more), found \(after)", line: number,
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
                "expected a line with a member \"command\" or a member \"event\", found "
                    + (head.command == nil ? "neither" : "both"), line: number)
        }
    }

    /// Returns bytes that are equal only for equal requests, to be stored with the idempotency key.
    /// They contain the name of the command or event and its data, but neither times nor the key.
    private func requestBytes(_ head: AppendHead, _ data: Tree) -> [UInt8] {
        let (command, event) = ((head.command ?? "").utf8, (head.event ?? "").utf8)
        let data = data.canonicalBytes
        var bytes: [UInt8] = []
        bytes.reserveCapacity(command.count + event.count + data.count + 2)
        bytes.append(contentsOf: command)
        bytes.append(0)
        bytes.append(contentsOf: event)
        bytes.append(0)
        bytes.append(contentsOf: data)
        return bytes
    }
}

/// The members of a line, except for its data and its append condition.
private struct AppendHead: Record {
    /// Name of the command; `nil` on the line of an event.
    var command: String?
    /// Kind of the event; `nil` on the line of a command.
    var event: String?
    /// Time by the device's clock (RFC 3339); `nil` for the time of reading.
    var at: String?
    var zone: String?
    /// Id of the acting user, or `system`; `nil` if not given.
    var actor: String?
    var device: String?
    /// Id of the flow that the line belongs to, such as a run; `nil` if not given.
    var correlation: String?
    /// Position of the earlier event that caused this command or event; `nil` if not given.
    var causation: Int64?
    var key: String?
    /// Position after which the event is inserted into an altered history; `nil` if not given.
    var after: Int64?
    private var failIfEventsMatch: UnparsedMember?
    private var data = UnparsedMember()

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
    /// Throws for a time outside the years 1900 to 2199, or an offset of more than 18 hours.
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
