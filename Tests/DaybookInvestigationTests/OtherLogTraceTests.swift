import Daybook
import DaybookInvestigation
import TestSupport
import Testing

/// Comparisons of traces of two different logs.
@Suite struct OtherLogTraceTests {
    /// A trace whose lines are given as text.
    private final class TextSide: TraceSide {
        let header: Trace.Header
        private(set) var lineNumber = 1
        private let lines: [String]

        init(_ log: String, _ lines: [String]) {
            var header = Trace.Header.blank
            (header.projection, header.logID) = ("note", log)
            (self.header, self.lines) = (header, lines)
        }

        func next() -> [UInt8]? {
            lineNumber += 1
            return lineNumber - 2 < lines.count ? Array(lines[lineNumber - 2].utf8) : nil
        }

        func entry(_ line: [UInt8], number: Int) throws -> Trace.Entry {
            try Trace.entry(line, line: number)
        }
    }

    private static func compared(_ first: [String], _ second: [String]) throws -> TraceComparison {
        var comparison = TraceComparison(over: TraceComparisonTests.fields)
        try comparison.compare(TextSide("a", first), TextSide("b", second))
        return comparison
    }

    private static func line(_ position: Int, _ key: String, _ n: Int) -> String {
        #"{"position":\#(position),"key":"\#(key)","kind":"note.written.v1","set":{"n":\#(n)}}"#
    }

    @Test("Traces of two logs are matched by the number of an event in its entity")
    func otherLogs() throws {
        let first = [(1, "a", 1), (2, "b", 2), (3, "a", 3)].map(Self.line)
        let second = [(10, "b", 2), (11, "a", 1), (12, "a", 4), (13, "b", 5)].map(Self.line)
        let comparison = try Self.compared(first, second)
        #expect(
            comparison.divergences.map { "\($0.key) \($0.position) \($0.presence)" } == [
                "a 3 both", "b 13 second",
            ])
        #expect(comparison.divergences[0].recentEvents.map { $0.prefix(2) } == ["1 ", "3 "])
    }

    @Test("Lines of equal content are compared as bytes with the result of parsing every line")
    func agreesWithEntries() throws {
        let start = Cases.seed
        print("seed \(start)")
        for seed in start...(start &+ 199) {
            var random = SeededGenerator(seed: seed)
            var first: [String] = []
            var second: [(key: Int, line: String)] = []
            for position in 1...40 {
                let key = Int.random(in: 0..<4, using: &random)
                var of = SeededGenerator(seed: random.next())
                var copy = of
                first.append(TraceComparisonTests.line(position, key, &of))
                switch Int.random(in: 0..<25, using: &random) {
                case 0: break
                case 1: second.append((key, TraceComparisonTests.line(position, key, &random)))
                default: second.append((key, TraceComparisonTests.line(position + 90, key, &copy)))
                }
            }
            // The entities of the second log are in another order, each with its own order of events.
            for _ in 0..<Int.random(in: 0..<60, using: &random) where second.count > 1 {
                let place = Int.random(in: 1..<second.count, using: &random)
                if second[place].key != second[place - 1].key { second.swapAt(place, place - 1) }
            }
            let quick = try Self.compared(first, second.map(\.line))

            var slow = TraceComparison(over: TraceComparisonTests.fields)
            let entries = try [first, second.map(\.line)].map { lines in
                Dictionary(
                    grouping: try lines.map { try Trace.entry(Array($0.utf8), line: 1) }, by: \.key)
            }
            for key in Set(entries.flatMap(\.keys)) {
                let (a, b) = (entries[0][key, default: []], entries[1][key, default: []])
                for index in 0..<max(a.count, b.count) {
                    slow.add(
                        index < a.count ? a[index] : nil, index < b.count ? b[index] : nil)
                }
            }
            slow.finish()
            TraceComparisonTests.expectEqual(quick, slow, seed: seed)
        }
    }

    @Test("A malformed line is refused with its number, even if it waited for its match")
    func malformedWaitingLine() {
        let bad = #"{"position":2,"key":"b","kind":"note.written.v1","set":{"text":"\q"}}"#
        let error = #expect(throws: InputError.self) {
            try Self.compared([Self.line(1, "a", 1), bad, Self.line(3, "a", 1)], [])
        }
        #expect(error?.line == 3)
    }
}
