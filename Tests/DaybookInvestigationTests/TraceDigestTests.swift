import Daybook
import DaybookInvestigation
import DaybookLog
import TestSupport
import Testing

/// Digests of traces, held to the traces themselves: equal where the lines are, and only there.
@Suite("Digests of traces") struct TraceDigestTests {
    /// The visits of one copy, some of whose fields grow until versions of the state share them.
    struct Visits: Record {
        var last = ""
        var byPlace: Keyed<Int64> = [:]
        var places: Series<String> = []
        var evenVisits: [String: Int64] = [:]
        /// Left out of traces.
        var hidden: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("last", &last, "byPlace", &byPlace, "places", &places)
            try field("evenVisits", &evenVisits)
            try field.internalField("hidden", &hidden)
        }

        mutating func visit(_ place: String) {
            last = place
            byPlace[place, default: 0] += 1
            places.append(place)
            if places.count % 2 == 0 { evenVisits[place, default: 0] += 1 }
        }
    }

    enum Right: Projection {
        static func evolve(_ state: inout Visits, with event: Shelf.Event, _: Envelope) {
            guard case .moved(let moved) = event else { return }
            state.visit(moved.place)
        }
    }

    /// Keeps something else in a field that traces leave out.
    enum Hiding: Projection {
        static func evolve(_ state: inout Visits, with event: Shelf.Event, _ envelope: Envelope) {
            Right.evolve(&state, with: event, envelope)
            state.hidden += 1
        }
    }

    /// Counts a visit of `p7` twice.
    enum CountingTwice: Projection {
        static func evolve(_ state: inout Visits, with event: Shelf.Event, _ envelope: Envelope) {
            Right.evolve(&state, with: event, envelope)
            if state.last == "p7" { state.byPlace["p7", default: 0] += 1 }
        }
    }

    /// Takes `p7` for `p8` until the next visit.
    enum Forgetting: Projection {
        static func evolve(_ state: inout Visits, with event: Shelf.Event, _ envelope: Envelope) {
            Right.evolve(&state, with: event, envelope)
            if state.last == "p7" { state.last = "p8" }
        }
    }

    /// Names the twentieth place otherwise.
    enum Renaming: Projection {
        static func evolve(_ state: inout Visits, with event: Shelf.Event, _ envelope: Envelope) {
            Right.evolve(&state, with: event, envelope)
            if state.places.count == 20 { state.places[19] = "twentieth" }
        }
    }

    /// Forgets the even visits of a copy that was in `p7` and then in `p9`.
    enum Dropping: Projection {
        static func evolve(_ state: inout Visits, with event: Shelf.Event, _ envelope: Envelope) {
            if state.last == "p7", case .moved(let moved) = event, moved.place == "p9" {
                state.evenVisits = [:]
            }
            Right.evolve(&state, with: event, envelope)
        }
    }

    private static func described<Other: Projection>(_ other: Other.Type) -> ProjectionDescription {
        ProjectionDescription("copy", noun: "copy", "Visits", Right.self, under: "lenient", other)
    }

    private static func randomMoves(
        _ random: inout SeededGenerator
    ) -> [(copy: String, place: String)] {
        let placeCount = Int.random(in: 5...60, using: &random)
        return (0..<Int.random(in: 1...90, using: &random)).map { _ in
            (
                copy: ["a", "b", "c"].randomElement(using: &random) ?? "a",
                place: "p\(Int.random(in: 1...placeCount, using: &random))"
            )
        }
    }

    @Test("Digests of two reducers are equal exactly where their traces are")
    func agreesWithTraces() throws {
        let seed = Cases.seed
        print("seed \(seed)")
        let projections = [
            ("the same", Self.described(Right.self)), ("hiding", Self.described(Hiding.self)),
            ("counting twice", Self.described(CountingTwice.self)),
            ("forgetting", Self.described(Forgetting.self)),
            ("renaming", Self.described(Renaming.self)),
            ("dropping", Self.described(Dropping.self)),
        ]
        var found: [String: Set<Bool>] = [:]
        for round in 0..<40 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            // The first history has what each wrong reducer gets wrong, and the second has nothing.
            let moves: [(copy: String, place: String)] =
                switch round {
                case 0: ([7, 7, 9] + Array(1...20)).map { (copy: "a", place: "p\($0)") }
                case 1: [(copy: "a", place: "p1"), (copy: "b", place: "p2")]
                default: Self.randomMoves(&random)
                }
            let shelf = try ShelfLog(moves)
            let reading = try shelf.reading()
            for (name, projection) in projections {
                var (digests, traces): ([TraceDigest], [[UInt8]]) = ([], [])
                for rules in [RuleSet.standard, "lenient"] {
                    digests.append(try TraceDigest(of: projection, rules, in: reading))
                    let walk = try reading.entities.walk(of: projection, nil)
                    let trace = ParallelTrace(along: walk, rules, reading)
                    var lines: [UInt8] = []
                    while let more = try trace.next() { lines += more }
                    traces.append(lines)
                }
                let isEqual = digests[0].sha256 == digests[1].sha256
                #expect(
                    isEqual == (traces[0] == traces[1]), "\(name), seed \(seed), round \(round)")
                let lineCount = traces[0].count { $0 == UInt8(ascii: "\n") }
                #expect(digests[0].eventCount == Int64(lineCount))
                found[name, default: []].insert(isEqual)
            }
        }
        #expect(found["the same"] == [true] && found["hiding"] == [true])
        for name in ["counting twice", "forgetting", "renaming", "dropping"] {
            #expect(found[name] == [true, false], "\(name), seed \(seed)")
        }
    }

    @Test(
        "A digest depends on the names of the fields and on the events before, not on the log's file"
    )
    func sameEvents() throws {
        let moves = [("a", "p1"), ("b", "p2"), ("a", "p3")]
        let (first, second) = (try ShelfLog(moves), try ShelfLog(moves))
        let projection = Self.described(Right.self)
        let digest = try TraceDigest(of: projection, .standard, in: try first.reading())
        let other = try TraceDigest(of: projection, .standard, in: try second.reading())
        #expect(digest.sha256 == other.sha256)
        #expect(digest.entityCount == 2 && digest.eventCount == 3 && digest.through == 3)
        let earlier = try TraceDigest(
            of: projection, .standard, in: try first.reading(as: Moment(.position(2))))
        #expect(earlier.sha256 != digest.sha256 && earlier.eventCount == 2)
        let renamed = try TraceDigest(of: first.copy, .standard, in: try first.reading())
        #expect(renamed.sha256 != digest.sha256)
    }
}
