import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// Changes to the file by another process, which Python plays.
@Suite(.enabled(if: Python.hasLMDB, "needs Python's lmdb package"))
struct OtherProcessTests {
    private func environment(
        _ folder: TemporaryFolder, maxReaders: UInt32 = 1_024, mapSize: Int = 1 << 20
    ) throws -> (Environment, Table) {
        var options = Environment.Options()
        options.maxReaders = maxReaders
        options.mapSize = mapSize
        let environment = try Environment(path: folder.path("file"), options: options)
        let table = try #require(try environment.open([("rows", .integers)]).first)
        return (environment, table)
    }

    @Test("A reader that was killed gives its slot back")
    func aReaderThatWasKilledGivesItsSlotBack() throws {
        let folder = try TemporaryFolder()
        let (environment, _) = try environment(folder, maxReaders: 2)
        let first = try ReadTransaction(in: environment)
        let answer = try Python.run(
            """
            import lmdb, os, sys
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4)
            txn = env.begin()
            os.kill(os.getpid(), 9)
            """, [folder.path("file")])
        #expect(answer.code == 9)
        // Both slots are taken, one of them by the dead.
        do {
            let second = try ReadTransaction(in: environment)
            #expect(throws: LMDBError.readersFull) { _ = try ReadTransaction(in: environment) }
            _ = second.pages
        }
        _ = first.pages
    }

    @Test("A reader that is killed within a read does not make the file of an open writer grow")
    func aKilledReaderKeepsNoPages() throws {
        let folder = try TemporaryFolder()
        let (environment, table) = try environment(folder, mapSize: 64 << 20)
        /// Replaces one row, which frees the pages of the one before.
        func replaceRow(_ count: Int) throws {
            let value = [UInt8](repeating: 7, count: 30_000)
            for _ in 0..<count {
                var transaction = try WriteTransaction(in: environment, isDurable: false)
                try transaction.put(value.rawSpan, for: UInt64(1), in: table)
                try transaction.commit()
            }
        }
        try replaceRow(20)
        let answer = try Python.run(
            """
            import lmdb, os, sys
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4)
            txn = env.begin()
            os.kill(os.getpid(), 9)
            """, [folder.path("file")])
        #expect(answer.code == 9)
        #expect(environment.activeReaders().count == 1)
        let before = environment.usedBytes
        try replaceRow(200)
        #expect(environment.activeReaders().isEmpty)
        // The look is due after a mebibyte; without it, 200 rows of eight pages are kept.
        #expect(environment.usedBytes - before < 2 << 20)
    }

    @Test("A reader is listed with its command, and with the bytes that nobody can use meanwhile")
    func listsReaders() throws {
        let folder = try TemporaryFolder()
        let (environment, table) = try environment(folder)
        let value = [UInt8](repeating: 7, count: 9_000)
        func replaceRow() throws {
            var transaction = try WriteTransaction(in: environment)
            try transaction.put(value.rawSpan, for: UInt64(1), in: table)
            try transaction.commit()
        }
        try replaceRow()
        #expect(environment.activeReaders().isEmpty)
        do {
            let early = try ReadTransaction(in: environment)
            for _ in 0..<3 { try replaceRow() }
            let reader = try #require(environment.activeReaders().first)
            #expect(reader == ActiveReader(processID: getpid(), state: early.stateNumber))
            let hasProc = FileManager.default.fileExists(atPath: "/proc/self/maps")
            #expect((environment.commandName(of: reader) != nil) == hasProc)
            let now = try ReadTransaction(in: environment)
            #expect(now.stateNumber == early.stateNumber + 3)
            #expect(try now.pages.bytesKept(for: early.stateNumber) >= 2 * 9_000)
            #expect(try now.pages.bytesKept(for: now.stateNumber) == 0)
        }
        let stranger = ActiveReader(processID: 1, state: 1)
        #expect(environment.commandName(of: stranger) == nil)
    }

