import CivilTime
import EventSourcing
import EventStorage
import Playback

/// One line of `replay append`.
struct AppendLine {
    enum Body {
        case command(any PendingDecision)
        case event(NewEvent)
    }

    var number: Int
    /// Of the command, or the kind of the event.
    var name: String
    var body: Body
    /// By the device's clock; of the reading where the line has none.
    var time: Instant
    var metadata: CommitMetadata
    var idempotency: AppendRequest.Idempotency?
    /// Behind which position an overlay puts it.
    var after: Int64?

    /// Decides the line in a batch.
    func decide(in batch: inout DecisionBatch) throws(AppendError) -> Outcome {
        switch body {
        case .command(let decision):
            return try batch.decide(decision, metadata: metadata, idempotency: idempotency)
        case .event(let event):
            try batch.add([event], metadata: metadata, idempotency: idempotency)
            return .events([event])
        }
    }

    /// Refuses what only an overlay may say.
    func checkAppendable() throws(InputError) {
        guard after != nil else { return }
        throw InputError(
            "belongs to '\(ReplayTool.name) what-if'; an append goes to the end", line: number,
            field: "after")
    }

    /// Appends the line as a commit of its own. What the line cannot be blamed for ends the
    /// process.
    func append(to log: EventLog, _ catalogue: Catalogue) throws(InputError) -> Decided {
        do throws(AppendError) {
            switch body {
            case .command(let decision):
                return try log.decide(
                    decision, metadata: metadata, idempotency: idempotency, catalogue: catalogue)
            case .event(let event):
                let request = AppendRequest(
                    [event], metadata: metadata, idempotency: idempotency)
                return try log.append(request).map(Decided.appended) ?? .nothing
            }
        } catch .log(let error) {
            Failure(.log, "\(error)").end()
        } catch {
            throw InputError("\(error)", line: number)
        }
    }

    /// What came of it, as a JSON object.
    func json(_ receipt: Receipt?, refused: EventSourcing.Refusal?) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("line", Int64(number))
            writer.member("first", receipt.map { Int64(clamping: $0.first.rawValue) })
            writer.member("last", receipt.map { Int64(clamping: $0.last.rawValue) })
            writer.member("recordedAt", receipt.map { Timestamp.text($0.recordedAt) })
            writer.member("repeated", receipt?.isRepeated ?? false)
            if let refused {
                writer.member("refused") { writer in
                    writer.member("code", refused.code)
                    writer.member("message", refused.message)
                }
            }
        }
        return writer.text
    }
}

/// Reads the lines of `replay append`.
struct AppendLineReader {
    let catalogue: Catalogue
    /// Those of history for lines that no log takes in.
    var rules = InputRules.standard

    func read(_ bytes: [UInt8], line number: Int, now: Instant) throws(InputError) -> AppendLine {
        let tree = try JSONParser.parse(bytes, line: number)
        let head = try TreeReader.read(AppendHead.self, from: tree, rules: rules)
        var context = CommandContext(now: now, zone: head.zone ?? "")
        if let at = head.at {
            guard let time = Timestamp.parse(at) else {
                throw InputError(
                    "expected an RFC 3339 time like 2026-07-12T12:00:00Z, found \"\(at)\"",
                    line: number, field: "at")
            }
            if rules.checksLimits {
                try AppendHead.check(time.instant, time.offsetS, at, number)
            }
            context.now = time.instant
            context.offsetS = Int32(time.offsetS)
        }
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
            }, after: head.after)
    }

    /// Reads the lines of a file; `-` is standard input.
    ///
    /// - Parameter body: gets each line read and in bytes; what it finds wrong with it is told with
    ///   the file's name.
    func forEachLine(
        of path: String, _ body: (AppendLine, [UInt8]) throws -> Void
    ) throws {
        let lines = try InputFile.bytes(of: path)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() where !bytes.isEmpty {
            do {
                let bytes = Array(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
                if bytes.isEmpty { continue }
                try body(
                    try read(bytes, line: index + 1, now: EventLog.systemTime()), bytes)
            } catch let error as InputError {
                throw Failure(.usage, "\(error.inFile(path == "-" ? "standard input" : path))")
            }
        }
    }

    private func body(
        _ head: AppendHead, _ data: Tree, _ context: CommandContext, _ number: Int
    ) throws(InputError) -> AppendLine.Body {
        switch (head.command, head.event) {
        case (let name?, nil):
            guard let command = catalogue.commands[name] else {
                let area = name.prefix { $0 != "." }
                let known = catalogue.commands.keys.filter { $0.hasPrefix(area + ".") }.sorted()
                let hint = known.isEmpty ? catalogue.commands.keys.sorted() : known
                throw InputError(
                    "there is no command \"\(name)\"; expected \(hint.joined(separator: ", "))",
                    line: number, field: "command")
            }
            return .command(try command.read(data, "data", rules, context))
        case (nil, let name?):
            guard let kind = EventKind(name), let event = catalogue.events[kind] else {
                throw InputError(
                    "there is no kind of event \"\(name)\"", line: number, field: "event")
            }
            var new = try event.read(data, "data", rules)
            new.occurredAt = context.now
            new.zone = context.zone
            new.offsetS = context.offsetS
            return .event(new)
        default:
            throw InputError(
                "expected either \"command\" or \"event\"", line: number, field: "")
        }
    }

    /// What was asked, for the digest of the key: the line without its times and its key.
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
    private var data = Unread()

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("command", &command)
        try field("event", &event)
        try field("at", &at)
        try field("zone", &zone)
        try field("actor", &actor)
        try field("device", &device)
        try field("correlation", &correlation)
        try field("causation", &causation)
        try field("key", &key)
        try field("after", &after)
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

/// A member that is read elsewhere.
private struct Unread: FieldValue {
    static var blank: Unread { Unread() }

    static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout Unread
    ) throws(Visitor.Failure) {}
}
