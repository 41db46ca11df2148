import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// The states of the two meta pages, held to each other.
@Suite("Pairs of states") struct StatePairTests {
    private func environment(_ path: String) throws -> Environment {
        var options = Environment.Options()
        options.mapSize = 1 << 26
        return try Environment(path: path, options: options)
    }

    private func commit(_ key: UInt64, _ table: Table, _ environment: Environment) throws {
        var transaction = try WriteTransaction(in: environment)
        let value = [UInt8](repeating: UInt8(key % 251), count: Int(key * 37 % 9_000))
        try transaction.put(value.rawSpan, for: key % 50, in: table)
        if key % 7 == 0 { try transaction.remove(key % 11, from: table) }
        try transaction.commit()
    }

    @Test("A writer beside the check causes no false alarm")
    func besideWriter() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        let environment = try environment(path)
        let table = try #require(try environment.open([("rows", .integers)]).first)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for key in 1...300 as ClosedRange<UInt64> { try commit(key, table, environment) }
            }
            group.addTask {
                for _ in 0..<800 {
                    let damage = try StatePair.damage(in: file)
                    #expect(damage == nil)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Each state that commits leave adds up, also with long lists of free pages")
    func commits() throws {
        let folder = try TemporaryFolder()
        let environment = try environment(folder.path("log"))
        let tables = try environment.open([("rows", .integers), ("more", .integers)])
        let file = open(folder.path("log"), O_RDONLY)
        defer { close(file) }
        for round in 1...60 as ClosedRange<UInt64> {
            var transaction = try WriteTransaction(in: environment)
            for key in 0..<(round * 97 % 800) {
                let value = [UInt8](repeating: 1, count: Int((key * round) % 3_000))
                try transaction.put(value.rawSpan, for: key, in: tables[Int(round % 2)])
            }
            if round % 5 == 0 { try transaction.clear(tables[Int((round / 5) % 2)]) }
            try transaction.commit()
            #expect(try StatePair.damage(in: file) == nil, "round \(round)")
        }
    }

    @Test("A meta page whose write failed is as it was before")
    func restored() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        let environment = try environment(path)
        let table = try #require(try environment.open([("rows", .integers)]).first)
        for key in 1...5 as ClosedRange<UInt64> { try commit(key, table, environment) }
        let file = open(path, O_RDWR)
        defer { close(file) }
        let whole = MetaPages.availableBytes(in: file)
        let page = whole[144] < whole[152 + 144] ? 0 : 1
        let before = try #require(MetaPages.bytes(ofPage: page, in: file, pageSize: 4_096))
        // LMDB puts the old number and last page back, beside the new roots.
        let other = try #require(MetaPages.bytes(ofPage: 1 - page, in: file, pageSize: 4_096))
        let hybrid = Array(before[..<40] + other[40..<136] + before[136...])
        #expect(pwrite(file, hybrid, hybrid.count, off_t(page * 4_096)) == hybrid.count)
        #expect(try StatePair.damage(in: file) != nil)
        MetaPages.restore(before, ofPage: page, in: file, pageSize: 4_096)
        #expect(MetaPages.availableBytes(in: file) == whole)
        #expect(try StatePair.damage(in: file) == nil)
    }
}
