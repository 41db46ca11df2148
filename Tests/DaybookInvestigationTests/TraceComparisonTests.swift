import Daybook
import DaybookInvestigation
import TestSupport
import Testing

/// Traces of the same events by two reducers.
@Suite struct TraceComparisonTests {
    private static func entry(
        _ position: Int64, _ key: String, _ set: [String: String], gone: [String] = [],
        kind: String = "note.written.v1"
    ) -> Trace.Entry {
        Trace.Entry(
            position: position, key: key, kind: kind,
            newLeaves: set.sorted { $0.key < $1.key }.map {
                FlatFields.Leaf(path: $0.key, value: $0.value)
            }, removedPaths: gone)
    }

    @Test("A line is an entry, and a field that is set replaces all that it held")
    func anEntryIsALine() throws {
        let line =
            #"{"position":7,"key":"k \"1\"","kind":"note.written.v1","set":{"#
            + #""a":{"b":["x",{}]},"l":[],"m.n":-1,"o":null},"gone":["z"]}"#
        var entry = Self.entry(
            7, "k \"1\"",
            ["a.b[0]": "\"x\"", "a.b[1]": "{}", "l": "[]", "m.n": "-1", "o": "null"], gone: ["z"])
        entry.replacedPaths = ["a", "l", "o"]
        try expect(Trace.entry(Array(line.utf8), line: 1), equals: entry)
    }

    @Test("A field that is set loses its earlier contents")
    func replaced() {
        func part(_ set: [String: String], _ replaced: [String] = []) -> Trace.Entry {
            var entry = Self.entry(1, "k", set)
            entry.replacedPaths = replaced
            return entry
        }
        var comparison = TraceComparison()
        comparison.add(
            part(["a.b": "1", "a.c": "2", "ab": "3"]), part(["a.b": "1", "a.c": "2", "ab": "3"]))
        // One says it leaf by leaf, the other as a whole.
        var leaves = part(["a.b": "4"])
        leaves.removedPaths = ["a.c"]
        comparison.add(leaves, part(["a.b": "4"], ["a"]))
        comparison.finish()
        #expect(comparison.divergences.isEmpty)
        comparison.add(part(["a": "null"]), part(["a": "null"], ["a"]))
        comparison.finish()
        expect(comparison.divergences.map { $0.changes.map(\.path) }, equals: [["a.b"]])
    }

    @Test(
        "A malformed trace line is refused with its number",
        arguments: ["", "{}", "[1]", #"{"position":1,"key":"k","kind":"x","set":[]}"#, "{"])
    func lines(_ text: String) {
        let error = #expect(throws: InputError.self) {
            try Trace.entry(Array(text.utf8), line: 9)
        }
        expect(error?.line, equals: 9)
    }

    @Test("A first event is compared without states as it is with them")
    func firstEvents() {
        let seed = Cases.seed
        print("seed \(seed)")
        let paths = ["a", "days[0].m", "days[1].m", "list[0]", "sum", "z"]
        for round in 0..<500 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let sides = (0..<2).map { _ in
                var set: [String: String] = [:]
                for path in paths where Bool.random(using: &random) {
                    set[path] = ["0", "1", "\"\""].randomElement(using: &random)
                }
                return set
            }
            // A path that is gone, though it was never there, makes the comparison build states.
            let found = [[], ["gone"]].map { gone in
                var comparison = TraceComparison()
                comparison.add(
                    Self.entry(1, "k", sides[0], gone: gone),
                    Self.entry(1, "k", sides[1], gone: gone))
                comparison.finish()
                return comparison.divergences.map(\.changes)
            }
            expect(found[0], equals: found[1], "\(sides), seed \(seed &+ UInt64(round))")
        }
    }

    @Test("The first difference of each entity is found, and equal causes are one")
    func causes() {
        var comparison = TraceComparison()
        for key in ["a", "b", "c"] {
            comparison.add(
                Self.entry(1, key, ["sum": "1", "days[0].m": "5"]),
                Self.entry(1, key, ["sum": "1", "days[0].m": "5"]))
        }
        for (index, key) in ["a", "b"].enumerated() {
            comparison.add(
                Self.entry(2, key, ["days[\(index)].m": "6"]),
                Self.entry(2, key, ["days[\(index)].m": "7"]))
            // Later differences follow from the first one.
            comparison.add(Self.entry(3, key, ["sum": "2"]), Self.entry(3, key, ["sum": "9"]))
        }
        comparison.add(Self.entry(2, "c", ["sum": "2"]), nil)
        comparison.finish()
        expect(comparison.entityCount, equals: 3)
        expect(comparison.divergences.map(\.key), equals: ["a", "b", "c"])
        expect(comparison.divergences.map(\.position), equals: [2, 2, 2])
        expect(
            comparison.causes.map { "\($0.divergences.count) \($0.cause)" },
            equals: [
                "2 note.written.v1 days[].m",
                "1 note.written.v1 is only in the first one; sum",
            ])
        expect(
            comparison.divergences[0].recentEvents,
            equals: ["1 note.written.v1", "2 note.written.v1"])
    }

