import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// Scrubs between whose pieces other writers commit.
@Suite("Scrub") struct ScrubTests {
    private let folder: TemporaryFolder
    private let path: String

    /// The rows of the table.
    private typealias Rows = [UInt64: [UInt8]]

    /// Text of values that are gone when the scrub begins.
    private static let old = Array("old text that no state has ".utf8)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("file")
    }

    /// An open file and what its newest states hold, by the numbers of their transactions.
    private final class File {
        let environment: Environment
        let table: Table
        private(set) var states: [UInt64: Rows] = [:]
        private(set) var rows: Rows

        init(_ path: String, rows: Rows = [:]) throws {
            environment = try Environment(path: path)
            table = try #require(try environment.open([("rows", .integers)]).first)
            self.rows = rows
            states[try ReadTransaction(in: environment).stateNumber] = rows
        }

        /// Commits changes to rows; `nil` removes a row.
        func commit(_ changes: [UInt64: [UInt8]?]) throws {
            var transaction = try WriteTransaction(in: environment)
            for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
                if let value {
                    try transaction.put(value.rawSpan, for: key, in: table)
                } else {
                    try transaction.remove(key, from: table)
                }
                rows[key] = value
            }
            try transaction.commit()
            states[try ReadTransaction(in: environment).stateNumber] = rows
        }

        /// Commits random changes, whose values consist of a byte.
        func change(_ generator: inout SeededGenerator, keys: UInt64, filler: [UInt8]) throws {
            var changes: [UInt64: [UInt8]?] = [:]
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let key = UInt64.random(in: 0..<keys, using: &generator)
                let limit = [40, 300, 9_000].randomElement(using: &generator) ?? 40
                let count = Int.random(in: 1...limit, using: &generator)
                var value = filler
                while value.count <= count { value += value }
                value.removeLast(value.count - (count / filler.count + 1) * filler.count)
                changes[key] = Bool.random(using: &generator) ? value : [UInt8]?.none
            }
            try commit(changes)
        }

        /// Checks the structure and the rows of the newest state and the one before.
        func expectSound(_ comment: Comment) throws {
            let newest = try WriteTransaction(in: environment)
            for pages in [newest.pages, try newest.pages.stateBefore()] {
                #expect(pages.faults() == [], comment)
                guard let expected = states[pages.transaction] else { continue }
                let isSame = try ScrubTests.rows(of: TransactionState(pages), table) == expected
                #expect(isSame, comment)
            }
        }
    }

    /// Returns all rows of a state.
    private static func rows(of state: TransactionState, _ table: Table) throws -> Rows {
        var rows: Rows = [:]
        var cursor = try state.cursor(table)
        var isAtRow = try cursor.moveToFirst()
        while isAtRow {
            let row = try cursor.row()
            rows[try row.key.integer] = Array(row.data)
            isAtRow = try cursor.moveToNext()
        }
        return rows
    }

    /// Makes a file with a history in which many values had the old text, and no value has it now.
    private func makeFile(_ generator: inout SeededGenerator) throws -> Rows {
        let file = try File(path)
        for _ in 0..<12 { try file.change(&generator, keys: 300, filler: Self.old) }
        var clean: [UInt64: [UInt8]?] = [:]
        for key in file.rows.keys {
            let count = Int.random(in: 1...600, using: &generator)
            clean[key] =
                Bool.random(using: &generator)
                ? [UInt8](repeating: 7, count: count) : [UInt8]?.none
        }
        try file.commit(clean)
        return file.rows
    }

    /// True if the file has the old text anywhere.
    private func hasOldText() throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(Self.old)) != nil
    }

    /// Scrubs a file while random commits come between the pieces; returns true if it is complete.
    private func scrubBesideWriter(
        _ file: File, _ generator: inout SeededGenerator, _ comment: Comment
    ) throws -> Bool {
        var scrub = try Scrub(of: file.environment, pieceBytes: 4 * file.environment.pageSize)
        var pieceCount = 0
        for round in 1...2 {
            while try scrub.step() {
                pieceCount += 1
                if Int.random(in: 0..<3, using: &generator) > 0 {
                    try file.change(&generator, keys: 300, filler: [9])
                }
                try file.expectSound(comment)
            }
            guard round == 1 else { break }
            try file.commit([1_000: [1]])
            try scrub.startAgain()
        }
        #expect(pieceCount > 10, comment)
        return scrub.isComplete
    }

    @Test("Nothing old is left and nothing needed is gone beside a writer", arguments: 1...12)
    func besideWriter(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rows = try makeFile(&generator)
        #expect(try hasOldText())
        // Opened again, as old text may be in the memory of the process that wrote it.
        let file = try File(path, rows: rows)
        let isComplete = try scrubBesideWriter(file, &generator, "seed \(seed)")
        #expect(isComplete, "seed \(seed)")
        #expect(try !hasOldText(), "seed \(seed)")
    }

    @Test("A reader of an older state keeps what it reads", arguments: 21...23)
    func besideReader(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rows = try makeFile(&generator)
        let file = try File(path, rows: rows)
        do {
            let reader = try ReadTransaction(in: file.environment)
            try file.change(&generator, keys: 300, filler: [9])
            let isComplete = try scrubBesideWriter(file, &generator, "seed \(seed)")
            #expect(!isComplete, "seed \(seed)")
            let isKept = try Self.rows(of: reader.state, file.table) == rows
            #expect(isKept, "seed \(seed)")
        }
        #expect(try hasOldText(), "seed \(seed)")
        let isComplete = try scrubBesideWriter(file, &generator, "seed \(seed)")
        #expect(isComplete, "seed \(seed)")
        #expect(try !hasOldText(), "seed \(seed)")
    }

    @Test("The write lock is free between two pieces, which look at few pages each")
    func lockBetweenPieces() throws {
        var generator = SeededGenerator(seed: 7)
        let file = try File(path, rows: try makeFile(&generator))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let pageCount = file.environment.usedBytes / file.environment.pageSize
        var scrub = try Scrub(of: file.environment, pieceBytes: 4 * file.environment.pageSize)
        var pieceCount = 0
        while try scrub.step() {
            pieceCount += 1
            #expect(try !WriteGate.isTaken(descriptor))
        }
        #expect(pieceCount > pageCount / 4)
    }

    @Test("Pages of the state before are overwritten after one more commit")
    func alone() throws {
        var generator = SeededGenerator(seed: 3)
        let file = try File(path, rows: try makeFile(&generator))
        // Bytes after the last page, as of a transaction that was given up.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeatElement(Self.old, count: 700).joined()))
        try handle.close()
        var scrub = try Scrub(of: file.environment)
        while try scrub.step() {}
        var isComplete = scrub.isComplete
        #expect(!isComplete)
        #expect(try hasOldText())
        try file.expectSound("before the commit")
        try file.commit([1: [1]])
        try scrub.startAgain()
        while try scrub.step() {}
        isComplete = scrub.isComplete
        #expect(isComplete)
        #expect(try !hasOldText())
        try file.expectSound("after the commit")
    }
}
