import DaybookLibC
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// The readers of a process in the table of LMDB's lock file.
@Suite(.enabled(if: Python.hasLMDB, "needs Python's lmdb package"))
struct ReadersTests {
    /// The locks of another process on the lock file of a log.
    ///
    /// Closing the file releases this process's own locks on it, so that it outlives the environment.
    private final class OtherProcess {
        let descriptor: CInt

        init(ofLogAt path: String, locking byte: Int64? = nil) throws {
            descriptor = Descriptor.open(path + "-lock", O_RDWR)
            guard let byte else { return }
            #expect(try lock(OpenFileLock.Range(start: byte, length: 1)))
        }

        deinit { close(descriptor) }

        func lock(
            _ range: OpenFileLock.Range, _ kind: OpenFileLock.Kind = .exclusive
        ) throws -> Bool {
            try OpenFileLock.acquire(kind, range, of: descriptor)
        }
    }

    /// The process numbers in the table of readers, with the state that each reads or `-`.
    private func readers(of path: String) throws -> [String] {
        let answer = try Python.run(
            """
            import lmdb, os, sys
            for line in lmdb.open(sys.argv[1], subdir=False, max_dbs=4).readers().splitlines():
                if line.split()[:1] != [str(os.getpid())]:
                    print(line)
            """, [path])
        #expect(answer.code == 0)
        return answer.out.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, Int32(words[0]) != nil else { return nil }
            return "\(words[0]) \(words[2])"
        }
    }

    private func write(_ environment: Environment, _ table: Table, _ value: UInt8) throws {
        var transaction = try WriteTransaction(in: environment)
        try transaction.put([value].rawSpan, for: UInt64(1), in: table)
        try transaction.commit()
    }

    /// Makes a log with one row, and returns its path.
    private func makeLog(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path("file")
        let environment = try Environment(path: path)
        let table = try #require(try environment.open([("rows", .integers)]).first)
        try write(environment, table, 1)
        return path
    }

    @Test("A process whose number another one has reads under another number, and keeps its state")
    func readsUnderAnotherNumber() throws {
        let folder = try TemporaryFolder()
        let path = try makeLog(folder)
        let other = try OtherProcess(ofLogAt: path, locking: Int64(getpid()))
        do {
            let environment = try Environment(path: path)
            let table = try #require(try environment.open([("rows", .integers)]).first)
            try write(environment, table, 2)
            let transaction = try ReadTransaction(in: environment)
            let number = transaction.stateNumber
            let entries = try readers(of: path)
            #expect(entries.count == 1)
            let entry = try #require(entries.first?.split(separator: " "))
            #expect(try #require(Int32(entry[0])) > 1 << 22)
            #expect(UInt64(entry[1]) == number)
            let written = try Python.run(
                """
                import lmdb, struct, sys
                env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4, map_size=1 << 30)
                rows = env.open_db(b"rows", integerkey=True)
                for round in range(50):
                    with env.begin(write=True) as txn:
                        for key in range(1, 100):
                            txn.put(struct.pack("<Q", key), bytes([round + 100]) * 400, db=rows)
                """, [path])
            #expect(written.code == 0)
            // Nothing of the state was overwritten in 50 commits.
            #expect(transaction.pages.faults(in: "rows").isEmpty)
            #expect(try transaction.count(of: table) == 1)
            #expect(try transaction.bytes(for: UInt64(1), in: table)?.byteCount == 1)
            let later = try ReadTransaction(in: environment)
            #expect(try later.count(of: table) == 99)
            try write(environment, table, 3)
        }
        #expect(try readers(of: path).isEmpty)
        withExtendedLifetime(other) {}
    }

    @Test("A process with another number may have as many readers as the table has slots")
    func takesEachSlot() throws {
        let folder = try TemporaryFolder()
        let path = try makeLog(folder)
        try FileManager.default.removeItem(atPath: path + "-lock")
        var options = Environment.Options()
        options.maxReaders = 2
        _ = try Environment(path: path, options: options)
        let other = try OtherProcess(ofLogAt: path, locking: Int64(getpid()))
        do {
            let environment = try Environment(path: path, options: options)
            let first = try ReadTransaction(in: environment)
            let second = try ReadTransaction(in: environment)
            #expect(throws: LMDBError.readersFull) { _ = try ReadTransaction(in: environment) }
            #expect(first.stateNumber == second.stateNumber)
        }
        withExtendedLifetime(other) {}
    }

    @Test("The slots of a dead process with this process's number are cleared when a log is opened")
    func clearsOwnNumber() throws {
        let folder = try TemporaryFolder()
        let path = try makeLog(folder)
        // Another process has the log open, or LMDB would make the table anew.
        let other = try OtherProcess(ofLogAt: path)
        #expect(try other.lock(OpenFileLock.Range(start: 0, length: 1), .shared))
        // A reader takes this process's number and ends without giving its slot back.
        let answer = try Python.run(
            """
            import lmdb, mmap, os, struct, sys
            env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4)
            txn = env.begin()
            with open(sys.argv[1] + "-lock", "r+b") as file:
                table = mmap.mmap(file.fileno(), 0)
                for slot in range(128, len(table), 64):
                    if struct.unpack_from("<i", table, slot + 8)[0] == os.getpid():
                        struct.pack_into("<i", table, slot + 8, int(sys.argv[2]))
                        print("forged")
            os._exit(0)
            """, [path, "\(getpid())"])
        #expect(answer.out == "forged\n")
        #expect(try readers(of: path).map { $0.split(separator: " ").first } == ["\(getpid())"])
        do {
            let environment = try Environment(path: path)
            #expect(try readers(of: path).isEmpty)
            let transaction = try ReadTransaction(in: environment)
            #expect(try readers(of: path) == ["\(getpid()) \(transaction.stateNumber)"])
        }
        withExtendedLifetime(other) {}
    }

    @Test("Reads one after another use one slot, which says that nothing is read between them")
    func usesOneSlot() throws {
        let folder = try TemporaryFolder()
        let path = try makeLog(folder)
        let environment = try Environment(path: path)
        for _ in 0..<100 { _ = try ReadTransaction(in: environment) }
        #expect(try readers(of: path) == ["\(getpid()) -"])
    }

    @Test("A reader waits no longer than a writer for a process that is taking a slot")
    func waitsForTheTable() throws {
        let folder = try TemporaryFolder()
        let path = try makeLog(folder)
        var options = Environment.Options()
        options.writeWait = .milliseconds(20)
        let other = try OtherProcess(ofLogAt: path)
        do {
            let environment = try Environment(path: path, options: options)
            #expect(try other.lock(Readers.turnByte))
            #expect(throws: LMDBError.readersBusy) { _ = try ReadTransaction(in: environment) }
            OpenFileLock.release(Readers.turnByte, of: other.descriptor)
            _ = try ReadTransaction(in: environment)
            // The slot is there already.
            #expect(try other.lock(Readers.turnByte))
            _ = try ReadTransaction(in: environment)
        }
        withExtendedLifetime(other) {}
    }
}