    @Test("A map that another process has grown remains readable")
    func aMapThatAnotherProcessHasGrownIsReadOn() throws {
        let folder = try TemporaryFolder()
        let (environment, table) = try environment(folder)
        let answer = try Python.run(
            """
            import lmdb, struct, sys
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4, map_size=64 << 20)
            rows = env.open_db(b"rows", integerkey=True)
            with env.begin(write=True) as txn:
                for key in range(1, 10001):
                    txn.put(struct.pack("<Q", key), bytes(1000), db=rows)
            """, [folder.path("file")])
        #expect(answer.code == 0)
        #expect(try ReadTransaction(in: environment).count(of: table) == 10_000)
        var transaction = try WriteTransaction(in: environment)
        let value: [UInt8] = [1]
        try transaction.append(value.rawSpan, for: UInt64(10_001), to: table)
        try transaction.commit()
        #expect(try ReadTransaction(in: environment).lastKey(of: table) == 10_001)
    }

    @Test("A map that another process grows again and again is followed by every transaction")
    func followsGrowth() throws {
        let folder = try TemporaryFolder()
        let (environment, table) = try environment(folder)
        let script = """
            import lmdb, struct, sys
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4, map_size=1 << 31)
            rows = env.open_db(b"rows", integerkey=True)
            for key in range(1, 601):
                with env.begin(write=True) as txn:
                    txn.put(struct.pack("<Q", key), bytes(100_000), db=rows)
            """
        let writer = try Program(["python3", "-c", script, folder.path("file")])
        var last: UInt64 = 0
        while last < 600, writer.isRunning || last == 0 {
            let transaction = try ReadTransaction(in: environment)
            let found = try transaction.lastKey(of: table) ?? 0
            #expect(found >= last)
            last = found
        }
        #expect(try writer.end().code == 0)
        #expect(try ReadTransaction(in: environment).lastKey(of: table) == 600)
    }

    @Test("A reader keeps the map from growing, and nothing is written")
    func aReaderKeepsTheMapFromGrowingAndNothingIsWritten() throws {
        let folder = try TemporaryFolder()
        let (environment, table) = try environment(folder)
        let reader = try ReadTransaction(in: environment)
        #expect(throws: LMDBError.mapFull) { try environment.growMap() }
        #expect(try reader.count(of: table) == 0)
        #expect(environment.mapSize == 1 << 20)
    }
}

/// A log that is read where its lock file may not be written.
@Suite(
    .enabled(
        if: Python.hasLMDB && ReadOnlyMount.isPossible,
        "needs Python's lmdb package and the right to mount"))
struct ReadingWithoutLockTests {
    /// Commits `count` times from another process.
    private func commit(_ path: String, _ count: Int) throws {
        let answer = try Python.run(
            """
            import lmdb, struct, sys
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4, map_size=1 << 30)
            rows = env.open_db(b"rows", integerkey=True)
            for key in range(int(sys.argv[2])):
                with env.begin(write=True) as txn:
                    txn.put(struct.pack("<Q", 1), bytes([key % 256] * 8), db=rows)
            """, [path, String(count)])
        #expect(answer.code == 0)
    }

