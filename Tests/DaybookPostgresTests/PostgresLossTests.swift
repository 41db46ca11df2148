#if PostgreSQL
    import Daybook
    @testable import DaybookLog
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import DaybookPostgres

    /// Connections that break, servers that are silent or killed.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
    struct PostgresLossTests {
        /// A caller's knowledge after an append.
        private enum Outcome: Equatable {
            case written, unwritten, unknown
        }

        /// Appends one commit through a proxy, with or without the lock.
        private func append(_ batch: StoreBatch, to store: PostgresStore, locks: Bool) -> Outcome {
            do {
                if locks {
                    _ = try store.lock(after: batch.end.head)
                }
                let answer = try store.append(batch)
                return answer.outcomes == [.written(batch.end.head.position.rawValue + 1)]
                    ? .written : .unwritten
            } catch LogError.store(.unknown) {
                return .unknown
            } catch LogError.store(.unreachable) {
                return .unwritten
            } catch {
                Issue.record("\(error)")
                return .unknown
            }
        }

        @Test(
            "A connection that is cut at any message leaves one commit, and its outcome is found",
            arguments: [false, true])
        func cuts(locks: Bool) throws {
            let log = try TestLog()
            let folder = log.server.folder.url.path
            let whole = try CuttingProxy(to: folder, after: 10_000, .silence)
            let sound = try log.store(through: whole.folder.url.path)
            let opening = whole.count
            let first = try log.store.maker().batch([Request()])
            #expect(append(first, to: sound, locks: locks) == .written)
            let all = whole.count
            whole.close()
            #expect(all > opening + 20)
            var outcomes: [Outcome] = []
            for cut in opening - 2...all {
                let fault = cut.isMultiple(of: 2) ? CuttingProxy.Fault.cut : .cutWithin
                let proxy = try CuttingProxy(to: folder, after: cut, fault)
                defer { proxy.close() }
                let batch = try log.store.maker().batch([Request(payload: Array("\(cut)".utf8))])
                guard let store = try? log.store(through: proxy.folder.url.path) else { continue }
                let outcome = append(batch, to: store, locks: locks)
                outcomes.append(outcome)
                let (end, firsts) = try log.store.outcomes(of: batch.commits.map(\.digest))
                let first = batch.end.head.position.rawValue + 1
                switch outcome {
                case .written: #expect(firsts == [first])
                case .unwritten: #expect(firsts == [nil])
                case .unknown: #expect(firsts == [nil] || firsts == [first])
                }
                if firsts == [nil] {
                    #expect(end.isSame(as: batch.end))
                    // The lost call may still arrive; then the digest is known.
                    let again = try log.store.append(batch)
                    #expect([[.written(first)], [.repeated(first)]].contains(again.outcomes))
                }
                #expect(try log.store.end().head.position.rawValue == first)
            }
            #expect(outcomes.first != .written)
            #expect(outcomes.last == .written)
            #expect(outcomes.contains(.unknown))
        }

        @Test("A log over a store appends each request once, though its connections are cut again")
        func cutAgain() throws {
            let log = try TestLog()
            let proxy = try CuttingProxy(
                to: log.server.folder.url.path, after: 149, .cutAgain)
            defer { proxy.close() }
            let catalogue = try Catalogue([Notes.self])
            func untilDone<Value>(_ body: () throws -> Value) throws -> Value {
                var failures: [String] = []
                while failures.count < 200 {
                    do {
                        return try body()
                    } catch {
                        failures.append("\(error)")
                    }
                }
                throw PostgresServer.Failed(what: failures.suffix(3).joined(separator: "; "))
            }
            let store = try untilDone { try log.store(through: proxy.folder.url.path) }
            let replica = try untilDone {
                try EventLog.replica(
                    of: store, path: log.folder.path("replica"), hasKeys: true,
                    catalogue: catalogue)
            }
            let count: Int64 = 40
            for number in 0..<count {
                let event = NewEvent(
                    Note(number, topics: ["\(number % 3)"], secret: "text \(number)"),
                    occurredAt: Instant(microseconds: number))
                let request = AppendRequest(
                    [event], idempotency: .init(key: "key \(number)", asked: []))
                let receipt = try untilDone { try replica.append(request) }
                #expect(receipt?.first.rawValue == UInt64(number) + 1)
            }
            let other = try EventLog.replica(
                of: log.store, path: log.folder.path("other"), hasKeys: true,
                catalogue: catalogue)
            #expect(try other.head().rawValue == UInt64(count))
            #expect(try other.chainHead() == replica.chainHead())
            #expect(try other.verify(against: catalogue).isSound)
            #expect(proxy.cutCount > 3)
        }

        @Test("A connection that is cut is made again by the next call")
        func reconnects() throws {
            let log = try TestLog()
            let name = "cut-\(log.name)"
            let store = try PostgresStore(
                try PostgresAddress(
                    "postgres://daybook@/logs?host=\(log.server.folder.url.path)"
                        + "&application_name=\(name)&log=\(log.name)"), keys: log.keys)
            try store.append([Request()])
            // Waits until the sessions have ended.
            let ended = try log.server.run(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity "
                    + "where application_name = '\(name)'")[0]
            #expect(ended.rowCount == 2)
            #expect(try store.append([Request()]).outcomes == [.written(2)])
        }

        @Test("A silent server is given up at the deadline: unknown in an append, else unreachable")
        func silence() throws {
            let log = try TestLog()
            let deadline = Duration.milliseconds(300)
            var counts = [0, 0]
            for count in stride(from: 6, to: 200, by: 7) {
                let proxy = try CuttingProxy(
                    to: log.server.folder.url.path, after: count, .silence)
                defer { proxy.close() }
                do {
                    let store = try log.store(
                        through: proxy.folder.url.path, deadline: deadline)
                    let batch = try log.store.maker().batch([Request()])
                    switch append(batch, to: store, locks: false) {
                    case .unknown:
                        counts[0] += 1
                        let error = #expect(throws: LogError.self) { try store.end() }
                        guard case .store(.unreachable) = error else {
                            Issue.record("\(String(describing: error))")
                            continue
                        }
                    case .written, .unwritten: break
                    }
                } catch LogError.store(.unreachable) {
                    counts[1] += 1
                }
                if !proxy.isFaulty { break }
            }
            #expect(counts.allSatisfy { $0 > 0 })
        }

        @Test(
            "Changed bits in messages of the server end in errors or right answers, never a crash")
        func changedMessages() throws {
            let log = try TestLog()
            try log.store.append([Request("t:1", peopleCount: 1, texts: [1]), Request("t:2")])
            let whole = try #require(try log.store.segment(after: .origin, most: 10))
            let end = try log.store.end()
            let begun = try #require(try log.store.segment(after: .origin, most: 1))
            let ends = try [whole, begun].map { try SegmentReader($0, named: "whole").end.head }
            let heads = ends + [.origin]
            var generator = SeededGenerator(seed: 77)
            var errorCount = 0
            for _ in Cases.sample(0..<280) {
                let proxy = try CuttingProxy(
                    to: log.server.folder.url.path,
                    after: Int.random(in: 10..<80, using: &generator),
                    .change(Int.random(in: 0..<(1 << 20), using: &generator)))
                defer { proxy.close() }
                do {
                    let store = try log.store(
                        through: proxy.folder.url.path, deadline: .milliseconds(300))
                    let first = try store.segment(after: .origin, most: 10)
                    let second = try store.segments.bulkSegment(after: .origin, most: 10)
                    // What has checksums or a chain is right; a clock or a count need not be, so
                    // that a segment may end with an earlier commit.
                    for bytes in [first, second?.bytes] {
                        let found = try SegmentReader(try #require(bytes), named: "changed")
                        #expect(heads.contains(found.end.head))
                    }
                    _ = try store.outcomes(of: [[UInt8](repeating: 1, count: 16)])
                } catch {
                    #expect(error is LogError)
                    errorCount += 1
                }
            }
            #expect(errorCount > 0)
            #expect(try log.store.end().isSame(as: end))
        }

        @Test("Changed numbers of logs in messages end in errors, never in commits of another log")
        func changedNumbers() throws {
            let server = try PostgresServer()
            let logs = try (0..<3).map { _ in try TestLog(server) }
            for (number, log) in logs.enumerated() {
                for payload in [[UInt8(number)], []] {
                    try log.store.append([Request(payload: payload)])
                }
            }
            let log = logs[2]
            let end = try log.store.end()
            /// Opens the log through a proxy, and reads it all.
            ///
            /// - Returns: the number of messages of the opening, and the heads that were read.
            func read(
                through proxy: CuttingProxy, deadline: Duration
            ) throws -> (opening: Int, heads: [Head]) {
                let store = try log.store(through: proxy.folder.url.path, deadline: deadline)
                let opening = proxy.count
                let segments = [
                    try store.segment(after: .origin, most: 10),
                    try store.segments.bulkSegment(after: .origin, most: 10)?.bytes,
                ]
                let heads = try segments.map {
                    try SegmentReader(try #require($0), named: "changed").end.head
                }
                return (opening, heads + [try store.end().head])
            }
            let sound = try CuttingProxy(to: server.folder.url.path, after: 10_000, .silence)
            defer { sound.close() }
            let whole = try read(through: sound, deadline: .seconds(60))
            #expect(whole.heads == [end.head, end.head, end.head])
            var rightCount = 0
            var errorCount = 0
            // The number of the log is 3. The last messages of an opening have it, and later ones.
            for message in whole.opening - 6..<sound.count {
                let proxy = try CuttingProxy(
                    to: server.folder.url.path, after: message, .replace(3, by: 1))
                defer { proxy.close() }
                do {
                    let heads = try read(through: proxy, deadline: .seconds(2)).heads
                    #expect(heads == whole.heads, "message \(message) of \(sound.count)")
                    rightCount += 1
                } catch {
                    #expect(error is LogError)
                    errorCount += 1
                }
            }
            #expect(rightCount > 10)
            #expect(errorCount > 5)
        }

        @Test(
            "Of commits that were acknowledged while the server was killed, none is lost or twice")
        func killedServer() throws {
            let server = try PostgresServer()
            let log = try TestLog(server)
            let acknowledged = Mutex<[String: UInt64]>([:])
            let isEnding = Atomic(false)
            let finished = DispatchSemaphore(value: 0)
            let writerCount = 3
            for writer in 0..<writerCount {
                let store = try log.store(deadline: .seconds(2))
                Thread.detachNewThread {
                    var number = 0
                    while !isEnding.load(ordering: .relaxed) {
                        let key = "\(writer):\(number)"
                        let payload = Array(key.utf8)
                        let request = Request("w:\(writer)", payload: payload, key: key)
                        if let first = try? Self.appendSurely(request, to: store) {
                            acknowledged.withLock { $0[key] = first }
                            number += 1
                        } else {
                            Pause.sleep(.milliseconds(20))
                        }
                    }
                    finished.signal()
                }
            }
            func waitForFive() {
                let known = acknowledged.withLock(\.count)
                #expect(Wait.until { acknowledged.withLock(\.count) >= known + 5 })
            }
            for _ in 0..<3 {
                waitForFive()
                try server.crash()
            }
            waitForFive()
            isEnding.store(true, ordering: .relaxed)
            for _ in 0..<writerCount { finished.wait() }
            let rows = try server.run(
                "select position, encode(substr(value, 33 + daybook.uint16(value, 30), "
                    + "length(value) - 40 - daybook.uint16(value, 30)), 'escape') "
                    + "from daybook.events order by position")[0]
            var stored: [String: UInt64] = [:]
            for row in 0..<rows.rowCount {
                let key = try rows.text(row, 1)
                #expect(stored[key] == nil)
                stored[key] = UInt64(try rows.text(row, 0))
            }
            let known = acknowledged.withLock { $0 }
            #expect(known.allSatisfy { stored[$0.key] == $0.value })
            // At most one commit of each writer may be there without its acknowledgement.
            #expect(stored.count <= known.count + writerCount)
        }

        /// Appends a request with a key until its place is known; throws if the server is gone.
        private static func appendSurely(
            _ request: Request, to store: PostgresStore
        ) throws -> UInt64 {
            while true {
                do {
                    switch try store.append([request]).outcomes[0] {
                    case .written(let first), .repeated(let first): return first
                    default: continue
                    }
                } catch LogError.store(.unknown) {
                    continue
                }
            }
        }
    }
#endif