/// Files and libraries of LMDB 1.0, whose pages have another layout.
@Suite struct OtherLMDBTests {
    @Test("A file of LMDB 1.0 is named as such, and neither changed nor locked")
    func namesAFileOfVersion1() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        // Two meta pages as LMDB 1.0.2 makes them.
        var file = Data(count: 2 * 4_096)
        for page in 0..<2 {
            let start = page * 4_096
            file[start] = UInt8(page)
            file[start + 18] = 8
            file.replaceSubrange(
                start + 24..<start + 32, with: [0xDE, 0xC0, 0xEF, 0xBE, 3, 0, 0, 0])
            file.replaceSubrange(start + 48..<start + 52, with: [0, 16, 0, 0])
        }
        try file.write(to: URL(fileURLWithPath: path))
        let expected = OpenError.otherFormatVersion(path: path, version: 3)
        #expect(throws: expected) { try Environment(path: path) }
        #expect(throws: expected) { try PageFile(path: path) }
        #expect(expected.description.contains("LMDB 1.0"))
        #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == file)
    }

    @Test(
        "A library of another version than 0.9 is refused before a file is opened",
        arguments: [
            ([0, 9, 24], true), ([0, 9, 70], true), ([0, 10, 0], false), ([1, 0, 2], false),
        ])
    func refusesAnotherLibrary(_ version: [CInt], _ isRight: Bool) throws {
        do {
            try Environment.checkLibrary(version)
            #expect(isRight)
        } catch {
            #expect(!isRight)
            #expect("\(error)".contains(version.map(String.init).joined(separator: ".")))
        }
    }

    @Test("A build against another version than 0.9 ends with an error", arguments: [0, 1])
    func refusesABuild(_ major: Int) throws {
        let folder = try TemporaryFolder()
        let fake = """
            #define MDB_VERSION_MAJOR \(major)
            #define MDB_VERSION_MINOR \(major == 0 ? 9 : 0)
            #define MDB_READERS_FULL -1

            """
        try fake.write(
            to: folder.url.appendingPathComponent("lmdb.h"), atomically: true, encoding: .utf8)
        let header = Checkout.root.appending(path: "Sources/CDaybookLMDB/readers.h").path
        let compiled = try Program.run([
            "cc", "-fsyntax-only", "-I", folder.url.path, "-x", "c", header,
        ])
        #expect((compiled.code == 0) == (major == 0))
    }
}
