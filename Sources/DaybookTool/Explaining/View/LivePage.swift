import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import DaybookServer
import DaybookView

/// The answers of the server of a live page.
///
/// Stories and answers to questions are made by children of this program, as in a terminal: a
/// question that fails, takes too long or meets a damaged page of the log ends only its child.
struct LivePage: Sendable {
    let log: EventLog
    let catalogue: Catalogue
    let bins: LogBins
    let children: PageChildren
    /// The words of the first story.
    let words: [String]
    /// The option that names the log in shown commands.
    let logOption: String
    let privacy: ExportPrivacy
    /// The options of `view` that hold for every story.
    let storyOptions: [String]
    /// The options of every question that has them.
    let questionOptions: [String]
    /// The tz database; `nil` if none is available.
    let zones: ZoneSource?
    /// The page without data.
    let page: [UInt8]

    /// Largest number of events of a story that the page should ask for by positions.
    private static let storyEventLimit: Int64 = 1_000
    /// Largest length of the output of a question, in bytes.
    private static let outputLimit = 4 << 20
    /// Longest time that `/head` waits for new events.
    private static let headTime = Duration.seconds(20)

    /// Returns the response to a request; `isGone` returns `true` once nobody waits for it.
    func respond(to request: Request, _ isGone: @escaping @Sendable () -> Bool) -> Response {
        do {
            if Self.pathsOfLog.contains(request.path) { try log.file.checkIsInPlace() }
            switch (request.method, request.path) {
            case ("GET", "/"): return pageResponse
            case ("GET", "/log"): return Self.json(200, try logDescription())
            case ("GET", "/bins"):
                return Response(
                    200, .bytes(try bins.json(try BinsRequest(parameters: request.query))))
            case ("GET", "/near"):
                let found = try bins.near(try NearRequest(parameters: request.query))
                return Self.object(200) { writer in
                    writer.member("position", found.map { Int64(clamping: $0) })
                }
            case ("GET", "/head"): return try head(request, isGone)
            case ("POST", "/story"): return try story(try Self.words(of: request), isGone)
            case ("POST", "/ask"): return try answer(try Self.words(of: request), isGone)
            default: return Self.refusal(of: request)
            }
        } catch PageWordsError.refused(let reason) {
            return Self.failure(422, reason)
        } catch let error as QuestionError {
            return Self.failure(422, "\(error)")
        } catch {
            return Self.failure(500, "\(error)")
        }
    }

    /// The paths that are answered from the open log, which must be the one of its path.
    private static let pathsOfLog: Set = ["/log", "/bins", "/near", "/head"]

    /// The response to a method or path that is not answered.
    private static func refusal(of request: Request) -> Response {
        let methods = [
            "/": "GET", "/log": "GET", "/bins": "GET", "/near": "GET", "/head": "GET",
            "/story": "POST", "/ask": "POST",
        ]
        guard let method = methods[request.path] else {
            return failure(404, "The server has no such path.")
        }
        var response = failure(405, "The path is answered for \(method).")
        response.fields = [("Allow", method)]
        return response
    }

    private static func object(_ status: Int, _ body: (inout JSONWriter) -> Void) -> Response {
        var writer = JSONWriter()
        writer.object(body)
        return json(status, writer)
    }

    private static func json(_ status: Int, _ writer: JSONWriter) -> Response {
        Response(status, .bytes(writer.bytes + [UInt8(ascii: "\n")]))
    }

    private static func failure(_ status: Int, _ reason: String) -> Response {
        object(status) { $0.member("error", reason) }
    }

    /// The page, which holds no data.
    private var pageResponse: Response {
        var response = Response(200, type: "text/html; charset=utf-8", .bytes(page))
        response.fields = [
            ("Content-Security-Policy", StoryPage.shared.livePolicy + "; frame-ancestors 'none'")
        ]
        return response
    }
}

