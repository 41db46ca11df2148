import Daybook
import DaybookLMDB
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DaybookLog

/// Logs that cannot be opened or written for reasons outside of them.
@Suite struct OpeningTests {
    private static let day: Int64 = 86_400_000_000

    private func request(key: String? = nil) -> AppendRequest {
        AppendRequest(
            [NewEvent(Note(1), occurredAt: Instant(microseconds: 0))],
            idempotency: key.map { .init(key: $0, asked: [1]) })
    }

    private func log(
        _ folder: TemporaryFolder, at time: Int64, ignoresClockLead: Bool = false
    ) throws -> EventLog {
        try EventLog(
            path: folder.path("log"), access: .create,
            clock: { Instant(microseconds: time) }, ignoresClockLead: ignoresClockLead)
    }

    @Test("Nothing new is appended while the log is over a day ahead of the clock")
    func clockLead() throws {
        let folder = try TemporaryFolder()
        let ahead = 10 * Self.day
        do { _ = try log(folder, at: ahead).append(request(key: "k")) }
        do {
            let log = try log(folder, at: ahead - Self.day)
            #expect(try log.file.clockLead() == nil)
            #expect(try log.append(request())?.recordedAt.microseconds == ahead)
        }
        do {
            let log = try log(folder, at: ahead - Self.day - 1)
            let lead = try #require(try log.file.clockLead())
            let error = AppendError.log(.clockBehind(recordedAt: lead.recordedAt, now: lead.now))
            #expect(throws: error) { try log.append(request()) }
            // What is recorded already is no new commit.
            #expect(try log.append(request(key: "k"))?.isRepeated == true)
            #expect(try log.head() == Position(2))
        }
        let forced = try log(folder, at: 0, ignoresClockLead: true)
        #expect(try forced.append(request())?.recordedAt.microseconds == ahead)
    }

    @Test(
        "Damage is not named where a writer may have reused the pages that were read",
        .enabled(
            if: Python.hasLMDB && ReadOnlyMount.isPossible,
            "needs Python's lmdb package and the right to mount"))
    func overtaken() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"), withIntermediateDirectories: true)
        let path = folder.path("folder/log")
        do { _ = try EventLog(path: path, access: .create) }
        let view = try ReadOnlyMount(binding: folder.path("folder"), at: folder.path("view"))
        let opened = { () -> String? in
            do throws(LogError) {
                return try EventLog(path: view.path + "/log", access: .read).isReadWithoutLock
                    ? nil : "a lock"
            } catch { return "\(error)" }
        }
        #expect(opened() == nil)
        // Another process damages the rows that opening reads, and then commits without end.
        let mark = folder.path("go on")
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
        let script = """
            import lmdb, os, sys, time
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=99, map_size=1 << 30, sync=False)
            meta, other = env.open_db(b"meta"), env.open_db(b"other")
            with env.begin(write=True) as txn:
                for key, value in list(txn.cursor(db=meta)):
                    txn.put(key, value[:-1] + bytes([value[-1] ^ 1]), db=meta)
            while os.path.exists(sys.argv[2]):
                time.sleep(0.0002)
                with env.begin(write=True) as txn:
                    txn.put(b"a", os.urandom(8), db=other)
            """
        Thread { _ = try? Python.run(script, [path, mark]) }.start()
        let changed = "\(LogError.storage(.changedWhileReading))"
        #expect(Wait.until { opened() == changed })
        try FileManager.default.removeItem(atPath: mark)
        #expect(Wait.until { opened()?.hasPrefix("the log is damaged: ") == true })
    }

    @Test(
        "A log of which nothing was written is no foreign file, and is begun where that is meant",
        arguments: ["empty", "zeros", "torn", "without tables"])
    func neverBegun(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        try Data().write(to: URL(fileURLWithPath: path))
        if kind == "torn" {
            // As the loss of power in the first transaction may leave it: pages of that are there,
            // and the second page is not.
            do { _ = try Environment(path: path) }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4_096)
            bytes += Data(count: 4_096) + Data(repeating: 7, count: 8_192)
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        if kind == "zeros" { try Data(count: 8_192).write(to: URL(fileURLWithPath: path)) }
        if kind == "without tables" {
            // As it is left by a process that was killed before its first transaction.
            _ = try Environment(path: path)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 8_192)
        }
        for access in [EventLog.Access.read, .write] {
            #expect(throws: LogError.open(.neverBegun(path: path))) {
                try EventLog(path: path, access: access)
            }
        }
        let log = try EventLog(path: path, access: .create)
        #expect(try log.append(request())?.last == Position(1))
    }

    @Test("A writer that does not end is an error with its name and not a wait without end")
    func locked() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(
            path: folder.path("log"), access: .create, writeWait: .milliseconds(20))
        do {
            let transaction = try WriteTransaction(in: log.file.environment)
            #expect(throws: AppendError.log(.storage(.locked))) { try log.append(request()) }
            #expect(throws: LogError.storage(.locked)) { try log.reindex(afresh: true) }
            #expect(try log.head() == .origin)
            _ = transaction.pages
        }
        #expect(try log.append(request())?.last == Position(1))
    }
}
