import DaybookLibC

/// A connection, whose requests are answered one after the other.
struct Connection {
    let socket: Socket
    let access: Access
    let handler: Server.Handler
    /// Waits until a client that has shown the token may be answered.
    let admit: () throws(ClientGone) -> Void

    /// Answers requests until the connection ends.
    func serve() {
        var parser = RequestParser()
        do {
            while let request = try next(&parser), try answer(request) {}
        } catch let error as RequestError {
            try? end(with: Response(error.status, error: error.reason))
        } catch {}  // The client is gone, or must notice that a stream is incomplete.
    }

    /// Returns the next request, which must arrive within 10 seconds; `nil` at the end.
    private func next(_ parser: inout RequestParser) throws -> Request? {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            if let request = try parser.next() { return request }
            let bytes = try socket.receive(until: deadline)
            guard !bytes.isEmpty else { return nil }
            parser.append(bytes)
        }
    }

    /// Answers a request; returns `false` if the connection has ended.
    private func answer(_ request: Request) throws -> Bool {
        let refusal = access.refusal(of: request)
        let isKnown = refusal == nil && access.isKnown(request)
        if isKnown { try admit() }
        let response = refusal ?? handler(request, { [socket] in socket.isClosed })
        guard isKnown, !request.closesConnection else {
            try end(with: response, hasBody: request.method != "HEAD")
            return false
        }
        try send(response, closing: false)
        return true
    }

    /// Sends the last response, and waits for its reader, whom further bytes would cut off.
    private func end(with response: Response, hasBody: Bool = true) throws {
        try send(response, closing: true, hasBody: hasBody)
        socket.end(Int(SHUT_WR))
        let deadline = ContinuousClock.now + .seconds(1)
        while try !socket.receive(until: deadline).isEmpty {}
    }

    /// Sends a response, for which the client may let the server wait 30 seconds in all.
    private func send(_ response: Response, closing: Bool, hasBody: Bool = true) throws {
        let head = response.head(closing: closing)
        var patience = Duration.seconds(30)
        switch response.body {
        case .bytes(let bytes): try socket.send(head + (hasBody ? bytes : []), &patience)
        case .stream(let stream):
            try socket.send(head, &patience)
            try stream { (bytes) throws(ClientGone) in
                let size = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
                if !bytes.isEmpty { try socket.send(size + bytes + [13, 10], &patience) }
            }
            try socket.send(Array("0\r\n\r\n".utf8), &patience)
        }
    }
}
