import DaybookLibC

/// The client has closed the connection or does not read, or the server ends.
package struct ClientGone: Error {}

/// The system's reason why a server cannot be started.
package struct ServerError: Error, CustomStringConvertible {
    private let code = errno
    package var description: String { unsafe String(cString: strerror(code)) }
}

/// A socket, which is closed when it is freed.
final class Socket: Sendable {
    private let descriptor: Int32
    let openedAt = ContinuousClock.now

    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        end()  // A child that was started before the descriptor was private has a copy.
        close(descriptor)
    }

    /// Opens a socket that waits for connections to 127.0.0.1, at a port that the system chooses.
    static func listening() throws(ServerError) -> (socket: Socket, port: UInt16) {
        signal(SIGPIPE, SIG_IGN)  // Sending to a closed connection is an error like others.
        let descriptor = socket(AF_INET, 1, 0)  // SOCK_STREAM, whose type differs among systems.
        guard descriptor >= 0 else { throw ServerError() }
        let socket = Socket(owning: descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 4_096) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isOpen else { throw ServerError() }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a connection; `nil` once the socket has ended.
    func accept() -> Socket? {
        while true {
            let connection = DaybookLibC.accept(descriptor, nil, nil)
            if connection >= 0 {
                var (yes, time) = (Int32(1), timeval(tv_sec: 1, tv_usec: 0))
                let size = socklen_t(MemoryLayout<timeval>.size)
                _ = unsafe setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
                for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                    _ = unsafe setsockopt(connection, SOL_SOCKET, option, &time, size)
                }
                return Socket(owning: connection)
            }
            if errno == EINVAL { return nil }
            usleep(10_000)  // The end of other connections may free what is missing.
        }
    }

    /// Ends one direction or, by default, both; waiting calls return.
    func end(_ direction: Int = Int(SHUT_RDWR)) { _ = shutdown(descriptor, Int32(direction)) }

    /// Waits for bytes until `deadline`, or a second longer; returns none at the end.
    func receive(until deadline: ContinuousClock.Instant) throws(ClientGone) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while .now < deadline {
            let count = unsafe recv(descriptor, &bytes, 16 << 10, 0)
            if count >= 0 { return bytes[..<count] }
            guard errno == EINTR || errno == EAGAIN else { break }
        }
        throw ClientGone()
    }

    /// Sends all bytes, and takes the time for that from `patience`; without any, the client is gone.
    func send(_ bytes: [UInt8], _ patience: inout Duration) throws(ClientGone) {
        var (rest, start) = (bytes[...], ContinuousClock.now)
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe DaybookLibC.send(descriptor, rest.baseAddress, rest.count, 0)
            }
            guard count >= 0 || errno == EINTR || errno == EAGAIN, patience > .zero else {
                throw ClientGone()
            }
            patience -= .now - start
            start = .now
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// True once the client has closed the connection, or the server ends.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
}
