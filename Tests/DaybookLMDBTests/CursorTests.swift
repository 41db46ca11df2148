import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// One cursor for all lookups of a transaction, and the checks of pages that it saves.
@Suite struct CursorTests {
    /// A file with the tables `numbers` and `texts` of several levels, each with the even keys.
    private func file(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path("file")
        let environment = try Environment(path: path)
        let tables = try environment.open([("numbers", .integers), ("texts", .bytes)])
        var transaction = try WriteTransaction(in: environment)
        for number in stride(from: UInt64(2), to: 20_000, by: 2) {
            let (key, value) = (Self.text(number), Self.value(number))
            try transaction.put(value.rawSpan, for: number, in: tables[0])
            try transaction.put(value.rawSpan, for: key.rawSpan, in: tables[1])
        }
        try transaction.commit()
        return path
    }

    private static func text(_ number: UInt64) -> [UInt8] {
        Array("a-common-beginning:\(String(number).leftPadded)".utf8)
    }

    private static func value(_ number: UInt64) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 20 + Int(number % 30))
    }

    private func reader(_ path: String) throws -> Environment {
        var options = Environment.Options()
        options.isReadOnly = true
        return try Environment(path: path, options: options)
    }

    private let tables = [
        Table(reading: "numbers", .integers), Table(reading: "texts", .bytes),
    ]

    /// The value of a key, looked up in one of the tables.
    private func found(
        _ number: UInt64, _ table: Table, in transaction: borrowing ReadTransaction
    ) throws -> [UInt8]? {
        guard table.name == "texts" else {
            return try transaction.bytes(for: number, in: table)?.bytes
        }
        let key = Self.text(number)
        return try transaction.bytes(for: key.rawSpan, in: table)?.bytes
    }

    @Test("Lookups of one transaction in any order find what is there", arguments: [1, 2, 3])
    func lookups(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let environment = try reader(try file(folder))
        let transaction = try ReadTransaction(in: environment)
        var random = SeededGenerator(seed: seed)
        var number: UInt64 = 1
        for step in 0..<4_000 {
            // Near the last one, to both sides, and far from it.
            let near = number &+ UInt64.random(in: 0..<80, using: &random) &- 40
            let far = UInt64.random(in: 0...20_010, using: &random)
            number = step % 5 == 0 || near > 20_010 ? far : near
            let isThere = number % 2 == 0 && (2..<20_000).contains(number)
            for table in tables {
                let value = try found(number, table, in: transaction)
                #expect(value == (isThere ? Self.value(number) : nil), "\(table.name) \(number)")
            }
        }
    }

    @Test("Each lookup that a damaged page leads to fails, however often it is asked")
    func damagedPages() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        // The size of a node on each third leaf.
        var leaves = 0
        for page in stride(from: 2 * 4_096, to: bytes.count, by: 4_096)
        where bytes[page + 10] == 2 && bytes[page + 12] > 80 {
            leaves += 1
            guard leaves % 3 == 0 else { continue }
            let node = Int(bytes[page + 40]) | Int(bytes[page + 41]) << 8
            bytes[page + node] ^= 4
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let environment = try reader(path)
        for table in tables {
            let failures = try failures(table, environment)
            #expect(failures.first == failures.last)
            let count = failures[0].count
            #expect(count > 2_000 && count < 8_000, "\(table.name): \(count) of 10,000 fail")
        }
    }

    /// The keys whose lookup fails: in order, back again, and each in a transaction of its own.
    private func failures(_ table: Table, _ environment: Environment) throws -> [[UInt64]] {
        let numbers = Array(stride(from: UInt64(2), to: 20_000, by: 2))
        let transaction = try ReadTransaction(in: environment)
        func isDamaged(_ number: UInt64, _ transaction: borrowing ReadTransaction) throws -> Bool {
            do {
                let value = try found(number, table, in: transaction)
                #expect(value == Self.value(number))
                return false
            } catch let error as LMDBError where error == .corrupted {
                return true
            }
        }
        let forth = try numbers.filter { try isDamaged($0, transaction) }
        let back = try numbers.reversed().filter { try isDamaged($0, transaction) }
        let alone = try numbers.filter { try isDamaged($0, ReadTransaction(in: environment)) }
        return [forth, back.reversed(), alone]
    }

    @Test("A write after a damaged page is refused, also after writes to intact pages")
    func damagedPath() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let key = Self.text(10_000)
        let place = try #require(
            Data(bytes).range(of: Data(key + Self.value(10_000)))?.lowerBound)
        bytes[place - 8] ^= 4
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let environment = try Environment(path: path)
        let texts = try environment.open([("texts", .bytes)])[0]
        var transaction = try WriteTransaction(in: environment)
        let value: [UInt8] = [1]
        for number in [2, 4, 19_000] as [UInt64] {
            let key = Self.text(number)
            try transaction.put(value.rawSpan, for: key.rawSpan, in: texts)
        }
        for _ in 1...2 {
            #expect(throws: LMDBError.corrupted) {
                try transaction.put(value.rawSpan, for: key.rawSpan, in: texts)
            }
        }
    }

    @Test("A removal beside a damaged page is refused, on either side of it")
    func damagedSibling() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let row = Data(Self.text(10_000) + Self.value(10_000))
        let place = try #require(Data(bytes).range(of: row)?.lowerBound)
        bytes[place - 8] ^= 4
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let environment = try Environment(path: path)
        let texts = try environment.open([("texts", .bytes)])[0]
        func removes(_ number: UInt64) throws -> Bool {
            var transaction = try WriteTransaction(in: environment)
            let key = Self.text(number)
            do throws(LMDBError) {
                return try transaction.remove(key.rawSpan, from: texts)
            } catch {
                #expect(error == .corrupted)
                return false
            }
        }
        let refused = try stride(from: UInt64(9_000), to: 11_000, by: 2).filter { try !removes($0) }
        // The rows of the page and of those to both sides, about as many each.
        let page = try #require(rowCount(ofPageAt: place / 4_096, in: bytes))
        #expect(refused.count > 2 * page && refused.count < 4 * page, "\(refused.count) \(page)")
        #expect(refused.contains(10_000))
        #expect(refused == Array(stride(from: refused[0], through: refused.last ?? 0, by: 2)))
    }

    private func rowCount(ofPageAt page: Int, in bytes: [UInt8]) -> Int? {
        let lower = Int(bytes[page * 4_096 + 12]) | Int(bytes[page * 4_096 + 13]) << 8
        return lower > 16 ? (lower - 16) / 2 : nil
    }

    @Test("A large value whose pages are damaged is neither replaced nor removed")
    func damagedLargeValue() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        let value = [UInt8](repeating: 7, count: 20_000)
        do {
            let environment = try Environment(path: path)
            let rows = try environment.open([("rows", .integers)])[0]
            var transaction = try WriteTransaction(in: environment)
            try transaction.put(value.rawSpan, for: UInt64(1), in: rows)
            try transaction.commit()
        }
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let page = try #require(
            stride(from: 2 * 4_096, to: bytes.count, by: 4_096).first { bytes[$0 + 10] == 4 })
        // The number of pages that the value takes.
        bytes[page + 12] ^= 2
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let environment = try Environment(path: path)
        let rows = try environment.open([("rows", .integers)])[0]
        var transaction = try WriteTransaction(in: environment)
        #expect(throws: LMDBError.corrupted) {
            try transaction.put(value.rawSpan, for: UInt64(1), in: rows)
        }
        #expect(throws: LMDBError.corrupted) { try transaction.remove(1, from: rows) }
    }

    @Test("Keys are in the order of their bytes", arguments: [1, 2])
    func order(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func bytes() -> [UInt8] {
            let count = Int.random(in: 0...20, using: &random)
            // Few different bytes, so that beginnings are the same.
            return (0..<count).map { _ in [0, 1, 127, 255].randomElement(using: &random) ?? 0 }
        }
        for _ in 0..<20_000 {
            let (a, b) = (bytes(), bytes())
            let order = a.withUnsafeBytes { a in b.withUnsafeBytes { ByteOrder.compare(a, $0) } }
            #expect((order < 0) == a.lexicographicallyPrecedes(b), "\(a) \(b)")
            #expect((order == 0) == (a == b), "\(a) \(b)")
        }
    }
}

extension String {
    fileprivate var leftPadded: String { String(repeating: "0", count: 6 - count) + self }
}

extension RawSpan {
    fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
