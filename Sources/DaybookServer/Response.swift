/// A response to a request.
package struct Response: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        /// Bytes that are sent at once.
        case bytes([UInt8])
        /// Bytes that are sent as the function makes them; if it throws, they break off.
        case stream(@Sendable (_ send: ([UInt8]) throws(ClientGone) -> Void) throws -> Void)
    }
    /// The status of HTTP, such as 200.
    package var status: Int
    /// The media type of the body.
    package var type: String
    /// Further fields of the head.
    package var fields: [(name: String, value: String)] = []
    package var body: Body
    package init(_ status: Int, type: String = "application/json", _ body: Body) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// Creates a response with a sentence, which has no characters that JSON escapes.
    init(_ status: Int, error sentence: String) {
        self.init(status, .bytes(Array("{\"error\":\"\(sentence)\"}\n".utf8)))
    }

    /// Returns the head, which says if the connection ends after the response.
    func head(closing closes: Bool) -> [UInt8] {
        var lines = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: \(type)",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
        ]
        switch body {
        case .bytes(let bytes): lines.append("Content-Length: \(bytes.count)")
        case .stream: lines.append("Transfer-Encoding: chunked")
        }
        lines += fields.map { "\($0.name): \($0.value)" }
        if closes { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
