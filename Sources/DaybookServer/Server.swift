import DaybookLibC
import Synchronization

/// A server of HTTP/1.1 for a page in a browser of the same machine.
///
/// It answers on 127.0.0.1 only, and knows nothing of what its handler answers. Each connection has
/// a thread.
package final class Server: Sendable {
    /// Function that answers a request; called on the thread of the connection.
    ///
    /// `isGone` is true once the client has closed the connection, or the server ends.
    package typealias Handler =
        @Sendable (Request, _ isGone: @escaping @Sendable () -> Bool) -> Response

    /// Largest number of connections at once; further ones wait.
    private static let connectionLimit = 32
    /// The port that the system has chosen.
    package let port: UInt16
    /// The conditions under which a request is answered.
    package let access: Access
    private let listener: Socket
    private let connections = Mutex(Connections())

    /// The open connections.
    private struct Connections: Sendable {
        var sockets: [ObjectIdentifier: Socket] = [:]
        var isStopped = false
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
            for socket in connections.sockets.values { socket.end() }
        }
        let deadline = ContinuousClock.now + .seconds(2)
        while connections.withLock({ !$0.sockets.isEmpty }), .now < deadline { usleep(2_000) }
    }

    /// Starts a thread for a connection, once there are few enough.
    private func serve(_ socket: Socket, _ handler: @escaping Handler) {
        let id = ObjectIdentifier(socket)
        while connections.withLock({ $0.sockets.count >= Self.connectionLimit }) { usleep(5_000) }
        let isStopped = connections.withLock { connections in
            if !connections.isStopped { connections.sockets[id] = socket }
            return connections.isStopped
        }
        guard !isStopped else { return }
        let isStarted = Threads.detach { [self] in
            Connection(socket: socket, access: access, handler: handler).serve()
            connections.withLock { _ = $0.sockets.removeValue(forKey: id) }
        }
        if !isStarted { connections.withLock { _ = $0.sockets.removeValue(forKey: id) } }
    }
}
