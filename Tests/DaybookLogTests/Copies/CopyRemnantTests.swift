import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// What interrupted copies of a log leave, and who removes it.
@Suite("Remnants of copies") struct CopyRemnantTests {
    private let folder: TemporaryFolder
    private let path: String
    private let partial: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("log")
        partial = folder.path("a\nb.replay-partial")
        let log = try EventLog(path: path, access: .create)
        for number in 1...20 as ClosedRange<Int64> {
            _ = try log.append(OriginalLog.request(number, 1))
        }
    }

    private var isThere: Bool {
        var status = stat()
        return lstat(partial, &status) == 0
    }

    /// Notes a copy, as a process does that is killed before the first byte is written.
    private func note() throws {
        let copy = try StagedFile(for: folder.path("a\nb"))
        try CopyNote(copy).add(toLogAt: path)
    }

    /// Puts a copy of a log where an interrupted one lies.
    private func leave(_ log: String) throws {
        try leave(log, at: partial)
    }

    private func leave(_ log: String, at path: String) throws {
        try EventLog(path: log, access: .read).backup(to: folder.path("whole"))
        try FileManager.default.moveItem(atPath: folder.path("whole"), toPath: path)
        // A process that another test starts meanwhile has our open files, and their locks, until
        // it runs its program.
        let isFree = Wait.until {
            let file = open(path, O_RDONLY)
            defer { close(file) }
            return flock(file, LOCK_EX | LOCK_NB) == 0
        }
        #expect(isFree)
    }

    private func row() throws -> Bool {
        try EventLog(path: path, access: .read).file.hasMetaRow(Meta.copies)
    }

    private func remnants() throws -> [CopyRemnant] {
        try RemnantSearch(EventLog(path: path, access: .write).file).removeRemnants()
    }

    @Test("The next writer removes a noted remnant of the log, and reading leaves it")
    func nextWriter() throws {
        try note()
        try leave(path)
        #expect(try EventLog(path: path, access: .read).head() == Position(20))
        #expect(try isThere && row())
        #expect(try EventLog(path: path, access: .write).head() == Position(20))
        #expect(try !isThere && !row())
        #expect(try remnants() == [])
    }

    @Test("An opened log names the leftovers that it removed")
    func removedOnOpening() throws {
        try note()
        try leave(path)
        let log = try EventLog(path: path, access: .write)
        #expect(log.file.remnantsRemovedOnOpening.map(\.fate) == [.removed])
        let path = log.file.remnantsRemovedOnOpening.first?.path
        #expect(path?.hasSuffix("/a\nb.replay-partial") == true)
        #expect(try RemnantSearch(log.file).removeRemnants() == [])
    }

    @Test("Looking for remnants leaves them, and their notes")
    func lookedFor() throws {
        try note()
        try leave(path)
        let log = try EventLog(path: path, access: .read)
        #expect(try RemnantSearch(log.file).remnants().map(\.fate) == [.removed])
        #expect(try isThere && log.file.hasMetaRow(Meta.copies))
    }

    @Test("A log that is open for writing notes its backup until that has its name")
    func backupOfAnOpenLog() throws {
        let log = try EventLog(path: path, access: .write)
        try log.backup(to: folder.path("copy"))
        #expect(try !log.file.hasMetaRow(Meta.copies))
        // The copy was begun under its note.
        #expect(try EventLog(path: folder.path("copy"), access: .read).file.hasMetaRow(Meta.copies))
        #expect(throws: LogError.self) { try log.backup(to: folder.path("copy")) }
        #expect(try !log.file.hasMetaRow(Meta.copies))
    }

    @Test("A leftover of compacting is found when a link leads to the log")
    func throughALink() throws {
        let folderOfLink = folder.path("elsewhere")
        try FileManager.default.createDirectory(
            atPath: folderOfLink, withIntermediateDirectories: false)
        let link = folderOfLink + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try leave(path, at: path + ".replay-partial")
        let log = try EventLog(path: link, access: .write)
        #expect(log.file.remnantsRemovedOnOpening.count == 1)
        #expect(!FileManager.default.fileExists(atPath: path + ".replay-partial"))
    }

    @Test("A note without a file is taken off")
    func nothingLeft() throws {
        try note()
        #expect(try row())
        #expect(try remnants() == [])
        #expect(try !row())
    }

    @Test("A leftover of compacting is removed without a note")
    func besideTheLog() throws {
        try leave(path, at: path + ".replay-partial")
        #expect(try EventLog(path: path, access: .write).head() == Position(20))
        #expect(!FileManager.default.fileExists(atPath: path + ".replay-partial"))
    }

    @Test("A remnant of another log stays, and the note goes")
    func otherLog() throws {
        let other = folder.path("other")
        _ = try EventLog(path: other, access: .create).append(OriginalLog.request(1, 1))
        try note()
        try leave(other)
        #expect(try remnants() == [])
        #expect(try isThere && !row())
    }

    @Test(
        "A file that may belong to somebody else is named and kept",
        arguments: ["link", "second name", "locked", "text", "folder"])
    func kept(_ kind: String) throws {
        try note()
        var file: CInt = -1
        defer { if file >= 0 { close(file) } }
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: partial, withDestinationPath: path)
        case "text": try Data("my notes".utf8).write(to: URL(fileURLWithPath: partial))
        case "folder":
            try FileManager.default.createDirectory(
                atPath: partial, withIntermediateDirectories: false)
        default:
            try leave(path)
            if kind == "locked" {
                file = open(partial, O_RDONLY)
                #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
            } else {
                try FileManager.default.linkItem(atPath: partial, toPath: folder.path("second"))
            }
        }
        for _ in 0..<2 {
            let found = try remnants()
            #expect(found.count == 1 && found[0].fate != .removed)
            #expect(found[0].path.hasSuffix("/a\nb.replay-partial"))
            #expect(try isThere && row())
        }
        #expect(try EventLog(path: path, access: .read).head() == Position(20))
    }

    @Test("A remnant that took the place of the log is the log")
    func renamedRemnant() throws {
        try note()
        try leave(path)
        #expect(
            try RemnantSearch(EventLog(path: partial, access: .write).file).removeRemnants() == [])
        #expect(isThere)
    }
}
