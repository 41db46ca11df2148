import DaybookLMDB
import TestSupport
import Testing

@testable import DaybookLog

/// Tags with positions, in the order of keys.
@Suite struct TagRowsTests {
    @Test("Each tag comes once, in the order of bytes, with its positions", arguments: [1, 2, 3])
    func sorted(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var expected: [[UInt8]: [UInt64]] = [:]
        var rows = TagRows()
        for position in 1...3_000 as ClosedRange<UInt64> {
            // Up to 40 bytes, of which many begin alike and some are beginnings of others.
            let count = Int.random(in: 1...40, using: &random)
            let tag = (0..<count).map { index in
                index % 7 == 6 ? UInt8.random(in: 0...2, using: &random) : 97
            }
            rows.add(tag.rawSpan, position)
            rows.add(tag.rawSpan, position)
            expected[tag, default: []].append(position)
        }
        var shown: [[UInt8]] = []
        rows.forEachTag { tag, positions in
            let tag = tag.copied()
            #expect(expected[tag] == Array(positions), "\(tag)")
            shown.append(tag)
        }
        #expect(shown == expected.keys.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