    @Test("An entity in one trace alone has no state in the other, and not a blank one")
    func missing() {
        let blank = [FlatFields.Leaf(path: "kind", value: "\"none\"", isMoment: false)]
        var comparison = TraceComparison(from: blank)
        comparison.add(Self.entry(1, "a", ["kind": "\"pee\""]), nil)
        // Of one that both have, a blank field is as it began.
        comparison.add(Self.entry(2, "b", ["sum": "1"]), Self.entry(2, "b", ["sum": "1"]))
        comparison.add(Self.entry(3, "b", ["kind": "\"pee\""]), nil)
        comparison.finish()
        let changes = comparison.divergences.flatMap(\.changes)
        expect(changes.map(\.path), equals: ["kind", "kind"])
        expect(changes.map(\.before), equals: ["\"pee\"", "\"pee\""])
        expect(changes.map(\.after), equals: [nil, "\"none\""])
    }

    @Test("Differences in an object with free names are one cause")
    func members() {
        let fields = [
            FieldDescription(
                name: "runs", form: "{object}",
                fields: [FieldDescription(name: "state", form: "text", fields: [])])
        ]
        var comparison = TraceComparison(over: fields)
        for key in ["a", "b"] {
            comparison.add(
                Self.entry(1, key, ["runs.of-\(key).state": "\"x\""]),
                Self.entry(1, key, ["runs.of-\(key).state": "\"y\""]))
        }
        comparison.finish()
        expect(comparison.causes.map(\.cause), equals: ["note.written.v1 runs.*.state"])
    }

    @Test("A field that only one side wrote is compared with its first value")
    func unwritten() {
        let fields = [
            FieldDescription(name: "late", form: "integer"),
            FieldDescription(name: "due", form: "integer?", isMoment: true),
            FieldDescription(name: "members", form: "{text}"),
        ]
        var comparison = TraceComparison(
            over: fields,
            from: [
                FlatFields.Leaf(path: "late", value: "0"),
                FlatFields.Leaf(path: "due", value: "null"),
                FlatFields.Leaf(path: "members", value: "{}"),
            ])
        comparison.add(
            Self.entry(
                1, "a", ["late": "1", "due": "5", "members.kim": "\"x\""], gone: ["members"]),
            Self.entry(1, "a", [:]))
        comparison.finish()
        let expected = [
            FieldChange(path: "due", before: "5", after: "null", isMoment: true),
            FieldChange(path: "late", before: "1", after: "0"),
            FieldChange(path: "members.kim", before: "\"x\"", after: nil),
        ]
        expect(comparison.divergences.first?.changes.sorted { $0.path < $1.path }, equals: expected)
    }

