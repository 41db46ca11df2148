import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

@Suite struct BackupTests {
    private func append(_ count: Int, to log: EventLog) throws {
        for number in 0..<count {
            let note = Note(Int64(number), String(repeating: "x", count: 500), topics: ["t"])
            _ = try log.append(
                AppendRequest([NewEvent(note, occurredAt: Instant(microseconds: 1))]))
        }
    }

    @Test("A copy holds the log as of one commit, while others append")
    func online() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(200, to: log)
        let before = try log.chainHead()
        let writer = DispatchGroup()
        DispatchQueue.global().async(group: writer) {
            do { try append(200, to: log) } catch { Issue.record("\(error)") }
        }
        for number in 1...5 { try log.backup(to: folder.path("copy\(number)")) }
        writer.wait()
        for number in 1...5 {
            let copy = try EventLog(path: folder.path("copy\(number)"), access: .read)
            let head = try copy.chainHead()
            #expect(head.position >= before.position)
            #expect(try log.mismatch(with: head) == nil)
            #expect(copy.id == log.id)
            #expect(try copy.verify(against: try Catalogue([Notes.self])).isSound)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.contains("partial") }, "\(names)")
    }

    @Test("A damaged page of events ends a copy with its number and table, and no file is left")
    func damagedPage() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        do { try append(200, to: try EventLog(path: path, access: .create)) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
        }
        var damaged = 0
        for page in stride(from: 2 * 4_096, to: bytes.count, by: 4_096)
        where number(page + 10, UInt16.self) == 2 {
            let node = page + Int(number(page + 16, UInt16.self))
            // The leaf with the first event, whose row becomes the record of a table.
            guard node + 16 <= bytes.count, number(node, UInt32.self) > 400,
                number(node + 8, UInt64.self) == 1
            else { continue }
            bytes[node + 4] = 2
            damaged += 1
        }
        #expect(damaged > 0)
        try bytes.write(to: URL(fileURLWithPath: path))
        let log = try EventLog(path: path, access: .read)
        let failure = #expect(throws: LogError.self) {
            try log.backup(to: folder.path("copy"))
        }
        guard case .page(let fault) = failure else {
            Issue.record("the copy ended with \(String(describing: failure))")
            return
        }
        #expect(fault.message.contains("table 'events'"), "\(fault)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0.contains("copy") }, "\(names)")
    }

    @Test("A copy differs from its original once an erasure has changed either")
    func differences() throws {
        let folder = try TemporaryFolder()
        let catalogue = try Catalogue([PeopleNotes.self])
        func open(_ name: String, _ access: EventLog.Access = .write) throws -> EventLog {
            try EventLog(path: folder.path(name), access: access, people: ["person": "person"])
        }
        func write(_ text: String, about tag: String, to log: EventLog) throws {
            let note = NewEvent(PeopleNote([tag], text), occurredAt: Instant(microseconds: 1))
            _ = try log.append(AppendRequest([note]))
        }
        func person(_ difference: CopyDifference?) -> UInt32? {
            if case .person(let number) = difference { number } else { nil }
        }
        let log = try open("log", .create)
        let (ada, bob) = ("person:ada", "person:bob")
        for number in 1...2 {
            for tag in [ada, bob] { try write("text \(number)", about: tag, to: log) }
        }
        for name in ["copy", "erased"] { try log.backup(to: folder.path(name)) }
        let copy = try open("copy", .read)
        #expect(try CopyDifference.of(copy, fromOriginal: log) == nil)
        // Later texts of the same people, and later people, do not matter.
        for tag in [ada, "person:eve"] { try write("later", about: tag, to: log) }
        #expect(try CopyDifference.of(copy, fromOriginal: log) == nil)
        let erased = try open("erased")
        _ = try erased.erase(.tags([Tag("person", "ada")]), catalogue: catalogue)
        let head = try #require(try CopyDifference.of(erased, fromOriginal: log))
        guard case .head = head else { throw Unexpected(difference: head) }
        _ = try log.erase(.position(Position(2)), catalogue: catalogue)
        #expect(person(try CopyDifference.of(copy, fromOriginal: log)) == 2)
        _ = try log.erase(.tags([Tag("person", "ada")]), catalogue: catalogue)
        #expect(person(try CopyDifference.of(copy, fromOriginal: log)) == 1)
        let other = try open("other", .create)
        #expect(try CopyDifference.of(copy, fromOriginal: other) == .otherLog(id: other.id))
    }

    @Test("A copy differs from its original in a text that only one of them has")
    func differentText() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        let note = NewEvent(PeopleNote(["room:r"], "text"), occurredAt: Instant(microseconds: 1))
        _ = try log.append(AppendRequest([note]))
        try log.backup(to: folder.path("copy"))
        let copy = try EventLog(path: folder.path("copy"), access: .read)
        var transaction = try log.file.beginWriting()
        let key = PersonalRow.key(1, 0)
        try transaction.put([0, 0, 0, 0], for: key.rawSpan, in: log.file.tables.texts)
        try transaction.commit()
        #expect(try CopyDifference.of(copy, fromOriginal: log) == .text(position: 1))
    }

    private struct Unexpected: Error { let difference: CopyDifference }

    @Test("A copy leaves out what was freed in the file")
    func compaction() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(100, to: log)
        try log.reindex()
        try log.reindex(afresh: true)
        try log.backup(to: folder.path("copy"))
        func size(_ name: String) throws -> Int {
            try Data(contentsOf: URL(fileURLWithPath: folder.path(name))).count
        }
        #expect(try size("copy") < size("log"))
    }

    @Test("An existing file is never overwritten, nor a link that leads nowhere")
    func noOverwriting() throws {
        let folder = try TemporaryFolder()
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(1, to: log)
        let (taken, link) = (folder.path("taken"), folder.path("link"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: taken))
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path("nowhere"))
        for path in [taken, link, folder.path("log")] {
            #expect(throws: LogError.file(.exists(path: path))) { try log.backup(to: path) }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: taken)) == Data("mine".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names) == ["log", "log-lock", "taken", "link"])
    }
}

