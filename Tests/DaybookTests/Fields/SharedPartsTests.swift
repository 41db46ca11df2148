import Daybook
import TestSupport
import Testing

/// Values that share what two versions have in common are the plain ones in every answer.
@Suite struct SharedPartsTests {
    struct Line: Record {
        var name = ""
        var count: Int64 = 0
        var note: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "count", &count, "note", &note)
        }
    }

    struct Shared: Record {
        var lines: Series<Line> = []
        var known: Keyed<Line> = [:]
        var step: Int64 = 0
        /// Often the same as before, at times absent.
        var label: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lines", &lines, "known", &known, "step", &step, "label", &label)
        }
    }

    struct Plain: Record {
        var lines: [Line] = []
        var known: [String: Line] = [:]
        var step: Int64 = 0
        /// Often the same as before, at times absent.
        var label: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lines", &lines, "known", &known, "step", &step, "label", &label)
        }
    }

    struct Changed: EventPayload {
        static let kind: EventKind = "test.changed.v1"
        var seed: Int64 = 0
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("one", "1")] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("seed", &seed)
        }
    }

    enum Event: EventSet {
        case changed(Changed)
        static let kinds = [StoredKind(changed)]
    }

    enum SharedFold: Projection {
        static func evolve(_ state: inout Shared, with event: Event, _ envelope: Envelope) {
            guard case .changed(let changed) = event else { return }
            var random = SeededGenerator(seed: UInt64(changed.seed))
            for (key, line) in SharedPartsTests.first(changed) {
                state.lines.append(line)
                state.known[key] = line
            }
            change(&state.lines, &random)
            changeEntry(&random, &state.step) { key, line in
                if let line { state.known[key] = line } else { state.known[key]?.count += 1 }
                if line?.count == 7 { state.known[key] = nil }
            }
            state.label = changed.seed % 5 == 0 ? nil : "label \(changed.seed / 3)"
        }
    }

    enum PlainFold: Projection {
        static func evolve(_ state: inout Plain, with event: Event, _ envelope: Envelope) {
            guard case .changed(let changed) = event else { return }
            var random = SeededGenerator(seed: UInt64(changed.seed))
            for (key, line) in SharedPartsTests.first(changed) {
                state.lines.append(line)
                state.known[key] = line
            }
            change(&state.lines, &random)
            changeEntry(&random, &state.step) { key, line in
                if let line { state.known[key] = line } else { state.known[key]?.count += 1 }
                if line?.count == 7 { state.known[key] = nil }
            }
            state.label = changed.seed % 5 == 0 ? nil : "label \(changed.seed / 3)"
        }
    }

    /// The state that the first event meets: of many parts, or of a few less than are compared by
    /// what is shared.
    private static func first(_ changed: Changed) -> [(key: String, line: Line)] {
        guard changed.seed % 100_000 == 1 else { return [] }
        var random = SeededGenerator(seed: UInt64(changed.seed))
        return (0..<(isLong(UInt64(changed.seed / 100_000)) ? 240 : 12)).map {
            ("k\($0 * 3)", line(&random))
        }
    }

    private static func isLong(_ seed: UInt64) -> Bool { seed % 2 == 0 }

    private static func line(_ random: inout SeededGenerator) -> Line {
        let number = Int64.random(in: 0..<10, using: &random)
        return Line(name: "n\(number)", count: number, note: number % 3 == 0 ? nil : "é")
    }

    private static func change<Lines: RangeReplaceableCollection & MutableCollection>(
        _ lines: inout Lines, _ random: inout SeededGenerator
    ) where Lines.Element == Line, Lines.Index == Int {
        let line = line(&random)
        let place = Int.random(in: 0...lines.count, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: lines.append(line)
        case 60..<75: lines.insert(line, at: place)
        case 75..<85 where place < lines.count: lines[place].count += 1
        case 85..<97 where place < lines.count: lines.remove(at: place)
        case 97: lines.removeAll { $0.count == line.count }
        case 98: lines.replaceSubrange(place..<min(place + 300, lines.count), with: [line, line])
        default:
            if place % 5 == 0 { lines.removeAll() } else { lines = Lines(Array(lines)) }
        }
    }

    private static func changeEntry(
        _ random: inout SeededGenerator, _ step: inout Int64, _ set: (String, Line?) -> Void
    ) {
        if Bool.random(using: &random) { step += 1 }
        let key = "k\(Int.random(in: 0..<900, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: set(key, line(&random))
        case 6, 7: set(key, nil)
        default: break
        }
    }

    private static func events(_ seed: UInt64, _ count: Int) -> [RecordedEvent] {
        (1...count).map { number in
            let new = NewEvent(
                Changed { $0.seed = Int64(seed) * 100_000 + Int64(number) }, occurredAt: .epoch)
            return RecordedEvent(
                envelope: Envelope(
                    position: Position(UInt64(number)), occurredAt: .epoch, recordedAt: .epoch,
                    offsetS: 0),
                kind: new.kind, tags: new.tags, zone: "", payload: new.payload)
        }
    }

    private static let shared = ProjectionDescription("x", noun: "one", "", SharedFold.self)
    private static let plain = ProjectionDescription("x", noun: "one", "", PlainFold.self)

    @Test(
        "Every form and every difference is that of a plain list and map",
        arguments: Cases.sample(1...6))
    func sameAsPlain(_ seed: UInt64) throws {
        var (shared, plain) = (Self.shared.fold(.standard), Self.plain.fold(.standard))
        var (ofShared, ofPlain) = (FieldComparison(), FieldComparison())
        var most = 0
        for (number, event) in Self.events(seed, 200).enumerated() {
            if number % 3 == 0 {
                var (a, b) = (JSONWriter(), JSONWriter())
                let gone = try shared.step(event.view, &ofShared, &a)
                try expect(plain.step(event.view, &ofPlain, &b), equals: gone)
                expect(a.text, equals: b.text)
            } else {
                try expect(
                    shared.step(event.view, &ofShared), equals: plain.step(event.view, &ofPlain))
            }
            guard number % 50 == 49 else { continue }
            expect(shared.json, equals: plain.json)
            expect(shared.bytes, equals: plain.bytes)
            expect(shared.leaves, equals: plain.leaves)
            try unsafe shared.restore(plain.bytes.contents.bytes)
            expect(shared.bytes, equals: plain.bytes)
            most = max(most, plain.leaves.count)
        }
        // Enough that the differences are found in what is shared.
        #expect(most > (Self.isLong(seed) ? 1_000 : 100))
        expect(Self.shared.fields.map(\.form), equals: Self.plain.fields.map(\.form))
    }

    @Test("A copy of a state is not changed with it")
    func copies() throws {
        var state = Shared()
        for number in 0..<1_000 {
            state.lines.append(Line(name: "\(number)"))
            state.known["\(number)"] = Line()
        }
        let before = state
        state.lines[500].count = 1
        state.known["500"]?.count = 1
        #expect(before != state)
        #expect(before.lines[500].count == 0 && before.known["500"]?.count == 0)
        state.lines[500].count = 0
        state.known["500"]?.count = 0
        #expect(before == state)
    }
}
