import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

@Suite struct HeadFileTests {
    let folder: TemporaryFolder
    let path: String
    let headFile: HeadFile

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("log")
        headFile = HeadFile(path: folder.path("head"))
    }

    private func open(_ access: EventLog.Access = .create) throws -> EventLog {
        try EventLog(path: path, access: access, headFile: headFile)
    }

    private func append(_ count: Int = 1, to log: EventLog) throws {
        for number in 0..<count {
            _ = try log.append(
                AppendRequest([
                    NewEvent(Note(Int64(number), "n"), occurredAt: Instant(microseconds: 1))
                ]))
        }
    }

    private func url(_ path: String) -> URL { URL(fileURLWithPath: path) }

    /// The log file as it is now.
    private func copy(_ name: String) throws -> String {
        let copy = folder.path(name)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    private func replace(with copy: String) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: copy, toPath: path)
    }

    @Test("The file knows each commit's head as soon as the commit is acknowledged")
    func following() throws {
        let log = try open()
        #expect(try headFile.newestEntry() == HeadFile.Entry(logID: log.id, head: .origin))
        for _ in 1...5 {
            try append(to: log)
            #expect(
                try headFile.newestEntry() == HeadFile.Entry(logID: log.id, head: log.chainHead()))
        }
        let size = try Data(contentsOf: url(headFile.path)).count
        #expect(size == 2 * HeadFile.slotByteCount)
    }

    @Test("A log that was rolled back is refused at every open", arguments: [1, 4])
    func rollback(_ later: Int) throws {
        var earlier = ""
        var known = Head.origin
        do {
            let log = try open()
            try append(3, to: log)
        }
        earlier = try copy("earlier")
        do {
            let log = try open()
            try append(later, to: log)
            known = try log.chainHead()
        }
        try replace(with: earlier)
        let error = LogError.rolledBack(
            headFile: headFile.path, known: known, .shorter(lastPosition: Position(3)))
        for access in [EventLog.Access.read, .write, .create] {
            #expect(throws: error) { try open(access) }
        }
        #expect("\(error)".contains("the head file \(headFile.path) records position \(3 + later)"))
        // Without the head file nothing shows it.
        #expect(try EventLog(path: path, access: .read).head() == Position(3))
    }

    @Test("A log whose history went another way since a rollback is refused")
    func fork() throws {
        do { try append(3, to: try open()) }
        let earlier = try copy("earlier")
        var known = Head.origin
        do {
            let log = try open()
            try append(2, to: log)
            known = try log.chainHead()
        }
        try replace(with: earlier)
        var found: [UInt8] = []
        do {
            // Longer than the true one, under the same id.
            let other = try EventLog(path: path, access: .write)
            try append(5, to: other)
            found = try #require(try other.commits.at(known.position)).chain
        }
        #expect(
            throws: LogError.rolledBack(
                headFile: headFile.path, known: known, .otherChain(found: found))
        ) { try open(.read) }
    }

    @Test("Another log under the same name is refused, even while the file knows no commit")
    func replacement() throws {
        var id = ""
        do { id = try open().id }
        try FileManager.default.removeItem(atPath: path)
        do { try append(1, to: try EventLog(path: path, access: .create)) }
        #expect(
            throws: LogError.rolledBack(
                headFile: headFile.path, known: .origin, .otherLog(id: id))
        ) { try open(.read) }
    }

    @Test("A log that is gone, or emptied, is not made anew")
    func removal() throws {
        var known = Head.origin
        do {
            let log = try open()
            try append(2, to: log)
            known = try log.chainHead()
        }
        let error = LogError.rolledBack(
            headFile: headFile.path, known: known, .shorter(lastPosition: .origin))
        try FileManager.default.removeItem(atPath: path)
        for access in [EventLog.Access.read, .write, .create] {
            #expect(throws: error) { try open(access) }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: url(path))
        #expect(throws: error) { try open() }
        #expect(try Data(contentsOf: url(path)).isEmpty)
    }

    @Test("A head file that lags is no finding, and the next commit brings it up")
    func lag() throws {
        do { try append(2, to: try open()) }
        do { try append(2, to: try EventLog(path: path, access: .write)) }
        let log = try open(.write)
        #expect(try headFile.newestEntry()?.head.position == Position(2))
        try append(to: log)
        #expect(try headFile.newestEntry()?.head == log.chainHead())
    }

    @Test("A head file never goes back")
    func order() throws {
        let log = try open()
        try append(3, to: log)
        let newest = try #require(try headFile.newestEntry())
        let older = try #require(try log.commits.at(Position(2)))
        try headFile.advance(
            to: HeadFile.Entry(logID: log.id, head: Head(unchecked: older.last, older.chain)))
        #expect(try headFile.newestEntry() == newest)
    }

    @Test("A torn slot leaves the other one, and is the next to be written", arguments: [0, 1])
    func torn(_ slot: Int) throws {
        let log = try open()
        try append(4, to: log)
        let whole = try Data(contentsOf: url(headFile.path))
        for cut in [0, 1, 17, 60, 150, HeadFile.slotByteCount - 1] {
            var bytes = whole
            let start = slot * HeadFile.slotByteCount
            for index in (start + cut)..<(start + HeadFile.slotByteCount) { bytes[index] ^= 0x55 }
            try bytes.write(to: url(headFile.path))
            let left = try #require(try headFile.newestEntry()).head.position
            #expect(left >= Position(3))
            try append(to: log)
            #expect(try headFile.newestEntry()?.head == log.chainHead())
        }
    }

    @Test("Every changed byte of a slot is noticed")
    func checksum() throws {
        let entry = HeadFile.Entry(
            logID: String(repeating: "ab", count: 16),
            head: try #require(Head("12:" + String(repeating: "7f", count: 32))))
        let slot = HeadFile.slotBytes(entry)
        #expect(slot.count == HeadFile.slotByteCount)
        #expect(HeadFile.entry(of: slot) == entry)
        for index in slot.indices {
            var changed = slot
            changed[index] ^= 1
            #expect(HeadFile.entry(of: changed) == nil, "byte \(index)")
        }
        for count in [0, 1, 100, slot.count - 1] {
            #expect(HeadFile.entry(of: Array(slot[..<count])) == nil)
        }
    }

    @Test("A file that is not a head file is refused and left as it is")
    func foreign() throws {
        do { try append(1, to: try open()) }
        for content in [Data(), Data("text".utf8), Data(count: 2 * HeadFile.slotByteCount)] {
            try content.write(to: url(headFile.path))
            #expect(throws: LogError.headFile(.damagedHeadFile(path: headFile.path))) {
                try open(.write)
            }
            #expect(try Data(contentsOf: url(headFile.path)) == content)
        }
        let missing = HeadFile(path: folder.path("missing"))
        for access in [EventLog.Access.read, .write] {
            #expect(throws: LogError.headFile(.noHeadFile(path: missing.path))) {
                try EventLog(path: path, access: access, headFile: missing)
            }
        }
        let pipe = HeadFile(path: folder.path("pipe"))
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(throws: LogError.headFile(.notAFile(path: pipe.path))) {
            try EventLog(path: path, access: .create, headFile: pipe)
        }
    }

    @Test("A commit whose head cannot be written is acknowledged, and the caller learns of it")
    func unwritable() throws {
        let failures = Failures()
        let headFile = HeadFile(path: folder.path("head")) { failures.add($0) }
        let log = try EventLog(path: path, access: .create, headFile: headFile)
        try append(to: log)
        #expect(failures.all.isEmpty)
        try Data("no head file".utf8).write(to: url(headFile.path))
        try append(to: log)
        #expect(failures.all == [.headFile(.damagedHeadFile(path: headFile.path))])
        #expect(try log.head() == Position(2))
    }

    @Test("Threads that append at once leave the newest head")
    func threads() throws {
        let log = try open()
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            do { try append(to: log) } catch { failures.add(.notALog(path: "\(error)")) }
        }
        #expect(failures.all.isEmpty)
        #expect(try headFile.newestEntry()?.head == log.chainHead())
        #expect(try log.head() == Position(40))
    }
}

/// Errors that came on any thread.
private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [LogError] = []

    func add(_ error: LogError) { lock.withLock { errors.append(error) } }

    var all: [LogError] { lock.withLock { errors } }
}
