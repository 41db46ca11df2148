import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// What is left of damaged logs.
@Suite("Salvage") struct SalvageTests {
    let catalogue: Catalogue
    let folder: TemporaryFolder
    let path: String
    let output: String

    init() throws {
        catalogue = try Catalogue([Notes.self])
        folder = try TemporaryFolder()
        path = folder.path("log")
        output = folder.path("salvaged")
    }

    @Test("A log without damage comes out as it was, and its file is not touched")
    func whole() throws {
        let original = try OriginalLog(at: path)
        try FileManager.default.removeItem(atPath: path + "-lock")
        let report = try salvage()
        #expect(
            report.isComplete && report.eventCount == 140 && report.textCount == 46, "\(report)")
        #expect(report.head.chain == original.head && report.id == original.id)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(original.bytes))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files.sorted() == ["log", "salvaged"])
        #expect(try original.compare(output) == 140)
        // Requests are known again by their keys, and texts are there.
        let log = try EventLog(path: output, access: .write)
        #expect(try log.receipt(for: .init(key: "k30", asked: [30]))?.isRepeated == true)
        #expect(try log.people.text(at: Position(3), field: 0) == "s3")
    }

    /// Damage to what leads to rows, and to what is derived.
    enum Structure: String, CaseIterable {
        case bothMetaPages, firstMetaPage, secondMetaPage, listOfTables, freeList
        case tags, kinds, keys, index, meta
        case eventBranches, commitBranches
    }

    @Test("Rows are found without what leads to them", arguments: Structure.allCases)
    func structure(_ damage: Structure) throws {
        let original = try OriginalLog(at: path)
        var bytes = original.bytes
        let file = try PageFile(path: path)
        let state = try #require(file.state())
        switch damage {
        case .bothMetaPages: bytes.zero(pages: [0, 1])
        case .firstMetaPage: bytes.zero(pages: [0])
        case .secondMetaPage: bytes.zero(pages: [1])
        case .listOfTables: bytes.zero(pages: [state.meta.main.root])
        case .freeList: bytes.zero(pages: [state.meta.free.root])
        case .eventBranches: bytes.zero(pages: branches(of: "events", file, state))
        case .commitBranches: bytes.zero(pages: branches(of: "commits", file, state))
        default: bytes.zero(pages: pages(of: damage.rawValue, file, state))
        }
        try original.replace(with: bytes)
        let report = try salvage()
        #expect(report.unchangedThrough == Position(140), "\(report.gaps)")
        #expect(try original.compare(output) == 140)
        // Without one of the meta pages or the list of tables, nothing tells that this is all.
        let isUnsure = [.bothMetaPages, .firstMetaPage, .secondMetaPage, .listOfTables]
            .contains(damage)
        #expect(report.lastPosition == (isUnsure ? nil : Position(140)))
        #expect(report.isComplete == (!isUnsure && damage != .meta), "\(report)")
        #expect(report.hasSameID == (damage != .meta))
    }

    @Test("A lost name is found again by the chain")
    func names() throws {
        let original = try OriginalLog(at: path)
        try original.destroy(names: [1, 2])
        let report = try salvage()
        #expect(report.isComplete && report.eventCount == 140, "\(report.gaps)")
        #expect(try original.compare(output) == 140)
    }

    @Test("A lost event is named by its position, and commits behind it are moved on request")
    func lostEvent() throws {
        let original = try OriginalLog(at: path)
        try original.destroy(events: [70])
        let report = try salvage()
        let commit = try #require(original.commits.first { $0.contains(70) })
        #expect(report.unchangedThrough == Position(commit.lowerBound - 1))
        let lost = try #require(report.gaps.first)
        #expect(lost.first == Position(commit.lowerBound), "\(report.gaps)")
        #expect(lost.reason == "1 of \(commit.count) events of the commit are lost")
        #expect(report.gaps.last?.last == Position(140) && report.gaps.count == 2)
        #expect(report.hasSameID && !report.isComplete)
        #expect(try original.compare(output) == Int(commit.lowerBound) - 1)
        try FileManager.default.removeItem(atPath: output)

        var options = SalvageOptions()
        options.includesCommitsAfterGaps = true
        let whole = try salvage(options)
        #expect(whole.eventCount == 140 - UInt64(commit.count) && whole.gaps.count == 1)
        let move = try #require(whole.moves.first)
        #expect(move.first == Position(commit.upperBound + 1) && move.last == Position(140))
        #expect(move.movedTo == Position(commit.lowerBound) && !whole.hasSameID)
        let log = try EventLog(path: output, access: .read)
        #expect(log.id != original.id)
        let last = try #require(try log.reader().collect().last)
        let before = try #require(original.events.last)
        #expect(last.payload == before.payload && last.zone == before.zone)
        #expect(try log.people.text(at: Position(UInt64(138 - commit.count)), field: 0) == "s138")
        // Causation follows what was moved, and is none where its event is lost.
        let causation = try log.commits.at(Position(log.head().rawValue))?.metadata.causation
        #expect(causation == Position(138 - UInt64(commit.count)))
        let next = try log.commits.at(move.movedTo)?.metadata.causation
        #expect(next == nil)
        #expect(try log.receipt(for: .init(key: "k140", asked: [140]))?.isRepeated == true)
    }

    @Test("Without its first commit a log is salvaged only beyond the gap")
    func firstCommit() throws {
        let original = try OriginalLog(at: path)
        try original.destroy(events: [2])
        let count = original.commits.count - 1
        #expect(throws: SalvageError.nothing(path: path, completeCount: count)) { try salvage() }
        #expect(!FileManager.default.fileExists(atPath: output))
        var options = SalvageOptions()
        options.includesCommitsAfterGaps = true
        let report = try salvage(options)
        #expect(report.eventCount == 138 && report.moves.first?.movedTo == Position(1))
        #expect(try original.compare(output) == 0)
    }

    @Test("Rows of a transaction that never ended are left out")
    func unfinished() throws {
        let original = try OriginalLog(at: path)
        do {
            let log = try EventLog(path: path, access: .write)
            _ = try log.append(OriginalLog.request(141, 1))
        }
        var later = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        // The meta pages as they were before.
        later.replaceSubrange(..<8_192, with: original.bytes[..<8_192])
        try Data(later).write(to: URL(fileURLWithPath: path))
        let report = try salvage()
        #expect(report.isComplete && report.head.chain == original.head, "\(report)")
        try FileManager.default.removeItem(atPath: output)
        // Another commit has the position since: the longer history is the one that counts.
        do {
            try original.replace(with: original.bytes)
            let log = try EventLog(path: path, access: .write)
            _ = try log.append(OriginalLog.request(141, 1, "other"))
            _ = try log.append(OriginalLog.request(142, 1))
        }
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        bytes += later
        bytes.zero(pages: [0, 1])
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let forked = try salvage()
        #expect(forked.eventCount == 142 && forked.lastPosition == nil)
        let log = try EventLog(path: output, access: .read)
        #expect(try log.commits.ofKey("k141")?.metadata.actor == "other")
    }

    @Test("A log of another format is refused by name", arguments: [1, 2, 4] as [UInt32])
    func otherFormat(_ version: UInt32) throws {
        do {
            let log = try EventLog(path: path, access: .create)
            _ = try log.append(OriginalLog.request(1, 1))
            try log.write(format: version)
        }
        #expect(throws: LogError.formatVersion(path: path, found: version)) {
            try salvage()
        }
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("An empty log stays one, and what is no log gives nothing")
    func nothing() throws {
        do { _ = try EventLog(path: path, access: .create) }
        #expect(try salvage().isComplete)
        let junk = folder.path("junk")
        for bytes in [[], [UInt8](repeating: 0, count: 40_000), Array("no log".utf8)] {
            try Data(bytes).write(to: URL(fileURLWithPath: junk))
            #expect(throws: SalvageError.nothing(path: junk, completeCount: 0)) {
                try Salvage.run(junk, to: folder.path("none"), against: catalogue)
            }
        }
        #expect(throws: LogError.file(.exists(path: output))) { try salvage() }
        #expect(throws: SalvageError.unreadable(.missing(path: folder.path("gone")))) {
            try Salvage.run(
                folder.path("gone"), to: folder.path("none"), against: catalogue)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
    }

    @Test(
        "Whatever is damaged, what is written was appended", arguments: Cases.sample(1...24) + [64])
    func anything(_ seed: UInt64) throws {
        let original = try OriginalLog(at: path)
        var random = SeededGenerator(seed: seed)
        for round in 0..<3 {
            let bytes = original.bytes.damaged(&random)
            try original.replace(with: bytes)
            var options = SalvageOptions()
            options.includesCommitsAfterGaps = round == 2
            do {
                let report = try salvage(options)
                #expect(try original.compare(output) == Int(report.unchangedThrough.rawValue))
                let moved = report.moves.reduce(0) { $0 + $1.last.rawValue - $1.first.rawValue + 1 }
                #expect(report.eventCount == report.unchangedThrough.rawValue + moved)
                #expect(report.isComplete == (report.eventCount == 140 && report.isComplete))
                try FileManager.default.removeItem(atPath: output)
            } catch SalvageError.nothing {
                continue
            }
        }
    }

    @Test("Damage behind a position costs nothing before it", arguments: 1...12 as ClosedRange)
    func prefix(_ seed: UInt64) throws {
        let original = try OriginalLog(at: path)
        var random = SeededGenerator(seed: seed)
        let commit = try #require(original.commits.randomElement(using: &random))
        let from = commit.lowerBound
        let rows = SalvageRows(try PageFile(path: path)) { _ in }
        // Every page on which nothing of an earlier commit lies, as far as events and commits go.
        var early: Set<UInt64> = []
        for row in rows.events + rows.commits where row.key < from { early.insert(row.place.page) }
        for row in rows.names { early.insert(row.place.page) }
        // Data on pages of their own may be those of an earlier event.
        for page in 2..<rows.file.pageCount {
            // A page within such data may look like anything but the number of itself.
            let (number, flags, count) = rows.file.bytes(of: page).withUnsafeBytes { bytes in
                (
                    bytes.loadUnaligned(as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self),
                    bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
                )
            }
            if number == page, flags == PageFormat.overflow {
                early.formUnion(page..<page + UInt64(count))
            }
        }
        var bytes = original.bytes
        let size = rows.file.pageSize
        for page in 2..<UInt64(bytes.count / size) where !early.contains(page) {
            guard Bool.random(using: &random) else { continue }
            for index in Int(page) * size..<Int(page + 1) * size {
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        try original.replace(with: bytes)
        do {
            let report = try salvage()
            #expect(report.unchangedThrough.rawValue >= from - 1, "seed \(seed)")
            #expect(try original.compare(output) >= Int(from) - 1)
        } catch SalvageError.nothing {
            #expect(from == 1, "seed \(seed)")
        }
    }
}

extension SalvageTests {
    func salvage(
        _ options: SalvageOptions = SalvageOptions()
    ) throws -> SalvageReport {
        var options = options
        options.zones = ["+01:00", "UTC"]
        return try Salvage.run(path, to: output, options, against: catalogue)
    }

    func pages(of table: String, _ file: PageFile, _ state: PageFile.State) -> [UInt64] {
        let leaves = file.reachedPages(of: table, in: state)
        return (2..<file.pageCount).filter { leaves?.contains($0) == true }
    }

    private func branches(
        of table: String, _ file: PageFile, _ state: PageFile.State
    ) -> [UInt64] {
        pages(of: table, file, state).filter { page in
            if case .branch = file.content(file.bytes(of: page), of: page) { return true }
            return false
        }
    }
}