// The log.
extension LivePage {
    /// Returns what the page must know before it asks for anything.
    private func logDescription() throws -> JSONWriter {
        let status = try log.file.status()
        let head = try log.commits.at(Position(status.events))?.head ?? .origin
        let zones = try log.contents.zones()
        let newest = try log.reader(.all, ReadWindow(.descending)).collect(limit: 1).first
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("daybookLive", Int64(1))
            writer.member("program", Program.name)
            writer.member("version", Program.version)
            writer.member("logOption", logOption)
            writer.member("words", words)
            writer.member("texts", privacy == .texts)
            writer.member("pseudonyms", privacy == .pseudonyms)
            writer.member("storyEvents", Self.storyEventLimit)
            writer.object("log") { writer in
                writer.member("id", status.id)
                writer.member("head", "\(head)")
                writer.member("events", Int64(clamping: status.events))
            }
            writer.member("rules", catalogue.rules.map(\.name))
            writer.member("questions", PageWords.questions.keys.sorted())
            writer.array("projections") { writer in
                for projection in catalogue.projections.values.sorted(by: { $0.name < $1.name }) {
                    writer.object { writer in
                        writer.member("name", projection.name)
                        writer.member("noun", projection.noun)
                        writer.member("summary", projection.summary)
                    }
                }
            }
            let kinds = Set(status.kinds.map { String($0.kind.stem) })
            writer.member("kinds", kinds.sorted { $0.precedesByBytes($1) })
            writer.member("zones", zones)
            let zone = newest.flatMap { try? (self.zones ?? .fixedOffsets).zone($0.zone) }
            writer.member("zone", zone?.name)
            writer.array("clocks") { writer in
                if let zone { writer.object { zone.writeClock(to: &$0) } }
            }
        }
        return writer
    }

    /// Waits until the log has another number of events than the client knows.
    private func head(_ request: Request, _ isGone: () -> Bool) throws -> Response {
        guard let known = request.query["after"].flatMap({ UInt64($0) }) else {
            return Self.failure(400, "after: expected a number of events.")
        }
        let end = try LogEnd(of: log)
        let deadline = ContinuousClock.now + Self.headTime
        var position = try end.position(waitingAtMost: .zero)
        while position.rawValue == known, .now < deadline, !isGone() {
            position = try end.position(waitingAtMost: .milliseconds(100))
        }
        let head = try log.commits.at(position)?.head ?? .origin
        try log.file.checkIsInPlace()
        return Self.object(200) { writer in
            writer.member("events", Int64(clamping: position.rawValue))
            writer.member("head", "\(head)")
        }
    }
}

// Stories and questions.
extension LivePage {
    /// Returns the member `words` of a body.
    private static func words(of request: Request) throws -> [String] {
        let tree: Tree
        do throws(InputError) { tree = try Tree(json: request.body) } catch {
            throw PageWordsError.refused("The body is not JSON: \(error).")
        }
        guard case .list(let list)? = tree["words"]?.content else {
            throw PageWordsError.refused("The body has no list 'words'.")
        }
        return try list.map { item in
            guard case .text(let word) = item.content else {
                throw PageWordsError.refused("words: expected texts, found \(item.noun).")
            }
            return word
        }
    }

    /// The response to a client that does not wait for it.
    private static var unwanted: Response { failure(500, "The client is gone.") }

    /// Returns a story, which is sent as the child writes it.
    private func story(
        _ words: [String], _ isGone: @escaping @Sendable () -> Bool
    ) throws -> Response {
        try PageWords.story.check(words)
        let arguments = ["view", "--json"] + storyOptions + words
        guard let child = try children.start(arguments, unless: isGone),
            let first = try child.process.next(unless: isGone)
        else { return Self.unwanted }
        guard !first.isEmpty else {
            let code = child.process.wait()
            let reason = Self.reason(child.process.errors)
            return Self.failure(422, reason.isEmpty ? "The command ended with \(code)." : reason)
        }
        return Response(
            200,
            .stream { send in
                var part = first
                while !part.isEmpty {
                    try send(part)
                    guard let next = try child.process.next(unless: isGone) else {
                        throw CancellationError()
                    }
                    part = next
                }
                guard child.process.wait() == 0 else { throw CancellationError() }
            })
    }

    private func answer(
        _ words: [String], _ isGone: @escaping @Sendable () -> Bool
    ) throws -> Response {
        try PageWords.check(question: words, needsPseudonyms: privacy == .pseudonyms)
        let name = words.first ?? ""
        var arguments = words
        // The name of a report comes before its options.
        let place = name == "report" ? 2 : 1
        let hasZones = PageWords.questions[name]?.refused.contains("--tzdata") == true
        if hasZones, words.count >= place {
            arguments.insert(contentsOf: questionOptions, at: place)
        }
        guard let child = try children.start(arguments, unless: isGone) else {
            return Self.unwanted
        }
        var output: [UInt8] = []
        while output.count <= Self.outputLimit {
            guard let part = try child.process.next(unless: isGone) else { return Self.unwanted }
            if part.isEmpty { break }
            output += part
        }
        let isTruncated = output.count > Self.outputLimit
        let code = isTruncated ? 0 : child.process.wait()
        return Self.object(200) { writer in
            writer.member("code", Int64(code))
            writer.member(
                "output", String(decoding: output.prefix(Self.outputLimit), as: UTF8.self))
            writer.member("error", String(decoding: child.process.errors, as: UTF8.self))
            writer.member("truncated", isTruncated)
        }
    }

    /// Returns the sentence of a command's message: without the program's name and its usage.
    private static func reason(_ message: [UInt8]) -> String {
        var text = String(decoding: message, as: UTF8.self)[...]
        if let usage = text.firstRange(of: "\nUsage: ") { text = text[..<usage.lowerBound] }
        for prefix in ["\(Program.name): ", "Error: "] where text.hasPrefix(prefix) {
            text = text.dropFirst(prefix.count)
        }
        return text.trimmed
    }
}
