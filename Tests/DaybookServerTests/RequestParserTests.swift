import DaybookServer
import TestSupport
import Testing

/// The parser of requests, on bytes that arrive in any parts.
@Suite struct RequestParserTests {
    /// A head of a request with further lines.
    static func head(_ first: String, _ fields: String...) -> String {
        ([first, "Host: localhost:80"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Parses a text whose bytes arrive in parts.
    static func requests(_ bytes: [UInt8], partsOf count: Int) throws -> [Request] {
        var parser = RequestParser()
        var requests: [Request] = []
        for start in stride(from: 0, to: bytes.count, by: count) {
            parser.append(bytes[start..<min(start + count, bytes.count)])
            while let request = try parser.next() { requests.append(request) }
        }
        return requests
    }

    @Test("Requests that follow each other are read from parts of any length")
    func parts() throws {
        let text =
            Self.head("GET /bins?clock=recorded&lanes=a%20b+c&%C3%A9=%E2%82%AC&x HTTP/1.1")
            + Self.head("POST /ask HTTP/1.1", "content-LENGTH:  5\t", "Accept: */*") + "hello"
            + Self.head("GET / HTTP/1.1", "X: \u{E9}", "Y:")
        let bytes = Array(text.utf8)
        for count in 1...bytes.count {
            let requests = try Self.requests(bytes, partsOf: count)
            expect(requests.map(\.method), equals: ["GET", "POST", "GET"])
            expect(requests.map(\.path), equals: ["/bins", "/ask", "/"])
            #expect(
                requests.first?.query
                    == ["clock": "recorded", "lanes": "a b c", "é": "€", "x": ""])
            expect(
                requests.map { String(decoding: $0.body, as: UTF8.self) },
                equals: ["", "hello", ""])
        }
    }

    @Test("A request whose last byte is missing is not returned")
    func incomplete() throws {
        let bytes = Array((Self.head("POST / HTTP/1.1", "Content-Length: 3") + "abc").utf8)
        for count in 0..<bytes.count {
            var parser = RequestParser()
            parser.append(bytes[..<count])
            #expect(try parser.next() == nil)
        }
    }

    /// Bytes that are no request, with a word of the reason.
    static let malformedRequests: [(name: String, text: String, reason: String)] = [
        ("an empty line first", "\r\n" + head("GET / HTTP/1.1"), "first line"),
        ("no version", head("GET /"), "first line"),
        ("another version", head("GET / HTTP/1.0"), "first line"),
        ("the next version", head("PRI * HTTP/2.0"), "first line"),
        ("two spaces", head("GET  / HTTP/1.1"), "first line"),
        ("a space at the end", head("GET / HTTP/1.1 "), "first line"),
        ("an absolute target", head("GET http://localhost/ HTTP/1.1"), "first line"),
        ("a fragment", head("GET /#a HTTP/1.1"), "first line"),
        ("a target beyond ASCII", head("GET /\u{E9} HTTP/1.1"), "first line"),
        ("a method with brackets", head("G(T / HTTP/1.1"), "first line"),
        ("half an escape", head("GET /?a=%4 HTTP/1.1"), "query"),
        ("an escape that is no number", head("GET /?a=%-0 HTTP/1.1"), "query"),
        ("an escape that is not UTF-8", head("GET /?a=%FF HTTP/1.1"), "query"),
        ("a name twice", head("GET /?a=1&a=2 HTTP/1.1"), "query"),
        ("a field without colon", head("GET / HTTP/1.1", "Accept"), "not a field"),
        ("a space before the colon", head("GET / HTTP/1.1", "Accept : a"), "not a field"),
        ("a folded line", head("GET / HTTP/1.1", "Accept: a", " b"), "not a field"),
        ("a field without name", head("GET / HTTP/1.1", ": a"), "not a field"),
        ("a line feed alone", head("GET / HTTP/1.1", "A: b\nContent-Length: 5"), "control"),
        ("a carriage return alone", head("GET / HTTP/1.1", "A: b\rC: d"), "control"),
        ("a NUL", head("GET / HTTP/1.1", "A: \0"), "control"),
        ("no host", "GET / HTTP/1.1\r\n\r\n", "Host"),
        ("two hosts", head("GET / HTTP/1.1", "Host: localhost:80"), "twice"),
        ("two tokens", head("GET / HTTP/1.1", "Daybook-Token: a", "daybook-token: b"), "twice"),
        ("two origins", head("GET / HTTP/1.1", "Origin: a", "Origin: a"), "twice"),
        ("two lengths", head("POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 1"), "twice"),
        ("a length in words", head("POST / HTTP/1.1", "Content-Length: five"), "not a number"),
        ("a negative length", head("POST / HTTP/1.1", "Content-Length: -1"), "not a number"),
        ("a length with a sign", head("POST / HTTP/1.1", "Content-Length: +1"), "not a number"),
        ("a list of lengths", head("POST / HTTP/1.1", "Content-Length: 1, 1"), "not a number"),
        ("an empty length", head("POST / HTTP/1.1", "Content-Length:"), "not a number"),
        ("digits of another script", head("POST / HTTP/1.1", "Content-Length: ٣"), "not a number"),
        ("chunks", head("POST / HTTP/1.1", "Transfer-Encoding: chunked"), "Content-Length"),
    ]

    @Test("A malformed request is refused with the reason", arguments: malformedRequests.indices)
    func refusesMalformed(_ index: Int) throws {
        let (name, text, reason) = Self.malformedRequests[index]
        for count in [1, 7, text.utf8.count] {
            let error = #expect(throws: RequestError.self, "\(name)") {
                try Self.requests(Array(text.utf8), partsOf: count)
            }
            expect(error?.status, equals: 400, "\(name)")
            expect(error?.reason.contains(reason), equals: true, "\(name): \(error?.reason ?? "")")
        }
    }

    @Test("A head that is not UTF-8 is refused")
    func notText() throws {
        let bytes = Array("GET / HTTP/1.1\r\nA: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        #expect(throws: RequestError.self) { try Self.requests(bytes, partsOf: bytes.count) }
    }

    @Test("Heads and bodies end at their limits")
    func limits() throws {
        let frame = Self.head("GET / HTTP/1.1", "A: ").utf8.count
        for (excess, status) in [(0, nil), (1, 431)] {
            let filler = String(repeating: "a", count: RequestParser.headLimit - frame + excess)
            let bytes = Array(Self.head("GET / HTTP/1.1", "A: \(filler)").utf8)
            for count in [1_000, bytes.count] {
                let result = Result { try Self.requests(bytes, partsOf: count) }
                expect(Self.status(of: result), equals: status)
            }
        }
        // Without an end, the head is refused as soon as it is too long.
        let endless = [UInt8](repeating: UInt8(ascii: "a"), count: RequestParser.headLimit + 1)
        expect(Self.status(of: Result { try Self.requests(endless, partsOf: 1) }), equals: 431)
        for (length, status) in [
            ("65536", nil), ("65537", 413), ("99999999999999999999999", 413),
        ] {
            let head = Self.head("POST / HTTP/1.1", "Content-Length: \(length)")
            let bytes = Array(head.utf8) + [UInt8](repeating: 1, count: RequestParser.bodyLimit)
            let result = Result { try Self.requests(bytes, partsOf: 5_000) }
            expect(Self.status(of: result), equals: status)
            #expect(try status != nil || result.get().first?.body.count == RequestParser.bodyLimit)
        }
    }

    /// The status of the refusal; `nil` if the bytes were accepted.
    private static func status(of result: Result<[Request], any Error>) -> Int? {
        guard case .failure(let error) = result else { return nil }
        return (error as? RequestError)?.status
    }

    @Test("Altered requests give equal answers whole and in parts")
    func altered() throws {
        let seed = Cases.seed
        var generator = SeededGenerator(seed: seed)
        let original = Array(
            (Self.head("GET /bins?a=%20&b=2 HTTP/1.1", "Origin: http://localhost:80")
                + Self.head("POST /ask HTTP/1.1", "Content-Length: 4") + "body").utf8)
        let inserted = Array("\r\n: %=&?/\0\u{7F}\t0aé".utf8)
        for _ in 0..<2_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = .random(in: .min ... .max, using: &generator)
                default: bytes.insert(inserted.randomElement(using: &generator) ?? 0, at: place)
                }
            }
            let count = Int.random(in: 1...20, using: &generator)
            let whole = Self.outcome(bytes, partsOf: bytes.count)
            expect(Self.outcome(bytes, partsOf: count), equals: whole, "seed \(seed): \(bytes)")
        }
    }

    /// The requests up to the first malformed one, and the reason for refusing that one.
    private struct Outcome: Equatable {
        var requests: [Request] = []
        var error: RequestError?
    }

    private static func outcome(_ bytes: [UInt8], partsOf count: Int) -> Outcome {
        var parser = RequestParser()
        var outcome = Outcome()
        do throws(RequestError) {
            for start in stride(from: 0, to: bytes.count, by: count) {
                parser.append(bytes[start..<min(start + count, bytes.count)])
                while let request = try parser.next() { outcome.requests.append(request) }
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }
}
