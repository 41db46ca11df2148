import Daybook
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// Single bits of both meta pages changed: no answer changes, or the log is refused.
@Suite("Meta pages") struct MetaPageTests {
    private let folder: TemporaryFolder
    private let catalogue: Catalogue

    init() throws {
        folder = try TemporaryFolder()
        catalogue = try Catalogue([Notes.self])
    }

    private static func request(_ number: Int64) -> AppendRequest {
        AppendRequest(
            [NewEvent(Note(number, "n", topics: ["t"]), occurredAt: .init(microseconds: number))])
    }

    private func append(_ numbers: ClosedRange<Int64>, to path: String) throws {
        let log = try EventLog(path: path, access: .create, catalogue: catalogue)
        for number in numbers { _ = try log.append(Self.request(number)) }
    }

    enum Shape: String, CaseIterable {
        case few, more, compacted, continued, copy
    }

    /// A log of a shape at a path; gives its number of events.
    private func make(_ shape: Shape, _ path: String) throws -> Int64 {
        switch shape {
        case .few: try append(1...5, to: path)
        case .more:
            try append(1...40, to: path)
            _ = try EventLog(path: path, access: .write, catalogue: catalogue).reindex()
            try append(41...43, to: path)
            return 43
        case .compacted, .continued:
            try append(1...4, to: path)
            _ = try Compaction.run(path, against: catalogue)
            guard shape == .continued else { return 4 }
            try append(5...5, to: path)
        case .copy:
            try append(1...5, to: path + ".source")
            try EventLog(path: path + ".source", access: .read).backup(to: path)
        }
        return 5
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try? FileManager.default.removeItem(atPath: path + "-lock")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Changes one byte of a file in place.
    private func put(_ byte: UInt8, at place: Int, _ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: [byte])
        try file.close()
    }

    @Test("A changed bit changes no answer, or is refused", arguments: Shape.allCases)
    func everyBit(_ shape: Shape) throws {
        let (whole, damaged) = (folder.path("whole"), folder.path("damaged"))
        let count = try make(shape, whole)
        let head = try EventLog(path: whole, access: .read).file.status().chainHead
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
        var (refused, appended) = (0, 0)
        try write(bytes, damaged)
        for place in Cases.sample([0, 4_096].flatMap { $0..<$0 + 152 }) {
            for bit in 0..<8 {
                try put(bytes[place] ^ 1 << bit, at: place, damaged)
                defer { try? put(bytes[place], at: place, damaged) }
                do {
                    let found = try EventLog(path: damaged, access: .read).file.status().chainHead
                    #expect(found == head, "byte \(place), bit \(bit)")
                } catch {
                    refused += 1
                    continue
                }
                guard bit == place % 8 else { continue }
                appended += 1
                try expectAppend(damaged, Int64(count), "byte \(place), bit \(bit)")
                try write(bytes, damaged)
            }
        }
        let share = Cases.areAll ? 1 : 7
        #expect(refused * share > 1_000 && appended * share > 20)
    }

    /// An append to a log that was not refused is where it belongs, in a log that is sound.
    private func expectAppend(_ path: String, _ count: Int64, _ place: String) throws {
        let log = try EventLog(path: path, access: .write, catalogue: catalogue)
        let receipt = try log.append(Self.request(count + 1))
        #expect(receipt?.first == Position(UInt64(count) + 1), "\(place)")
        #expect(try log.verify().findings.isEmpty, "\(place)")
        #expect((FileStatus(of: path)?.byteCount ?? 0) < 1 << 22, "\(place)")
    }

    @Test("A salvage finds the newest commit though the meta page's number was lowered")
    func salvage() throws {
        for shape in [Shape.few, .continued] {
            let (path, saved) = (folder.path("\(shape)"), folder.path("\(shape)-saved"))
            let count = try make(shape, path)
            let head = try EventLog(path: path, access: .read).file.status().chainHead
            var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            // Two less, so that the numbers still follow one another.
            let newest = bytes[144] > bytes[4_240] ? 144 : 4_240
            bytes[newest] -= 2
            try write(bytes, path)
            #expect(throws: LogError.self) { try EventLog(path: path, access: .read) }
            let report = try Salvage.run(path, to: saved, against: catalogue)
            #expect(report.isComplete && report.eventCount == UInt64(count), "\(shape)")
            #expect(report.head == head, "\(shape)")
        }
    }

