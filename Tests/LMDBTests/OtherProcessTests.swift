import Foundation
import TestSupport
import Testing

@testable import LMDB

/// What another process does to the file, played by Python.
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

    @Test func aReaderThatWasKilledGivesItsSlotBack() throws {
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

    @Test func aMapThatAnotherProcessHasGrownIsReadOn() throws {
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

    @Test func aReaderKeepsTheMapFromGrowingAndNothingIsWritten() throws {
        let folder = try TemporaryFolder()
        let (environment, table) = try environment(folder)
        let reader = try ReadTransaction(in: environment)
        #expect(throws: LMDBError.mapFull) { try environment.growMap() }
        #expect(try reader.count(of: table) == 0)
        #expect(environment.mapSize == 1 << 20)
    }
}

/// A file on a medium that cannot be written: a folder that is mounted read-only.
@Suite(.enabled(if: ReadOnlyMount.isPossible, "needs the right to mount"))
struct ReadOnlyMediaTests {
    @Test func aFileOnReadOnlyMediaIsReadWithoutALockFile() throws {
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

final class ReadOnlyMount {
    let path: String

    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? ReadOnlyMount(folder.path("probe")) { _ in }) != nil
    }()

    /// Mounts a small file system in memory, lets `fill` write there, and makes it read-only.
    init(_ path: String, _ fill: (String) throws -> Void) throws {
        struct NotPermitted: Error {}
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", path) == 0 else {
            throw NotPermitted()
        }
        try fill(path)
        try? FileManager.default.removeItem(atPath: path + "/file-lock")
        guard try Self.run("mount", "-o", "remount,ro", path) == 0 else { throw NotPermitted() }
    }

    deinit {
        _ = try? Self.run("umount", path)
    }

    private static func run(_ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
