import Daybook
import TestSupport
import Testing

@testable import DaybookInvestigation

/// Columns and bins of single numbers.
@Suite struct BinColumnTests {
    @Test(
        "A column of times has the times",
        arguments: [0, 1, 31, 32, 33, 39, 40, 41, 52, 63] as [UInt64], 1...3 as ClosedRange<UInt64>)
    func times(bits: UInt64, seed: UInt64) {
        var sampler = Sampler(seed: seed)
        let start = sampler.next() >> (bits == 63 ? 63 : 2)
        var times = (0..<100).map { _ in start + sampler.next() >> (64 - bits) }
        times += [start, start + (1 << bits - 1), start + 1 << bits]
        let column = TimeColumn(times)
        expect(column.earliest, equals: times.min())
        expect(column.latest, equals: times.max())
        var found: [UInt64] = []
        column.forEach { index, difference in
            expect(index, equals: found.count)
            found.append(column.earliest + difference)
        }
        expect(found, equals: times, "seed \(seed)")
        let size = bits < 32 ? 4 : bits < 40 ? 5 : 8
        expect(column.byteCount, equals: times.count * size)
    }

    @Test("A column of lanes has the lanes", arguments: [1, 2, 255, 256, 257, 900])
    func lanes(count: Int) {
        var palette = LanePalette()
        for start in [0, 7, 65_535 - count] {
            let lanes = (0..<1_000).map { UInt16(start + ($0 * 31) % count) }
            let column = LaneColumn(lanes, &palette)
            expect(lanes.indices.map { column[$0] }, equals: lanes)
            var counts = [UInt32](repeating: 0, count: 65_536)
            column.addCounts(lanes.count, to: &counts)
            for lane in lanes { counts[Int(lane)] -= 1 }
            #expect(counts.allSatisfy { $0 == 0 })
            var values = [UInt32](repeating: 0, count: 1_024)
            column.expand((0..<65_536).map { $0 * 3 }, lanes.count, into: &values)
            #expect(values.prefix(1_000).elementsEqual(lanes.map { UInt32($0) * 3 }))
            let isWanted = (0..<65_536).map { $0 == Int(lanes[count / 2]) }
            #expect(column.mayContain(isWanted))
            #expect(column.byteCount == (count == 1 ? 0 : count <= 256 ? 2 * count + 1_000 : 2_000))
        }
    }

    @Test("The bin of a coordinate is its quotient", arguments: 1...20 as ClosedRange<UInt64>)
    func quotients(seed: UInt64) {
        var sampler = Sampler(seed: seed)
        for _ in 0..<2_000 {
            let length = max(1, sampler.next() >> UInt64(sampler.below(64)))
            let low = Int128(Int64.min) + Int128(sampler.next() >> UInt64(sampler.below(64)))
            let end = min(low + Int128(length), Int128(Int64.max) + 1)
            let from = min(low, Int128(Int64.max))
            let scale = BinScale(
                from: from, to: max(end, from + 1), width: 1 + sampler.below(8_192))
            #expect(scale.to >= end && scale.to - end < scale.length)
            for difference in [
                0, scale.lastDifference, sampler.next() % max(1, scale.lastDifference),
                min(scale.lastDifference, UInt64(clamping: scale.length)),
                min(scale.lastDifference, UInt64(clamping: scale.length - 1)),
            ] {
                let expected = Int(Int128(difference) / scale.length)
                expect(scale.bin(at: difference), equals: expected, "seed \(seed)")
                #expect(expected < scale.count)
                guard let half = scale.halved else { continue }
                expect(half.bin(at: difference), equals: expected / 2)
            }
        }
    }

    @Test("The whole axis of a clock is divided")
    func wholeAxis() {
        for width in [1, 2, 3, 8_192] {
            let scale = BinScale(
                from: Int128(Int64.min), to: Int128(Int64.max) + 1, width: width)
            expect(scale.count, equals: width)
            expect(scale.lastDifference, equals: .max)
            expect(scale.bin(at: 0), equals: 0)
            expect(scale.bin(at: .max), equals: width - 1)
        }
    }

    @Test("A width is hardly less so that it can be halved")
    func divisible() {
        for width in 1...8_192 {
            let even = BinScale.divisible(width)
            #expect(even <= width && even * 33 > width * 32 - 33)
            #expect(even >> even.trailingZeroBitCount <= 63)
        }
    }
}