    @Test("A read without a lock is reported as doubtful from two concurrent commits on")
    func changes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        do {
            let environment = try Environment(path: path)
            _ = try environment.open([("rows", .integers)])
        }
        try commit(path, 3)
        let mount = try ReadOnlyMount(binding: folder.url.path, at: folder.path("view"))
        var options = Environment.Options()
        options.isReadOnly = true
        let environment = try Environment(path: mount.path + "/file", options: options)
        #expect(environment.hasNoLock)
        let table = Table(reading: "rows", .integers)
        let number = try environment.newestTransactionNumber()
        let transaction = try ReadTransaction(in: environment)
        #expect(try transaction.count(of: table) == 1)
        try environment.checkUnchanged(since: number)
        try commit(path, 1)
        #expect(try environment.newestTransactionNumber() == number + 1)
        try environment.checkUnchanged(since: number)
        try commit(path, 1)
        #expect(throws: LMDBError.changedWhileReading) {
            try environment.checkUnchanged(since: number)
        }
    }

    @Test("A reader with a lock is never told to read again")
    func withLock() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        let environment = try Environment(path: path)
        _ = try environment.open([("rows", .integers)])
        #expect(!environment.hasNoLock)
        let number = try environment.newestTransactionNumber()
        try commit(path, 5)
        #expect(try environment.newestTransactionNumber() == number + 5)
        try environment.checkUnchanged(since: number)
    }
}

/// A disk without room.
@Suite(.enabled(if: ReadOnlyMount.isPossible, "needs the right to mount"))
struct FullDiskTests {
    @Test("A full disk is called full, and leaves the file as it was")
    func full() throws {
        let folder = try TemporaryFolder()
        let mount = try ReadOnlyMount(folder.path("medium"), size: "1m")
        let path = mount.path + "/file"
        do {
            let environment = try Environment(path: path)
            let table = try environment.open([("rows", .integers)])[0]
            let value = [UInt8](repeating: 7, count: 100_000)
            var key: UInt64 = 0
            var refused: LMDBError?
            while refused == nil, key < 100 {
                key += 1
                do throws(LMDBError) {
                    var transaction = try WriteTransaction(in: environment)
                    try transaction.put(value.rawSpan, for: key, in: table)
                    try transaction.commit()
                } catch {
                    refused = error
                }
            }
            #expect(refused == .diskFull)
            #expect(try ReadTransaction(in: environment).count(of: table) == Int(key) - 1)
        }
        // Not even the lock file finds room.
        try FileManager.default.removeItem(atPath: path + "-lock")
        let filler = mount.path + "/filler"
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
        let expected = OpenError.lockFile(path: path + "-lock", .diskFull)
        // A process that another test starts meanwhile keeps the removed file until it runs its
        // program; its room is free from then on.
        let isFull = Wait.until {
            while (try? handle.write(contentsOf: Data(count: 512))) != nil {}
            do {
                _ = try Environment(path: path)
            } catch {
                return error as? OpenError == expected
            }
            unlink(path + "-lock")
            return false
        }
        #expect(isFull)
        try handle.close()
        var options = Environment.Options()
        options.isReadOnly = true
        let environment = try Environment(path: path, options: options)
        #expect(environment.hasNoLock)
        let table = Table(reading: "rows", .integers)
        #expect(try ReadTransaction(in: environment).count(of: table) > 0)
    }
}

/// A file on a medium that cannot be written: a folder that is mounted read-only.
@Suite(.enabled(if: ReadOnlyMount.isPossible, "needs the right to mount"))
struct ReadOnlyMediaTests {
    @Test("A file on read-only media is read without a lock file")
    func aFileOnReadOnlyMediaIsReadWithoutALockFile() throws {
        let folder = try TemporaryFolder()
        let mount = try ReadOnlyMount(folder.path("medium")) { path in
            let environment = try Environment(path: path + "/file")
            let table = try #require(try environment.open([("rows", .integers)]).first)
            var transaction = try WriteTransaction(in: environment)
            let value: [UInt8] = [1]
            try transaction.put(value.rawSpan, for: UInt64(1), in: table)
            try transaction.commit()
        }
        try FileManager.default.contentsOfDirectory(atPath: mount.path).forEach { _ in }
        var options = Environment.Options()
        options.isReadOnly = true
        let environment = try Environment(path: mount.path + "/file", options: options)
        let table = Table(reading: "rows", .integers)
        #expect(try ReadTransaction(in: environment).count(of: table) == 1)
        #expect(throws: OpenError.self) { try Environment(path: mount.path + "/other") }
    }
}
