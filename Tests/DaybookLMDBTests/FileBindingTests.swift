import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DaybookLMDB

private final class Flag: Sendable {
    let value = Atomic(false)
}

/// Replaced, linked and deleted names of an open file.
@Suite struct FileBindingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("file")
    }

    /// Commits one row, under `key`.
    private func write(_ environment: Environment, _ key: UInt64) throws {
        try write(environment, key, try environment.open([("rows", .integers)])[0])
    }

    private func write(_ environment: Environment, _ key: UInt64, _ table: Table) throws {
        var transaction = try WriteTransaction(in: environment)
        let value: [UInt8] = [1]
        try transaction.put(value.rawSpan, for: key, in: table)
        try transaction.commit()
    }

    private func keys(_ environment: Environment) throws -> [UInt64] {
        let table = Table(reading: "rows", .integers)
        let transaction = try ReadTransaction(in: environment)
        var keys: [UInt64] = []
        _ = transaction.scan(table, .ascending) { (key: UInt64, _) in
            keys.append(key)
            return true
        }
        return keys
    }

    private func environment(_ path: String? = nil) throws -> Environment {
        let environment = try Environment(path: path ?? self.path)
        _ = try environment.open([("rows", .integers)])
        return environment
    }

    @Test("A commit is refused while the file has lost its name, and accepted once it is back")
    func moved() throws {
        let environment = try environment()
        try write(environment, 1)
        let elsewhere = folder.path("elsewhere")
        #expect(rename(path, elsewhere) == 0)
        #expect(throws: LMDBError.fileReplaced) { try write(environment, 2) }
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: LMDBError.fileReplaced) { try write(environment, 3) }
        #expect(rename(elsewhere, path) == 0)
        try write(environment, 4)
        #expect(try keys(environment) == [1, 4])
    }

    @Test("A commit is refused while the file has a second hard link")
    func linked() throws {
        let environment = try environment()
        let alias = folder.path("alias")
        try FileManager.default.linkItem(atPath: path, toPath: alias)
        #expect(throws: LMDBError.fileLinked) { try write(environment, 1) }
        try FileManager.default.removeItem(atPath: alias)
        try write(environment, 2)
        #expect(try keys(environment) == [2])
    }

    @Test(
        "A commit is refused once the lock file was deleted, replaced or linked",
        arguments: ["deleted", "replaced", "linked"])
    func lockFile(_ change: String) throws {
        let environment = try environment()
        let lock = path + "-lock"
        if change == "linked" {
            try FileManager.default.linkItem(atPath: lock, toPath: folder.path("alias"))
        } else {
            try FileManager.default.removeItem(atPath: lock)
        }
        if change == "replaced" { try Data().write(to: URL(fileURLWithPath: lock)) }
        #expect(throws: LMDBError.lockFileReplaced) { try write(environment, 1) }
        #expect(try keys(environment) == [])
    }

    @Test("Files of different numbers are locked at different bytes")
    func offsets() {
        let top = UInt64(1) << 62
        let numbers: [UInt64] = [0, 1, 2, 3, 5_406_784, 5_406_785, top - 3, top - 2]
        let ranges = numbers.map {
            FileBinding.range(naming: FileIdentity(device: 1, inode: $0))
        }
        #expect(Set(ranges).count == numbers.count)
        for inode in numbers + [top - 1, top, .max] {
            let range = FileBinding.range(naming: FileIdentity(device: 1, inode: inode))
            #expect(range.length == 1)
            #expect(range.start >= FileBinding.region.start, "\(inode)")
            #expect(range.end <= FileBinding.region.end, "\(inode)")
        }
    }

    @Test("A copy that took the name of an open file is refused, within one process too")
    func replacedWithinProcess() throws {
        let first = try environment()
        let copy = folder.path("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(rename(copy, path) == 0)
        #expect(throws: OpenError.otherDataFile(path: path, lockFile: path + "-lock")) {
            try Environment(path: path)
        }
        // The first still has its locks: nobody else could become the only user.
        #expect(throws: LMDBError.fileReplaced) { try write(first, 1) }
    }

    @Test(
        "A lock file that is no file with one name is refused",
        arguments: ["symbolic link", "hard link", "folder"])
    func strangeLockFile(_ kind: String) throws {
        do { _ = try environment() }
        let (lock, other) = (path + "-lock", folder.path("other"))
        try FileManager.default.removeItem(atPath: lock)
        try Data().write(to: URL(fileURLWithPath: other))
        switch kind {
        case "symbolic link":
            try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: other)
        case "hard link": try FileManager.default.linkItem(atPath: other, toPath: lock)
        default:
            try FileManager.default.createDirectory(
                atPath: lock, withIntermediateDirectories: false)
        }
        #expect(throws: OpenError.lockFile(path: lock, .notOneFile)) {
            try Environment(path: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)).isEmpty)
    }

    @Test("The lock file has the permissions of the data file")
    func permissions() throws {
        do { _ = try environment() }
        try FileManager.default.removeItem(atPath: path + "-lock")
        #expect(chmod(path, 0o660) == 0)
        do { _ = try environment() }
        #expect(FileStatus(of: path + "-lock")?.mode == 0o660)
        try FileManager.default.removeItem(atPath: path + "-lock")
        #expect(chmod(path, 0o640) == 0)
        #expect(chown(path, 65_534, 65_534) == 0 || geteuid() != 0)
        do { _ = try environment() }
        let (data, lock) = (FileStatus(of: path), FileStatus(of: path + "-lock"))
        #expect(lock?.mode == 0o640)
        #expect(lock?.owner == data?.owner && lock?.group == data?.group)
    }

    @Test("A link to a file that is missing makes the file it names, with one lock file")
    func linkToMissing() throws {
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        do {
            let environment = try environment(link)
            try write(environment, 1)
        }
        #expect(try keys(try environment()) == [1])
        #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
    }

    @Test("The lock of a writer names its process and the time since its write began")
    func writeGate() throws {
        var options = Environment.Options()
        options.writeWait = .milliseconds(50)
        let environment = try Environment(path: path, options: options)
        _ = try environment.open([("rows", .integers)])
        let other = Descriptor.open(path, O_RDWR)
        defer { close(other) }
        do {
            let transaction = try WriteTransaction(in: environment)
            #expect(try WriteGate.isTaken(other))
            let error = #expect(throws: LMDBError.locked) {
                try WriteGate().acquire(other, wait: .milliseconds(50))
            }
            #expect(error?.writer?.processID == getpid())
            #expect(error?.writer?.isInOtherNamespace == false)
            #expect(throws: LMDBError.locked) { _ = try WriteTransaction(in: environment) }
            _ = transaction.pages
        }
        #expect(try !WriteGate.isTaken(other))
        let gate = WriteGate()
        try gate.acquire(other, wait: .zero)
        #expect(throws: LMDBError.locked) { _ = try WriteTransaction(in: environment) }
        gate.release(other)
        try write(environment, 1)
    }

    @Test(
        "A file that is moved to and fro keeps what was acknowledged, and nothing that was refused")
    func movedToAndFro() throws {
        let environment = try environment()
        // Opening a table is a commit too, with an outcome of its own.
        let table = try environment.open([("rows", .integers)])[0]
        let (name, elsewhere) = (path, folder.path("elsewhere"))
        let isDone = Flag()
        var outcomes: [LMDBError?: [UInt64]] = [:]
        let mover = Thread {
            while !isDone.value.load(ordering: .relaxed) {
                rename(name, elsewhere)
                rename(elsewhere, name)
            }
        }
        mover.start()
        for key in 1...500 as ClosedRange<UInt64> {
            do {
                try write(environment, key, table)
                outcomes[.none, default: []].append(key)
            } catch let error as LMDBError {
                outcomes[error, default: []].append(key)
            }
        }
        isDone.value.store(true, ordering: .relaxed)
        while !mover.isFinished { usleep(1_000) }
        let keys = Set(try keys(environment))
        #expect(keys.isSuperset(of: outcomes[.none] ?? []))
        #expect(keys.isDisjoint(with: outcomes[.fileReplaced] ?? []))
        #expect(keys.isSuperset(of: outcomes[.replacedDuringCommit] ?? []))
        #expect(Set(outcomes.keys).isSubset(of: [nil, .fileReplaced, .replacedDuringCommit]))
        #expect(outcomes.count > 1)
    }

    @Test("A forked child keeps no lock of its parent")
    func forkedChild() throws {
        // Swift hides fork(); the child only waits to be killed.
        let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
        var child: Int32 = 0
        do {
            let transaction = try WriteTransaction(in: try environment())
            child = fork()
            if child == 0 {
                while true { pause() }
            }
            _ = transaction.pages
        }
        defer {
            kill(child, SIGKILL)
            var status: Int32 = 0
            waitpid(child, &status, 0)
        }
        for name in [path, path + "-lock"] {
            let descriptor = Descriptor.open(name, O_RDWR)
            defer { close(descriptor) }
            let all = OpenFileLock.Range(start: 1 << 60, length: .max - 1 << 60)
            // The child closes them once it runs.
            var isHeld = true
            for _ in 0..<500 where isHeld {
                isHeld =
                    try OpenFileLock.conflictingLock(against: .exclusive, all, of: descriptor)
                    != nil
                if isHeld { usleep(10_000) }
            }
            #expect(!isHeld)
        }
    }

    @Test("Threads that make, close and delete files never take a new file for an old one")
    func reusedIdentities() async throws {
        let folder = folder
        try await withThrowingTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for round in 0..<200 {
                        let path = folder.path("\(thread)-\(round)")
                        var options = Environment.Options()
                        options.createsFile = true
                        let environment = try Environment(path: path, options: options)
                        // The file system may give the number of a deleted file to the next one.
                        unlink(path)
                        unlink(path + "-lock")
                        _ = consume environment
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Threads that write take turns, and none is refused")
    func threads() async throws {
        let environment = try environment()
        try await withThrowingTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for row in 0..<25 { try write(environment, UInt64(thread * 25 + row + 1)) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try keys(environment) == Array(1...100))
    }
}
