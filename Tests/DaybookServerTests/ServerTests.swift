import DaybookLibC
import DaybookServer
import Synchronization
import TestSupport
import Testing

/// The server on real sockets.
@Suite(.serialized) struct ServerTests {
    /// A server that echoes, and ends with the test.
    final class Running {
        let server: Server
        /// Number of calls of the handler that are under way.
        let active = Counter()
        /// Number of calls that saw that their client was gone.
        let gone = Counter()

        init() throws {
            server = try Server { [active, gone] request, isGone in
                active.add(1)
                defer { active.add(-1) }
                switch request.path {
                case "/wait":
                    while !isGone() { usleep(2_000) }
                    gone.add(1)
                    return Response(200, .bytes([]))
                case "/stream":
                    return Response(
                        200,
                        .stream { send in
                            for part in ["a", "", "bc", String(repeating: "d", count: 100_000)] {
                                try send(Array(part.utf8))
                            }
                        })
                case "/" where request.query["size"] != nil:
                    let count = request.query["size"].flatMap { Int($0) } ?? 0
                    return Response(200, .bytes([UInt8](repeating: 97, count: count)))
                case "/broken":
                    return Response(
                        200,
                        .stream { send in
                            try send([97])
                            throw CancellationError()
                        })
                case "/endless":
                    return Response(
                        200,
                        .stream { send in
                            defer { gone.add(1) }
                            while true { try send([UInt8](repeating: 97, count: 1 << 16)) }
                        })
                default:
                    let query = request.query.sorted { $0 < $1 }
                    let text = "\(request.method) \(request.path) \(query)"
                    return Response(200, .bytes(Array(text.utf8) + request.body))
                }
            }
        }

        deinit { server.stop() }

        var client: TestClient { TestClient(port: server.port) }

        /// Returns a request that is answered.
        func request(_ line: String, _ fields: String..., body: String = "") -> String {
            let all =
                [
                    "\(line) HTTP/1.1", "Host: 127.0.0.1:\(server.port)",
                    "Daybook-Token: \(server.access.token)",
                ] + fields + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
            return all.joined(separator: "\r\n") + "\r\n\r\n" + body
        }
    }

