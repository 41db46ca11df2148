import DaybookLibC

/// A client of a server of HTTP on this machine, on a socket of its own.
public final class TestClient {
    /// Bytes that were received and not yet returned.
    private var pending: [UInt8] = []
    private var descriptor: Int32

    public init(port: UInt16) {
        // Sending to a server that has closed the connection is then an error like others.
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(result == 0, "the server does not listen")
        // A test that waits in vain fails.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    public func close() {
        guard descriptor >= 0 else { return }
        DaybookLibC.close(descriptor)
        descriptor = -1
    }

    /// Sends bytes; returns `false` if the server does not take them.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        DaybookLibC.send(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// A response as received.
    public struct Response {
        public var status: Int
        /// Fields of the head, by name in lower case.
        public var fields: [String: String]
        public var body: String
        /// True unless the connection ended within the body.
        public var isComplete = true
    }

    /// Waits for a response; `nil` if the connection ends before its head does.
    ///
    /// - Parameter hasBody: false for a response to HEAD.
    public func response(hasBody: Bool = true) -> Response? {
        guard let head = bytes(through: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        var response = Response(
            status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: fields, body: "")
        guard hasBody else { return response }
        var body: [UInt8]? = []
        if let length = fields["content-length"].flatMap({ Int($0) }) {
            body = bytes(count: length)
        } else {
            response.isComplete = false
            while !response.isComplete,
                let size = bytes(through: [13, 10]).map({ String(decoding: $0, as: UTF8.self) }),
                let count = Int(size.dropLast(1), radix: 16), let part = bytes(count: count + 2)
            {
                body = body.map { $0 + part.dropLast(2) }
                response.isComplete = count == 0
            }
        }
        response.body = String(decoding: body ?? [], as: UTF8.self)
        response.isComplete = response.isComplete && body != nil
        return response
    }

    /// Waits until the server closes the connection; returns the bytes up to there.
    public func rest() -> [UInt8] {
        while receive() {}
        defer { pending = [] }
        return pending
    }

    private func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &chunk, 1 << 16, 0)
        pending += chunk[..<max(0, count)]
        return count > 0
    }

    private func bytes(count: Int) -> [UInt8]? {
        while pending.count < count { if !receive() { return nil } }
        defer { pending.removeFirst(count) }
        return Array(pending[..<count])
    }

    private func bytes(through end: [UInt8]) -> [UInt8]? {
        while true {
            if let range = pending.firstRange(of: end) { return bytes(count: range.upperBound) }
            if !receive() { return nil }
        }
    }
}