    @Test("A field that one side wrote as it began is no difference")
    func writtenAsItBegan() {
        var comparison = TraceComparison(from: [FlatFields.Leaf(path: "n", value: "0")])
        comparison.add(Self.entry(1, "a", ["n": "1"]), Self.entry(1, "a", ["n": "1"]))
        comparison.add(Self.entry(2, "b", ["n": "0"]), Self.entry(2, "b", [:]))
        comparison.add(Self.entry(3, "a", [:], gone: ["n"]), Self.entry(3, "a", [:]))
        comparison.finish()
        expect(comparison.divergences.map(\.key), equals: ["a"])
        #expect(
            comparison.divergences.first?.changes
                == [FieldChange(path: "n", before: nil, after: "1")])
    }

    @Test("An event that one projection ignores and that changes nothing is no difference")
    func inert() {
        var comparison = TraceComparison()
        comparison.add(Self.entry(1, "a", ["n": "1"]), Self.entry(1, "a", ["n": "1"]))
        comparison.add(Self.entry(2, "a", [:]), nil)
        comparison.add(nil, Self.entry(3, "a", [:]))
        comparison.finish()
        #expect(comparison.divergences.isEmpty)
    }

    @Test("A field that is gone on one side differs")
    func gone() {
        var comparison = TraceComparison()
        comparison.add(Self.entry(1, "a", ["n": "1"]), Self.entry(1, "a", ["n": "1"]))
        comparison.add(Self.entry(2, "a", [:], gone: ["n"]), Self.entry(2, "a", [:]))
        comparison.finish()
        #expect(comparison.divergences.first?.changes.first?.before == nil)
        expect(comparison.divergences.first?.changes.first?.after, equals: "1")
    }

    static let fields = ["n", "text", "record", "list"].map {
        FieldDescription(name: $0, form: "integer")
    }

    @Test(
        "Equal lines in the plain form are compared without parsing",
        arguments: [
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{}}"#, true),
            (
                #"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":-1,"text":"a, \"}]","list":[{"x":[1]},2]}}"#,
                true
            ),
            (
                #"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1.5,"record":{"a":null,"b":{}},"list":[true,false,[]]}}"#,
                true
            ),
            // Each field stands once, in their order.
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"list":[],"n":1}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1,"n":2}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1x}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1.}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":-}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":nul}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"list":[1,]}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"list":[1}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"record":{"a"}}}"#, false),
            (#"{"position":7,"key":"k \"","kind":"a.b.v1","set":{"n":1}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"list[0]":1}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"m":1}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1},"gone":["list[0]"]}"#, false),
            (#"{"position": 7,"key":"k","kind":"a.b.v1","set":{"n":1}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1}} "#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":}}"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"n":1"#, false),
            (#"{"position":7,"key":"k","kind":"a.b.v1","set":{"text":"a"#, false),
            (#"{"position":1234567890123456789,"key":"k","kind":"a.b.v1","set":{}}"#, false),
            ("", false), ("{}", false),
        ])
    func plainLines(_ line: String, _ isPlain: Bool) {
        var comparison = TraceComparison(over: Self.fields)
        let isTaken = comparison.addEqual(Array(line.utf8))
        expect(isTaken, equals: isPlain)
        #expect(comparison.matchedCount == (isPlain ? 1 : 0))
    }

    /// A line of a random event of one of four entities.
    static func line(
        _ position: Int, _ key: Int, _ random: inout SeededGenerator
    ) -> String {
        var set: [String] = []
        if Bool.random(using: &random) {
            set.append(#""n":\#(Int.random(in: 0..<9, using: &random))"#)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { set.append(##""text":"a\"b""##) }
        if Bool.random(using: &random) {
            set.append(
                [#""record":null"#, #""record":{"a":1,"b":{"c":[2,3]}}"#, #""record":{"a":2}"#]
                    .randomElement(using: &random) ?? "")
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: set.append(#""list[1]":7"#)
        case 1...4: set.append(#""list":[1,{"x":2}]"#)
        default: break
        }
        let gone = Int.random(in: 0..<30, using: &random) == 0 ? #","gone":["list[0]"]"# : ""
        return
            #"{"position":\#(position),"key":"k\#(key)","kind":"note.written.v1","set":{\#(set.joined(separator: ","))}\#(gone)}"#
    }

    @Test("A line with very many brackets is not parsed to its depth")
    func deepLines() {
        let line =
            #"{"position":7,"key":"k","kind":"a.b.v1","set":{"list":"#
            + String(repeating: "[", count: 1_000_000)
        var comparison = TraceComparison(over: Self.fields)
        let isTaken = comparison.addEqual(Array(line.utf8))
        #expect(!isTaken)
    }

    @Test("Comparing equal lines as bytes finds the same as parsing every line")
    func agreesWithEntries() throws {
        for seed in UInt64(1)...200 {
            var random = SeededGenerator(seed: seed)
            var (quick, slow) = (
                TraceComparison(over: Self.fields), TraceComparison(over: Self.fields)
            )
            for position in 1...40 {
                let key = Int.random(in: 0..<4, using: &random)
                let first = Self.line(position, key, &random)
                let differs = Int.random(in: 0..<25, using: &random) == 0
                let second = differs ? Self.line(position, key, &random) : first
                let entries = try [first, second].map { try Trace.entry(Array($0.utf8), line: 1) }
                slow.add(entries[0], entries[1])
                if first == second, quick.addEqual(Array(first.utf8)) { continue }
                quick.add(entries[0], entries[1])
            }
            quick.finish()
            slow.finish()
            Self.expectEqual(quick, slow, seed: seed)
        }
    }

    /// Expects that two comparisons have found the same.
    static func expectEqual(_ quick: TraceComparison, _ slow: TraceComparison, seed: UInt64) {
        expect(quick.matchedCount, equals: slow.matchedCount, "seed \(seed)")
        expect(quick.entityCount, equals: slow.entityCount, "seed \(seed)")
        expect(
            quick.divergences.map { "\($0)" }, equals: slow.divergences.map { "\($0)" },
            "seed \(seed)")
    }

    @Test("Declared differences are skipped, and no others")
    func expectations() throws {
        let rules = try TraceComparison.expectations(
            of:
                "- {field: sum, reason: rounded}\n- {field: days*, kind: note.written, key: a, reason: cut}"
        )
        var comparison = TraceComparison(expecting: rules)
        for key in ["a", "b"] {
            comparison.add(
                Self.entry(1, key, ["sum": "1", "days[0].m": "5"]),
                Self.entry(1, key, ["sum": "2", "days[0].m": "6"]))
        }
        comparison.finish()
        expect(comparison.expectedKeysByReason, equals: ["rounded": ["a", "b"], "cut": ["a"]])
        expect(comparison.divergences.map(\.key), equals: ["b"])
        expect(comparison.divergences[0].changes.map(\.path), equals: ["days[0].m"])
    }

    @Test(
        "A faulty file of expectations is refused with its fault",
        arguments: [
            ("a: 1", "expected a list"), ("- 5", "expected an object"),
            ("- {field: x}", "[0].reason"), ("- {reason: x}", "[0].field"),
            ("- {field: x, reason: y, kid: z}", "found 'kid'"),
            ("- {field: [x], reason: y}", "expected a text"),
        ])
    func unreadable(_ text: String, _ message: String) {
        let error = #expect(throws: InputError.self) {
            try TraceComparison.expectations(of: text)
        }
        #expect("\(error ?? InputError(""))".contains(message))
    }
}