    final class Counter: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock { $0 } }
        func add(_ difference: Int) { number.withLock { $0 += difference } }
    }

    @Test("Requests on one connection are answered in order, also pipelined")
    func pipelined() throws {
        let running = try Running()
        let client = running.client
        client.send(
            running.request("GET /a?b=1") + running.request("POST /c", body: "hello")
                + running.request("GET /d", "Connection: close"))
        expect(client.response()?.body, equals: #"GET /a [(key: "b", value: "1")]"#)
        expect(client.response()?.body, equals: "POST /c []hello")
        let last = client.response()
        expect(last?.body, equals: "GET /d []")
        expect(last?.fields["connection"], equals: "close")
        #expect(client.rest().isEmpty)
    }

    @Test("A request that arrives byte by byte is answered")
    func byteByByte() throws {
        let running = try Running()
        let client = running.client
        for byte in running.request("POST /c", body: "hello").utf8 {
            client.send([byte])
            usleep(50)
        }
        expect(client.response()?.body, equals: "POST /c []hello")
    }

    @Test("Each response forbids caching, guessing its type and other sites")
    func fields() throws {
        let running = try Running()
        let client = running.client
        for request in [running.request("GET /a"), "nonsense\r\n\r\n"] {
            client.send(request)
            let fields = try #require(client.response()).fields
            expect(fields["cache-control"], equals: "no-store")
            expect(fields["x-content-type-options"], equals: "nosniff")
            expect(fields["referrer-policy"], equals: "no-referrer")
            expect(fields["cross-origin-resource-policy"], equals: "same-origin")
            expect(fields["content-type"], equals: "application/json")
        }
    }

    @Test("Only the page itself is answered without the token, and nothing to other sites")
    func access() throws {
        let running = try Running()
        let port = running.server.port
        let token = running.server.access.token
        let (own, right) = ("Host: localhost:\(port)", "Daybook-Token: \(token)")
        let digits = token.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        #expect(token.utf8.count == 32 && digits)
        for (line, fields, status) in [
            ("GET /", [own], 200),
            ("GET /?a=b", [own], 200),
            ("GET /", ["Host: 127.0.0.1:\(port)", "Origin: http://127.0.0.1:\(port)"], 200),
            ("GET /", [own, "Origin: http://localhost:\(port)"], 200),
            ("GET /a", [own, right], 200),
            ("POST /", [own, right], 200),
            ("POST /", [own], 403),
            ("GET /a", [own], 403),
            ("GET //", [own], 403),
            ("GET /a", [own, "Daybook-Token: \(token.uppercased())0"], 403),
            ("GET /a", [own, "Daybook-Token: \(String(token.dropLast()))"], 403),
            ("GET /a", [own, "Daybook-Token: \(String(repeating: "0", count: 32))"], 403),
            ("GET /a?token=\(token)", [own, "Cookie: \(token)"], 403),
            ("GET /", ["Host: localhost"], 403),
            ("GET /", ["Host: localhost:\(port == 1 ? 2 : port - 1)"], 403),
            ("GET /", ["Host: evil.example:\(port)"], 403),
            ("GET /", ["Host: localhost:\(port).evil.example"], 403),
            ("GET /", ["Host: [::1]:\(port)"], 403),
            ("GET /a", ["Host: evil.example", right], 403),
            ("GET /a", [own, right, "Origin: http://evil.example"], 403),
            ("GET /a", [own, right, "Origin: https://localhost:\(port)"], 403),
            ("GET /a", [own, right, "Origin: null"], 403),
            ("GET /a", [own, right, "Origin:"], 403),
            ("PUT /a", [own, right], 405),
            ("DELETE /a", [own], 405),
            ("OPTIONS /a", [own, "Origin: http://localhost:\(port)"], 405),
            ("OPTIONS /a", [own, "Origin: http://evil.example"], 403),
            ("CONNECT localhost:80", [own], 400),
        ] {
            let client = running.client
            client.send("\(line) HTTP/1.1\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n")
            let response = try #require(client.response(), "\(line) \(fields)")
            expect(response.status, equals: status, "\(line) \(fields)")
            #expect(status == 200 || response.body.hasPrefix(#"{"error":""#))
            #expect(status != 405 || response.fields["allow"] == "GET, POST")
            #expect(status == 200 || client.rest().isEmpty)
        }
        let other = try Running()
        #expect(other.server.access.token != token)
    }

    @Test("HEAD is refused without a body")
    func headMethod() throws {
        let running = try Running()
        let client = running.client
        client.send(running.request("HEAD /"))
        expect(client.response(hasBody: false)?.status, equals: 405)
        #expect(client.rest().isEmpty)
    }

    @Test("A malformed request is refused, and its connection ends")
    func malformed() throws {
        let running = try Running()
        for (bytes, status) in [
            (Array("GET\r\n\r\n".utf8), 400),
            (Array("\u{16}\u{3}\u{1}\r\n\r\n".utf8), 400),
            ([UInt8](repeating: 97, count: 40_000), 431),
            (
                Array(running.request("POST /", "Content-Length: 70000").utf8)
                    + [UInt8](repeating: 97, count: 70_000), 413
            ),
        ] {
            let client = running.client
            client.send(bytes)
            let response = client.response()
            expect(response?.status, equals: status)
            expect(response?.fields["connection"], equals: "close")
            #expect(client.rest().isEmpty)
        }
        // Requests before the malformed one are answered.
        let client = running.client
        client.send(running.request("GET /a") + "nonsense\r\n\r\n" + running.request("GET /b"))
        expect(client.response()?.status, equals: 200)
        expect(client.response()?.status, equals: 400)
        #expect(client.rest().isEmpty)
    }

    @Test("A stream arrives whole, and one that breaks off is seen as incomplete")
    func streams() throws {
        let running = try Running()
        let client = running.client
        client.send(running.request("GET /stream") + running.request("GET /broken"))
        let whole = try #require(client.response())
        let (isComplete, body) = (whole.isComplete, whole.body)
        let isWhole = body == "abc" + String(repeating: "d", count: 100_000)
        #expect(isWhole && isComplete)
        let broken = try #require(client.response())
        #expect(broken.body == "a" && !broken.isComplete)
    }

    @Test("The handler sees that its client is gone")
    func gone() throws {
        let running = try Running()
        for path in ["/wait", "/endless"] {
            let before = running.gone.value
            let client = running.client
            client.send(running.request("GET \(path)"))
            _ = Wait.until { running.active.value > 0 || path == "/endless" }
            usleep(20_000)
            expect(running.gone.value, equals: before)
            client.close()
            #expect(Wait.until { running.gone.value == before + 1 })
        }
        // A client that goes away in the middle of a request disturbs nobody.
        let client = running.client
        client.send("GET /a HT")
        client.close()
        let next = running.client
        next.send(running.request("GET /a"))
        expect(next.response()?.status, equals: 200)
    }

    @Test("Half a request is given up after 10 seconds")
    func slow() async throws {
        let running = try Running()
        let (silent, slow) = (running.client, running.client)
        let start = ContinuousClock.now
        // Each byte comes before a wait for it would end.
        var sentCount = 0
        while sentCount < 100, slow.send([UInt8(ascii: "a")]) {
            sentCount += 1
            try await Task.sleep(for: .milliseconds(400))
        }
        let time = ContinuousClock.now - start
        #expect(time > .seconds(9) && sentCount < 100, "\(sentCount) bytes")
        #expect(slow.rest().isEmpty && silent.rest().isEmpty)
    }

    @Test("More connections than threads wait for their turn")
    func manyConnections() throws {
        let running = try Running()
        let waiting = (0..<32).map { _ in running.client }
        for client in waiting { client.send(running.request("GET /wait")) }
        #expect(Wait.until { running.active.value == 32 })
        let next = running.client
        next.send(running.request("GET /a"))
        usleep(50_000)
        expect(running.active.value, equals: 32)
        waiting[0].close()
        expect(next.response()?.status, equals: 200)
    }

    @Test("A client with the token is answered while 200 others are held open")
    func strangers() throws {
        let running = try Running()
        let field = "Host: 127.0.0.1:\(running.server.port)\r\n"
        // Those that say nothing, stop within a request, do not read, or ask again and again.
        let page = "GET /?size=8000000 HTTP/1.1\r\n\(field)\r\n"
        let hostile = (0..<200).map { number in
            let client = running.client
            client.send(
                ["", "GET / HTTP/1.1\r\n\(field)", page, String(repeating: page, count: 50)][
                    number % 4])
            return client
        }
        let start = ContinuousClock.now
        for _ in 0..<3 {
            let client = running.client
            client.send(running.request("GET /a"))
            expect(client.response()?.status, equals: 200)
            client.send(running.request("GET /b", "Connection: close"))
            expect(client.response()?.status, equals: 200)
            let stranger = running.client
            stranger.send("GET / HTTP/1.1\r\n\(field)\r\n")
            expect(stranger.response()?.status, equals: 200)
        }
        // The newest stranger still has its place, and the oldest one had to give way.
        let isOpen = hostile[197].send("\r\n") && hostile[197].response()?.status == 200
        // Half a request is given up after 10 seconds.
        #expect(isOpen || ContinuousClock.now - start > .seconds(8))
        #expect(hostile[0].rest().isEmpty)
    }

    @Test("A client without the token is answered once")
    func once() throws {
        let running = try Running()
        let client = running.client
        let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(running.server.port)\r\n\r\n"
        client.send(request + request)
        let response = client.response()
        #expect(response?.status == 200 && response?.fields["connection"] == "close")
        #expect(client.rest().isEmpty)
    }

    @Test("Stopping ends every connection, and the port is closed")
    func stop() throws {
        let running = try Running()
        let (idle, waiting) = (running.client, running.client)
        waiting.send(running.request("GET /wait"))
        #expect(Wait.until { running.active.value == 1 })
        running.server.stop()
        expect(running.active.value, equals: 0)
        #expect(idle.rest().isEmpty && waiting.rest().isEmpty)
    }
}
