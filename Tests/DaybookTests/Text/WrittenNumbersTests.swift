import TestSupport
import Testing

@testable import Daybook

/// Numbers in answers, held to other ways to write them.
@Suite struct WrittenNumbersTests {
    /// Integers of each length and sign, with their neighbours.
    private static func integers() -> [Int64] {
        var generator = SeededGenerator(seed: Cases.seed)
        var integers: [Int64] = [.min, .max, 0]
        var power: Int64 = 1
        for _ in 0..<19 {
            integers += [power - 1, power, -power, 1 - power]
            integers += (0..<100).map { _ in Int64.random(in: -power...power, using: &generator) }
            power = power.multipliedReportingOverflow(by: 10).partialValue
            if power < 0 { break }
        }
        return integers
    }

    @Test("An integer has the digits of its description")
    func integers() {
        print("seed \(Cases.seed)")
        for integer in Self.integers() {
            expect(JSONWriter.text(integer), equals: integer.description)
        }
        expect(JSONWriter.text(Self.integers()), equals: "[\(Self.list)]")
    }

    private static var list: String { integers().map(\.description).joined(separator: ",") }

    @Test("Bytes have two hexadecimal digits each")
    func hexadecimal() {
        print("seed \(Cases.seed)")
        var generator = SeededGenerator(seed: Cases.seed)
        for count in 0..<40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            expect(Hexadecimal.text(bytes), equals: digits)
            let digest = Digest(first: bytes + [UInt8](repeating: 0, count: 8))
            let shown = (digits + String(repeating: "0", count: 16)).prefix(16)
            expect(JSONWriter.text(digest), equals: "\"sha256:\(shown)\"")
        }
    }

    @Test("A point in time has the same text in an answer as alone, and reads back")
    func times() {
        print("seed \(Cases.seed)")
        var generator = SeededGenerator(seed: Cases.seed)
        let range = Limit.time.values
        for step in [1, 1_000, 1_000_000, 86_400_000_000] as [Int64] {
            for _ in 0..<500 {
                let drawn = Int64.random(in: range, using: &generator)
                let instant = Instant(microseconds: drawn / step * step)
                let text = Timestamp.text(instant)
                expect(JSONWriter.answer(instant), equals: "\"\(text)\"")
                expect(Timestamp.parse(text)?.instant, equals: instant)
                let digits = text.drop { $0 != "." }.dropFirst().dropLast()
                let rest = Int(instant.microseconds.floorDivided(by: 1_000_000).rest)
                let wanted = rest == 0 ? 0 : rest.isMultiple(of: 1_000) ? 3 : 6
                expect(digits.count, equals: wanted)
            }
        }
        for edge in [range.lowerBound, range.upperBound] {
            let text = Timestamp.text(Instant(microseconds: edge))
            expect(JSONWriter.answer(Instant(microseconds: edge)), equals: "\"\(text)\"")
        }
        expect(
            JSONWriter.answer(Instant(microseconds: range.upperBound + 1)),
            equals: "\(range.upperBound + 1)")
    }
}
