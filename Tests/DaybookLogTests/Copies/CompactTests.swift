import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// Logs whose free space is given back.
@Suite("Compacting") struct CompactTests {
    private let catalogue: Catalogue
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        catalogue = try Catalogue([Notes.self])
        folder = try TemporaryFolder()
        path = folder.path("log")
    }

    private func open(_ access: EventLog.Access = .write) throws -> EventLog {
        try EventLog(path: path, access: access)
    }

    /// A log with free pages: every commit has written its own copy of the last leaves.
    private func make() throws {
        let log = try EventLog(path: path, access: .create)
        for number in 1...80 as ClosedRange<Int64> {
            _ = try log.append(OriginalLog.request(number, 1))
        }
        try log.reindex(afresh: true)
    }

    private func mode() throws -> Int {
        try #require(
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("Free space is given back, and nothing else changes")
    func compact() throws {
        try make()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let before = try open(.read).file.status()
        #expect(before.freeBytes > 0 && before.freeBytes < before.fileBytes)
        let events = try open(.read).reader().collect()
        let result = try Compaction.run(path, against: catalogue)
        #expect(result.bytesBefore == before.fileBytes && result.head == before.chainHead)
        #expect(result.bytesAfter <= before.fileBytes - before.freeBytes)
        #expect(try mode() == 0o640)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
                == ["log", "log-lock"])
        let log = try open()
        let now = try log.reader().collect()
        #expect(log.id == before.id && now == events)
        #expect(try log.file.status().freeBytes == 0)
        #expect(try log.people.text(at: Position(60), field: 0) == "s60")
        _ = try log.append(OriginalLog.request(81, 1))
        let checked = try log.verify(against: catalogue)
        #expect(checked.isSound && checked.events == 81, "\(checked.findings)")
    }

    @Test("Whatever number of transactions the log has had, a lock file that is left fits it")
    func transactionNumbers() throws {
        try make()
        for number in 81...84 as ClosedRange<Int64> {
            let before: UInt64
            do {
                let log = try open()
                _ = try log.append(OriginalLog.request(number, 1))
                before = try log.file.beginReading().pages.transaction
            }
            _ = try Compaction.run(path, against: catalogue)
            let log = try open(.read)
            #expect(try log.file.beginReading().pages.transaction == before)
            #expect(try log.head() == Position(UInt64(number)))
        }
        // Both meta pages lead to the same rows.
        let file = try PageFile(path: path)
        for page in [0, 1] {
            let meta = try #require(
                file.bytes(of: UInt64(page)).withUnsafeBytes { bytes in
                    bytes.baseAddress.flatMap { MetaPage(at: $0) }
                })
            #expect(meta.main == file.state()?.meta.main)
        }
    }

    @Test("A log that is open is left as it is")
    func openElsewhere() throws {
        try make()
        let log = try open(.read)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: CompactError.open(path: path, by: getpid())) {
            try Compaction.run(path, against: catalogue)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(try log.head() == Position(80))
    }

    @Test("A link leads to the log, which is replaced where it lies")
    func link() throws {
        try make()
        let alias = folder.path("alias")
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: path)
        _ = try Compaction.run(alias, against: catalogue)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: alias) == path)
        #expect(try open(.read).file.status().freeBytes == 0)
    }

    @Test("A damaged log, and a remnant of an earlier try")
    func damaged() throws {
        try make()
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".replay-partial"))
        _ = try Compaction.run(path, against: catalogue)
        #expect(!FileManager.default.fileExists(atPath: path + ".replay-partial"))
        // One byte of a payload.
        let rows = SalvageRows(try PageFile(path: path)) { _ in }
        let place = try #require(rows.events.first { $0.key == 30 }).place
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[Int(place.page) * rows.file.pageSize + place.offset + 60] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: CompactError.self) {
            try Compaction.run(path, against: catalogue)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
        #expect(throws: LogError.open(.missing(path: folder.path("none")))) {
            try Compaction.run(folder.path("none"), against: catalogue)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("none-lock")))
    }
}
