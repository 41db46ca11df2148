import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

@Suite struct EnvironmentTests {
    private func environment(
        _ folder: TemporaryFolder, mapSize: Int = 1 << 20
    ) throws -> Environment {
        var options = Environment.Options()
        options.mapSize = mapSize
        return try Environment(path: folder.path("file"), options: options)
    }

    private func table(_ environment: Environment) throws -> Table {
        try #require(try environment.open([("rows", .integers)]).first ?? nil)
    }

    private func fill(
        _ environment: Environment, _ table: Table, _ keys: Range<UInt64>
    ) throws {
        let value = [UInt8](repeating: 7, count: 1_000)
        var transaction = try WriteTransaction(in: environment)
        for key in keys { try transaction.put(value.rawSpan, for: key, in: table) }
        try transaction.commit()
    }

    @Test("Committed rows are found, and aborted ones are not")
    func whatIsCommittedIsThereAndWhatIsNotIsNot() throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let rows = try table(environment)
        try fill(environment, rows, 1..<4)
        do {
            var transaction = try WriteTransaction(in: environment)
            let value: [UInt8] = [9]
            try transaction.put(value.rawSpan, for: UInt64(9), in: rows)
        }
        let transaction = try ReadTransaction(in: environment)
        #expect(try transaction.count(of: rows) == 3)
        #expect(try transaction.lastKey(of: rows) == 3)
        #expect(try transaction.bytes(for: UInt64(9), in: rows) == nil)
    }

    @Test("A value that its own transaction shortened keeps its pages, and is read and replaced")
    func shortened() throws {
        let folder = try TemporaryFolder()
        do {
            let environment = try environment(folder)
            let rows = try table(environment)
            var transaction = try WriteTransaction(in: environment)
            for count in [20_000, 9_000] {
                let value = [UInt8](repeating: 7, count: count)
                try transaction.put(value.rawSpan, for: UInt64(1), in: rows)
            }
            try transaction.commit()
            let reading = try ReadTransaction(in: environment)
            #expect(try reading.bytes(for: UInt64(1), in: rows)?.byteCount == 9_000)
            #expect(reading.pages.faults().isEmpty)
            var next = try WriteTransaction(in: environment)
            let value = [UInt8](repeating: 8, count: 30_000)
            try next.put(value.rawSpan, for: UInt64(1), in: rows)
            try next.commit()
        }
        let environment = try environment(folder)
        let rows = try table(environment)
        let reading = try ReadTransaction(in: environment)
        #expect(try reading.bytes(for: UInt64(1), in: rows)?.byteCount == 30_000)
        #expect(reading.pages.faults().isEmpty)
    }

    @Test(
        "A scan goes either way from any key",
        arguments: [
            (ScanOrder.ascending, nil, [2, 4, 6]), (.descending, nil, [6, 4, 2]),
            (.ascending, 3, [4, 6]), (.ascending, 4, [4, 6]), (.ascending, 7, []),
            (.descending, 5, [4, 2]), (.descending, 4, [4, 2]), (.descending, 9, [6, 4, 2]),
            (.descending, 1, []),
        ] as [(ScanOrder, UInt64?, [UInt64])])
    func scans(_ order: ScanOrder, _ start: UInt64?, _ expected: [UInt64]) throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let rows = try table(environment)
        for key in [2, 4, 6] as [UInt64] { try fill(environment, rows, key..<key + 1) }
        let transaction = try ReadTransaction(in: environment)
        var keys: [UInt64] = []
        let failure = transaction.scan(rows, order, from: start) { (key: UInt64, _) in
            keys.append(key)
            return true
        }
        #expect(failure == nil)
        #expect(keys == expected)
    }

    @Test("An append out of order is refused")
    func anAppendOutOfOrderIsRefused() throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let rows = try table(environment)
        try fill(environment, rows, 5..<6)
        var transaction = try WriteTransaction(in: environment)
        let value: [UInt8] = [1]
        #expect(throws: LMDBError.keyExists) {
            try transaction.append(value.rawSpan, for: UInt64(4), to: rows)
        }
    }

    @Test("A full map is reported as full, and can grow")
    func aFullMapIsSaidToBeFullAndGrows() throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let rows = try table(environment)
        #expect(throws: LMDBError.mapFull) { try fill(environment, rows, 1..<5_000) }
        for _ in 0..<3 { try environment.growMap() }
        try fill(environment, rows, 1..<5_000)
        #expect(environment.mapSize == 8 << 20)
        #expect(try ReadTransaction(in: environment).count(of: rows) == 4_999)
    }

    @Test("A key that is too long is refused")
    func aKeyThatIsTooLongIsRefused() throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        let rows = try #require(try environment.open([("rows", .bytes)]).first ?? nil)
        var transaction = try WriteTransaction(in: environment)
        let (key, value) = ([UInt8](repeating: 1, count: 512), [UInt8]([1]))
        #expect(throws: LMDBError.badValueSize) {
            try transaction.put(value.rawSpan, for: key.rawSpan, in: rows)
        }
    }

    @Test("A second open of the same inode is refused until the first is closed")
    func aSecondOpenIsRefusedByInodeUntilTheFirstIsClosed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        let alias = folder.path("link")
        do {
            let first = try environment(folder)
            try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: path)
            #expect(throws: OpenError.alreadyOpen(path: alias)) { try Environment(path: alias) }
            _ = try table(first)
        }
        _ = try table(try Environment(path: alias))
        #expect(!FileManager.default.fileExists(atPath: alias + "-lock"))
    }

    @Test("A forked child may not use its parent's environment")
    func theChildOfAForkIsRefused() throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder)
        // Swift hides fork(); the child only tries a transaction and ends.
        let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
        let child = fork()
        if child == 0 {
            do {
                _ = try ReadTransaction(in: environment)
                _exit(1)
            } catch LMDBError.openedBeforeFork {
                _exit(0)
            } catch {
                _exit(2)
            }
        }
        var status: Int32 = -1
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
        _ = try ReadTransaction(in: environment)
    }

    @Test("A reader beyond the last slot is refused")
    func moreReadersThanSlotsAreRefused() throws {
        let folder = try TemporaryFolder()
        var options = Environment.Options()
        options.maxReaders = 2
        let environment = try Environment(path: folder.path("file"), options: options)
        _ = try table(environment)
        let first = try ReadTransaction(in: environment)
        let second = try ReadTransaction(in: environment)
        #expect(throws: LMDBError.readersFull) { _ = try ReadTransaction(in: environment) }
        _ = (first.pages, second.pages)
    }

    @Test(
        "Network file systems are known by their numbers",
        arguments: [
            (0x6969, "NFS"), (0xFF53_4D42, "SMB"), (0xFE53_4D42, "SMB"), (0x517B, "SMB"),
            (0x6573_5546, "FUSE"), (0x0102_1997, "9P"), (0xEF53, nil), (0x0102_1994, nil),
            (0x9123_683E, nil), (0x5846_5342, nil),
        ] as [(UInt32, String?)])
    func networkFileSystems(_ type: UInt32, _ name: String?) {
        #expect(FileSystem.networkName(ofType: type) == name)
    }

    @Test("A file of another format is refused")
    func aFileThatIsNoneOfOursIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("text")
        let files = [
            Data(repeating: 65, count: 20_000),
            // A log whose making the loss of power cut short is shorter, and has whole pages.
            Data(count: 1_000), Data(count: 40_000), Data(count: 1 << 20),
        ]
        for bytes in files {
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(throws: OpenError.notLMDB(path: path)) { try Environment(path: path) }
            #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
        var options = Environment.Options()
        options.isReadOnly = true
        let missing = folder.path("missing")
        #expect(throws: OpenError.missing(path: missing)) {
            try Environment(path: missing, options: options)
        }
        #expect(!FileManager.default.fileExists(atPath: missing))
        let inner = folder.path("folder")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        for isReadOnly in [true, false] {
            options.isReadOnly = isReadOnly
            #expect(throws: OpenError.notAFile(path: inner)) {
                try Environment(path: inner, options: options)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: inner + "-lock"))
    }
}
