#if PostgreSQL
    import DaybookLibC
    import Foundation
    import Synchronization
    import TestSupport

    /// A socket that passes the messages between clients and a server, until a certain one.
    final class CuttingProxy: Sendable {
        /// The fate of a message and all after it.
        enum Fault: Sendable {
            /// The connection is cut before the message.
            case cut
            /// The connection is cut in the middle of the message.
            case cutWithin
            /// The connection is cut before the message, and each later one after as many messages.
            case cutAgain
            /// Nothing more is passed, and nothing is closed.
            case silence
            /// One bit of the message is changed, chosen by a number; only this message.
            case change(Int)
            /// A number becomes another one where the message first has it, as four bytes or as a
            /// digit after a space; only in this message.
            case replace(UInt8, by: UInt8)
        }

        let folder: TemporaryFolder
        private let target: String
        private let fault: Fault
        private let limit: Int
        private let socket: CInt
        /// The number of messages that are passed before the fault, of all connections.
        private let left: Mutex<Int>
        private let open = Mutex<[CInt]>([])
        private let cuts = Mutex(0)

        /// The number of connections that were cut.
        var cutCount: Int { cuts.withLock { $0 } }

        /// The number of messages that have come.
        var count: Int { left.withLock { limit - $0 } }

        /// True once the message of the fault has come.
        var isFaulty: Bool { left.withLock { $0 < 0 } }

        init(to folder: String, after count: Int, _ fault: Fault) throws {
            self.folder = try TemporaryFolder()
            target = folder + "/.s.PGSQL.5432"
            self.fault = fault
            limit = count
            left = Mutex(count)
            socket = DaybookLibC.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
            let bound = Self.withAddress(self.folder.path(".s.PGSQL.5432")) { bind(socket, $0, $1) }
            guard bound == 0, listen(socket, 16) == 0 else {
                throw PostgresServer.Failed(what: "no socket of the proxy")
            }
            Thread.detachNewThread { [self] in accept() }
        }

        /// Ends all connections, and takes no more.
        func close() {
            shutdown(socket, CInt(SHUT_RDWR))
            _ = DaybookLibC.close(socket)
            open.withLock { $0.forEach { shutdown($0, CInt(SHUT_RDWR)) } }
        }

        private static func withAddress<Result>(
            _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        private func accept() {
            while true {
                let client = DaybookLibC.accept(socket, nil, nil)
                guard client >= 0 else { return }
                let server = DaybookLibC.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
                guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                    _ = DaybookLibC.close(client)
                    _ = DaybookLibC.close(server)
                    continue
                }
                open.withLock { $0 += [client, server] }
                // The first message of a client has no letter before its length.
                let passing = DispatchGroup()
                for (source, target, letterCount) in [(client, server, 0), (server, client, 1)] {
                    passing.enter()
                    Thread.detachNewThread { [self] in
                        pass(source, target, letterCount: letterCount)
                        passing.leave()
                    }
                }
                passing.notify(queue: .global()) { [self] in
                    open.withLock { open in
                        open.removeAll { $0 == client || $0 == server }
                        _ = DaybookLibC.close(client)
                        _ = DaybookLibC.close(server)
                    }
                }
            }
        }

        /// Passes messages in one direction.
        private func pass(_ source: CInt, _ target: CInt, letterCount: Int) {
            var letterCount = letterCount
            var buffer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(source, &chunk, chunk.count, 0)
                guard count > 0 else { break }
                buffer += chunk[..<count]
                while let size = Self.size(buffer, letterCount), size <= buffer.count {
                    let message = Array(buffer[..<size])
                    buffer.removeSubrange(..<size)
                    letterCount = 1
                    guard deliver(message, to: target, and: source) else { return }
                }
            }
            shutdown(target, CInt(SHUT_RDWR))
        }

        /// The number of bytes of the message at the start of a buffer.
        private static func size(_ buffer: [UInt8], _ letterCount: Int) -> Int? {
            guard buffer.count >= letterCount + 4 else { return nil }
            return buffer[letterCount..<letterCount + 4].reduce(0) { $0 << 8 | Int($1) }
                + letterCount
        }

        /// Passes a message, unless its time has come; false if nothing more is passed.
        private func deliver(_ message: [UInt8], to target: CInt, and source: CInt) -> Bool {
            let number = left.withLock { left in
                left -= 1
                return left
            }
            var message = message
            let isFirst = number == -1
            if number < 0 {
                switch fault {
                case .silence: return false
                case .change(let bit):
                    guard isFirst else { break }
                    let place = bit % (message.count * 8)
                    message[place / 8] ^= 1 << UInt8(place % 8)
                case .replace(let number, let other):
                    guard isFirst else { break }
                    let place = message.indices.dropFirst(8).first { place in
                        message[place - 1...place] == [0x20, 0x30 + number]
                            || message[place - 3...place] == [0, 0, 0, number]
                    }
                    guard let place else { break }
                    message[place] = message[place] == number ? other : 0x30 + other
                case .cutWithin:
                    send(message[..<(message.count / 2)], to: target)
                    fallthrough
                case .cut, .cutAgain:
                    if case .cutAgain = fault { left.withLock { $0 = limit } }
                    cuts.withLock { $0 += 1 }
                    shutdown(target, CInt(SHUT_RDWR))
                    shutdown(source, CInt(SHUT_RDWR))
                    return false
                }
            }
            return send(message[...], to: target)
        }

        @discardableResult
        private func send(_ bytes: ArraySlice<UInt8>, to target: CInt) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    DaybookLibC.send(target, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
#endif