@Suite struct StagedFileTests {
    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func write(_ text: String, to file: borrowing StagedFile) throws {
        try file.write(Array(text.utf8).span.bytes)
    }

    @Test("A file has its name once it is published, and is gone without that")
    func publishing() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try StagedFile(for: folder.path("a"))
            try write("lost", to: file)
            #expect(try names(folder) == ["a.replay-partial"])
        }
        #expect(try names(folder) == [])
        let file = try StagedFile(for: folder.path("a"))
        try write("kept", to: file)
        try file.publish()
        #expect(try names(folder) == ["a"])
        #expect(try String(contentsOfFile: folder.path("a"), encoding: .utf8) == "kept")
    }

    @Test("A file left by a killed process is replaced, and never written to")
    func remnants() throws {
        let folder = try TemporaryFolder()
        let remnant = folder.path("a.replay-partial")
        for text in ["half", "ha"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: remnant))
            // As a second name of a file that was published without being renamed.
            try FileManager.default.linkItem(atPath: remnant, toPath: folder.path("second-\(text)"))
            let file = try StagedFile(for: folder.path("a"))
            try write("new", to: file)
        }
        #expect(try names(folder) == ["second-ha", "second-half"])
        #expect(try String(contentsOfFile: folder.path("second-ha"), encoding: .utf8) == "ha")
    }

    @Test("A log left under the name of a staged file is removed for the same log alone")
    func otherLogs() throws {
        let folder = try TemporaryFolder()
        func log(_ name: String) throws -> EventLog {
            let log = try EventLog(path: folder.path(name), access: .create)
            let event = NewEvent(
                PeopleNote(["person:p"], "text"), occurredAt: Instant(microseconds: 1))
            _ = try log.append(AppendRequest([event]))
            return log
        }
        let (one, other) = (try log("one"), try log("other"))
        let partial = folder.path("copy.replay-partial")
        try other.backup(to: folder.path("made"))
        try FileManager.default.moveItem(atPath: folder.path("made"), toPath: partial)
        #expect(throws: LogError.file(.exists(path: partial))) {
            try one.backup(to: folder.path("copy"))
        }
        #expect(throws: LogError.file(.exists(path: partial))) {
            _ = try StagedFile(for: folder.path("copy"))
        }
        #expect(try EventLog(path: partial, access: .read).id == other.id)
        try other.backup(to: folder.path("copy"))
        #expect(try EventLog(path: folder.path("copy"), access: .read).id == other.id)
        #expect(!FileManager.default.fileExists(atPath: partial))
    }

    @Test("A file that is read is no remnant, whatever its name")
    func sources() throws {
        let folder = try TemporaryFolder()
        let partial = folder.path("a.replay-partial")
        do {
            let log = try EventLog(path: partial, access: .create)
            #expect(throws: LogError.file(.exists(path: partial))) {
                try log.backup(to: folder.path("a"))
            }
            #expect(try log.head() == .origin)
        }
        #expect(throws: LogError.file(.exists(path: partial))) {
            _ = try StagedFile(for: folder.path("a"), from: partial)
        }
        #expect(try names(folder).contains("a.replay-partial"))
    }

    @Test("A target that another one has in work is refused")
    func busy() throws {
        let folder = try TemporaryFolder()
        let file = try StagedFile(for: folder.path("a"))
        let partial = folder.path("a.replay-partial")
        #expect(throws: LogError.file(.busy(path: partial))) {
            _ = try StagedFile(for: folder.path("a"))
        }
        try write("x", to: file)
        try file.publish()
        #expect(throws: LogError.file(.exists(path: folder.path("a")))) {
            _ = try StagedFile(for: folder.path("a"))
        }
    }

    @Test("A file that came meanwhile under the name is not overwritten")
    func lateRival() throws {
        let folder = try TemporaryFolder()
        let file = try StagedFile(for: folder.path("a"))
        try Data("rival".utf8).write(to: URL(fileURLWithPath: folder.path("a")))
        do throws(LogError) {
            try file.publish()
            Issue.record("it has the name of another file")
        } catch {
            #expect(error == .file(.exists(path: folder.path("a"))))
        }
        #expect(try names(folder) == ["a"])
        #expect(try String(contentsOfFile: folder.path("a"), encoding: .utf8) == "rival")
    }

    @Test("One of many that race for a name gets it, whole")
    func race() throws {
        let folder = try TemporaryFolder()
        for round in 0..<20 {
            let target = folder.path("target\(round)")
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                do throws(LogError) {
                    let file = try StagedFile(for: target)
                    try file.write(Array("\(number)\(number)\(number)".utf8).span.bytes)
                    try file.publish()
                } catch .file(.exists) {
                } catch .file(.busy) {
                } catch {
                    Issue.record("\(error)")
                }
            }
            let text = try String(contentsOfFile: target, encoding: .utf8)
            #expect(text.count == 3 && Set(text).count == 1, "\(text)")
        }
        #expect(try names(folder).count == 20)
    }

    @Test("A name that is no file is refused and left")
    func folders() throws {
        let folder = try TemporaryFolder()
        let partial = folder.path("a.replay-partial")
        try FileManager.default.createDirectory(
            atPath: partial, withIntermediateDirectories: false)
        #expect(throws: LogError.file(.notAFile(path: partial))) {
            _ = try StagedFile(for: folder.path("a"))
        }
        #expect(
            throws: LogError.file(.failed(path: folder.path("b/c.replay-partial"), code: ENOENT))
        ) {
            _ = try StagedFile(for: folder.path("b/c"))
        }
        #expect(try names(folder) == ["a.replay-partial"])
    }
}
