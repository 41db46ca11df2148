import DaybookLibC
import Synchronization

/// A server of HTTP/1.1 for a page in a browser of the same machine.
///
/// It answers on 127.0.0.1 only, and knows nothing of what its handler answers. Each connection has
/// a thread. Whoever has not shown the token may be any user of the machine: the oldest of these
/// strangers makes room for the newest, and none takes a place of those who have shown it.
package final class Server: Sendable {
    /// Function that answers a request, on the thread of its connection; `isGone` is true once the
    /// client has closed the connection, or the server ends.
    package typealias Handler =
        @Sendable (Request, _ isGone: @escaping @Sendable () -> Bool) -> Response

    /// The port that the system has chosen.
    package let port: UInt16
    package let access: Access
    private let listener: Socket
    private let connections = Mutex(Connections())
    /// The open connections, the oldest first.
    private struct Connections: Sendable {
        var (known, strangers): ([Socket], [Socket]) = ([], [])
        var isStopped = false
        /// Largest numbers of connections at once.
        static let (limit, strangerLimit) = (32, 128)

        /// Adds a stranger in place of the oldest one; returns `false` if that is too young.
        mutating func add(_ socket: Socket) -> Bool {
            if strangers.count >= Self.strangerLimit {
                guard .now - strangers[0].openedAt > .milliseconds(200) else { return false }
                strangers.removeFirst().end()
            }
            isStopped ? socket.end() : strangers.append(socket)
            return true
        }

        /// Gives a stranger a place among the known connections; returns `false` if all are taken.
        mutating func admit(_ socket: Socket) throws(ClientGone) -> Bool {
            if known.contains(where: { $0 === socket }) { return true }
            guard strangers.contains(where: { $0 === socket }) else { throw ClientGone() }
            guard known.count < Self.limit else { return false }
            remove(socket)
            known.append(socket)
            return true
        }

        mutating func remove(_ socket: Socket) {
            known.removeAll { $0 === socket }
            strangers.removeAll { $0 === socket }
        }
    }

    /// Opens the port and begins to answer.
    package init(_ handler: @escaping Handler) throws(ServerError) {
        (listener, port) = try Socket.listening()
        access = Access(port: port)
        let isStarted = Threads.detach { [self] in
            while let socket = listener.accept() { serve(socket, handler) }
        }
        guard isStarted else { throw ServerError() }
    }

    /// Ends all connections, and waits at most two seconds until the handlers have returned.
    package func stop() {
        listener.end()
        connections.withLock { connections in
            connections.isStopped = true
            for socket in connections.known + connections.strangers { socket.end() }
        }
        let deadline = ContinuousClock.now + .seconds(2)
        while connections.withLock({ !($0.known + $0.strangers).isEmpty }), .now < deadline {
            usleep(2_000)
        }
    }

    /// Starts a thread for a connection, once there is room.
    private func serve(_ socket: Socket, _ handler: @escaping Handler) {
        while connections.withLock({ !$0.add(socket) }) { usleep(1_000) }
        let isStarted = Threads.detach { [self] in
            Connection(socket: socket, access: access, handler: handler) { () throws(ClientGone) in
                try self.admit(socket)
            }.serve()
            connections.withLock { $0.remove(socket) }
        }
        if !isStarted { connections.withLock { $0.remove(socket) } }
    }

    /// Waits until a client that has shown the token has a place.
    private func admit(_ socket: Socket) throws(ClientGone) {
        while try connections.withLock({ (all) throws(ClientGone) in try !all.admit(socket) }) {
            guard !socket.isClosed else { throw ClientGone() }
            usleep(5_000)
        }
    }
}
