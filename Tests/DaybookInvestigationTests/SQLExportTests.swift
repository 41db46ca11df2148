import Daybook
import DaybookLog
import TestSupport
import Testing

@testable import DaybookInvestigation

/// The tables of a log, against the states that other questions find.
@Suite struct SQLExportTests {
    /// A log of some moves of seven copies, the same from the same seed.
    private static func shelf(seed: UInt64) throws -> ShelfLog {
        var sampler = Sampler(seed: seed)
        return try ShelfLog(
            (0..<60).map { _ in
                (
                    copy: ["a", "b", "c", "d", "e", "f", "g"][sampler.below(7)],
                    place: ["hall", "desk", "attic"][sampler.below(3)]
                )
            })
    }

    private static func sql(
        _ shelf: ShelfLog, parts partEntityCount: Int = EntityHistories.partEntityCount
    ) throws -> String {
        let reading = try shelf.reading()
        let values = ShownValues(.texts, of: shelf.log, shelf.catalogue) { _ in false }
        let export = SQLExport(
            reading, values, [shelf.copy], history: true, partEntityCount: partEntityCount)
        var text: [UInt8] = []
        try export.write(stage: { _ in }, to: { text += $0 })
        return String(decoding: text, as: UTF8.self)
    }

    /// Rows of a text without what separates them, sorted.
    private static func rows(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("(") }
            .map { $0.hasSuffix(",") || $0.hasSuffix(";") ? $0.dropLast() : $0 }.sorted()
    }

    @Test(
        "The history has the state of every copy at every position",
        arguments: 1...6 as ClosedRange<UInt64>)
    func history(seed: UInt64) throws {
        let shelf = try Self.shelf(seed: seed)
        let text = try Self.sql(shelf)
        let pattern = /\('(\w)',(\d+),(\d+|NULL),'.+?',(?:'.+?'|NULL),'.+?','(\w+)',(\d+)\)/
        let intervals = text.matches(of: pattern).map(\.output)
        for position in UInt64(1)...60 {
            let reading = try shelf.reading(as: Moment(.position(position)))
            let states = try reading.states(of: shelf.copy, nil, .standard)
            var found: [String: String] = [:]
            for row in intervals {
                let (from, to) = (UInt64(row.2) ?? 0, UInt64(row.3) ?? .max)
                guard from <= position, position < to else { continue }
                #expect(found[String(row.1)] == nil, "seed \(seed), position \(position)")
                found[String(row.1)] = #"{"place":"\#(row.4)","moves":\#(row.5)}"#
            }
            #expect(found == states.mapValues(\.json), "seed \(seed), position \(position)")
        }
    }

    @Test("Entities that are folded in parts have the same rows", arguments: [1, 2, 3, 6, 7])
    func parts(_ count: Int) throws {
        let shelf = try Self.shelf(seed: 7)
        let (whole, parted) = (try Self.sql(shelf), try Self.sql(shelf, parts: count))
        #expect(Self.rows(whole) == Self.rows(parted))
        #expect((whole == parted) == (count == 7))
    }
}