    /// A whole log of five events, with the offset of its newest meta page and of the other one.
    private func few(_ path: String) throws -> (bytes: [UInt8], newest: Int, older: Int) {
        _ = try make(.few, path)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        return bytes[144] > bytes[4_240] ? (bytes, 0, 4_096) : (bytes, 4_096, 0)
    }

    @Test("A salvage takes no earlier state for the newest one, whichever record leads to it")
    func salvageOfEarlierState() throws {
        let path = folder.path("log")
        let (whole, newest, older) = try few(path)
        // The roots of the list of tables and of that of free pages.
        for root in [128, 80] {
            var bytes = whole
            bytes.replaceSubrange(
                newest + root..<newest + root + 8, with: whole[older + root..<older + root + 8])
            try write(bytes, path)
            #expect(throws: LogError.self) { try EventLog(path: path, access: .read) }
            let saved = folder.path("saved-\(root)")
            let report = try Salvage.run(path, to: saved, against: catalogue)
            #expect(report.eventCount == 5 && report.lastPosition == nil, "\(root): \(report)")
        }
    }

    @Test("A salvage finds the commit after a compact though the copy's page has a greater number")
    func salvageAfterCompact() throws {
        let (path, saved) = (folder.path("log"), folder.path("saved"))
        let count = try make(.continued, path)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        // The copy's state has freed nothing that would tell its number.
        let copied = bytes[144] > bytes[4_240] ? 4_240 : 144
        bytes[copied] += 2
        try write(bytes, path)
        #expect(throws: LogError.self) { try EventLog(path: path, access: .read) }
        let report = try Salvage.run(path, to: saved, against: catalogue)
        #expect(report.eventCount == UInt64(count) && report.lastPosition == nil, "\(report)")
    }

    @Test("A table whose record leads to another tree is refused, and its rows are salvaged")
    func otherTree() throws {
        let path = folder.path("log")
        let (whole, newest, older) = try few(path)
        let (new, old) = (roots(whole, newest), roots(whole, older))
        #expect(new.keys.contains("events") && new.count > 5)
        for (name, place) in new.sorted(by: { $0.key < $1.key }) {
            var others = new.filter { $0.key != name }.map(\.value)
            if let place = old[name] { others.append(place) }
            for other in others where whole[place..<place + 8] != whole[other..<other + 8] {
                var bytes = whole
                bytes.replaceSubrange(place..<place + 8, with: whole[other..<other + 8])
                try write(bytes, path)
                #expect(throws: LogError.self, "\(name)") {
                    try EventLog(path: path, access: .write)
                }
                let saved = folder.path("saved")
                let report = try Salvage.run(path, to: saved, against: catalogue)
                #expect(report.eventCount == 5, "\(name): \(report)")
                try FileManager.default.removeItem(atPath: saved)
            }
        }
    }

    /// The offset of the root of each table that has rows, in the list of tables of a state.
    private func roots(_ bytes: [UInt8], _ meta: Int) -> [String: Int] {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let page = number(meta + 128, 4) * 4_096
        var roots: [String: Int] = [:]
        for entry in stride(from: page + 16, to: page + number(page + 12, 2), by: 2) {
            let node = page + number(entry, 2)
            let name = node + 8..<node + 8 + number(node + 6, 2)
            guard bytes[name.upperBound + 40..<name.upperBound + 48].contains(where: { $0 != 255 })
            else { continue }
            roots[String(decoding: bytes[name], as: UTF8.self)] = name.upperBound + 40
        }
        return roots
    }

    @Test("A refusal names the page and what it contradicts")
    func message() throws {
        let path = folder.path("log")
        try append(1...5, to: path)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        let newest = bytes[144] > bytes[4_240] ? 0 : 1
        var changed = bytes
        changed[newest * 4_096 + 136] ^= 128
        try write(changed, path)
        let last = UInt64(bytes[newest * 4_096 + 136])
        let damage = StateDamage.pageCount(
            page: newest, last: last ^ 128, counted: last + 1)
        #expect(throws: LogError.open(.damaged(path: path, damage))) {
            try EventLog(path: path, access: .write)
        }
    }
}
