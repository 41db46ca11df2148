/// Parser of the requests of one connection, which receives their bytes in parts of any length.
///
/// It accepts only what a browser sends: lines that end in CR LF, and no field twice.
package struct RequestParser {
    /// Largest lengths of a head and of a body, in bytes.
    package static let (headLimit, bodyLimit) = (16 << 10, 64 << 10)
    /// Received bytes that are not part of a finished request or of `head`.
    private var bytes: [UInt8] = []
    /// Length of the head, or of its part that is known so far.
    private var headCount = 4
    /// Head of a request whose body is incomplete, and the length of that body.
    private var head: (request: Request, bodyCount: Int)?

    package init() {}
    /// Adds received bytes.
    package mutating func append(_ received: some Collection<UInt8>) { bytes += received }

    /// Returns the next request; `nil` if its bytes are incomplete.
    package mutating func next() throws(RequestError) -> Request? {
        if head == nil {
            while headCount <= bytes.count,
                !bytes[(headCount - 4)..<headCount].elementsEqual([13, 10, 13, 10])
            { headCount += 1 }
            guard min(headCount, bytes.count) <= Self.headLimit else {
                throw RequestError(status: 431, reason: "The head of the request is too long.")
            }
            guard headCount <= bytes.count else { return nil }
            head = try Self.parse(head: Array(bytes[..<headCount]))
            bytes.removeFirst(headCount)
            headCount = 4
        }
        guard var head, bytes.count >= head.bodyCount else { return nil }
        head.request.body = Array(bytes[..<head.bodyCount])
        bytes.removeFirst(head.bodyCount)
        self.head = nil
        return head.request
    }

    /// Parses a head that ends in an empty line.
    private static func parse(
        head: [UInt8]
    ) throws(RequestError) -> (request: Request, bodyCount: Int) {
        let isControl = { (byte: UInt8) in byte < 32 && byte != 9 || byte == 127 }
        guard let text = String(validating: head, as: UTF8.self) else {
            throw RequestError(reason: "The head is not UTF-8.")
        }
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast(2)
        guard !lines.contains(where: { $0.utf8.contains(where: isControl) }) else {
            throw RequestError(reason: "The head has a control character.")
        }
        var request = try parse(requestLine: lines.popFirst() ?? "")
        for line in lines { try parse(field: line, into: &request) }
        guard request.fields["host"] != nil, request.fields["transfer-encoding"] == nil else {
            throw RequestError(reason: "A head needs a Host, and a body a Content-Length.")
        }
        let length = request.fields["content-length"] ?? "0"
        guard !length.isEmpty, length.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw RequestError(reason: "The Content-Length is not a number.")
        }
        guard let bodyCount = Int(length), bodyCount <= bodyLimit else {
            throw RequestError(status: 413, reason: "The body of the request is too long.")
        }
        return (request, bodyCount)
    }

    /// Parses the first line: method, target and version.
    private static func parse(requestLine line: Substring) throws(RequestError) -> Request {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), parts[2] == "HTTP/1.1", parts[1].first == "/",
            parts[1].utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw RequestError(reason: "The first line is not a method, a path and HTTP/1.1.")
        }
        let halves = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var request = Request(method: String(parts[0]), path: String(halves[0]))
        for pair in halves.dropFirst().joined().split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]), let value = decoded(sides.dropFirst().first ?? ""),
                request.query.updateValue(value, forKey: name) == nil
            else { throw RequestError(reason: "The query is not one of names and values.") }
        }
        return request
    }

    /// Parses a field of the head, and keeps it if it is one that decides something.
    private static func parse(
        field line: Substring, into request: inout Request
    ) throws(RequestError) {
        guard let colon = line.firstIndex(of: ":"), isToken(line[..<colon]) else {
            throw RequestError(reason: "The head has a line that is not a field.")
        }
        let name = line[..<colon].lowercased()
        var value = line[line.index(after: colon)...].drop { " \t".contains($0) }
        while let last = value.last, " \t".contains(last) { value.removeLast() }
        let deciding = ["connection", "content-length", "daybook-token", "host", "origin"]
        guard deciding.contains(name) || name == "transfer-encoding" else { return }
        guard request.fields.updateValue(String(value), forKey: name) == nil else {
            throw RequestError(reason: "A field of the head occurs twice.")
        }
    }

    /// True for a method, or the name of a field.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Returns a name or value of a query, decoded; `nil` if it is malformed.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            guard byte == UInt8(ascii: "%") else { continue }
            guard rest.count >= 2, let digits = String(rest.prefix(2)),
                digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes[bytes.count - 1] = value
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
