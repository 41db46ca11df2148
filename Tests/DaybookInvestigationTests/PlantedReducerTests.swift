import Daybook
import DaybookInvestigation
import TestSupport
import Testing

@testable import DaybookModel

/// A reducer with a mistake in it, planted at an event that is known: each question names that event
/// and that field.
@Suite struct PlantedReducerTests {
    struct Answers: Record {
        var answers: Int64 = 0
        var granted: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("answers", &answers)
            try field("granted", &granted)
        }
    }

    enum Consents: EventSet {
        case changed(Household.ConsentChanged)

        static let kinds = [StoredKind(Consents.changed)]
    }

    enum Right: Projection {
        static func evolve(_ state: inout Answers, with event: Consents, _ envelope: Envelope) {
            guard case .changed(let changed) = event else { return }
            state.answers += 1
            state.granted += changed.isGranted ? 1 : 0
        }
    }

    /// Forgets what it counted when a text comes in its 13th version.
    enum Wrong: Projection {
        static func evolve(_ state: inout Answers, with event: Consents, _ envelope: Envelope) {
            Right.evolve(&state, with: event, envelope)
            guard case .changed(let changed) = event, changed.version == "13" else { return }
            state.granted = 0
        }
    }

    private let projection = ProjectionDescription(
        "answers", noun: "user", "How often a user answered", Right.self,
        under: .source, Wrong.self)
    private let planted = Position(27)

    /// Forty answers of two users in turn; one is to the 13th version.
    private var events: [RecordedEvent] {
        (1...40).map { number in
            let event = NewEvent(
                Household.ConsentChanged(
                    userId: number % 2 == 0 ? "ben" : "ann", kind: .terms, isGranted: true,
                    version: number == 27 ? "13" : "1"),
                occurredAt: Instant(microseconds: Int64(number)))
            return RecordedEvent(
                envelope: Envelope(
                    position: Position(UInt64(number)), occurredAt: event.occurredAt,
                    recordedAt: event.occurredAt), kind: event.kind, tags: event.tags, zone: "",
                payload: event.payload)
        }
    }

    @Test("The compare command names the event, the entity and the field, and no other entity")
    func compare() throws {
        var (right, wrong) = (
            Tracer(of: projection, rules: .standard), Tracer(of: projection, rules: .source)
        )
        var comparison = TraceComparison(over: projection.fields)
        let walk = EntityWalk(of: projection)
        for event in events {
            for key in walk.keys(of: event) {
                var lines = (JSONWriter(), JSONWriter())
                try right.write(event.view, key, to: &lines.0)
                try wrong.write(event.view, key, to: &lines.1)
                if lines.0.bytes == lines.1.bytes {
                    let isTaken = comparison.addEqual(lines.0.bytes.dropLast())
                    #expect(isTaken)
                } else {
                    comparison.add(
                        try Trace.entry(lines.0.bytes, line: 1),
                        try Trace.entry(lines.1.bytes, line: 1))
                }
            }
        }
        comparison.finish()
        let found = try #require(comparison.divergences.first)
        #expect(comparison.divergences.count == 1)
        #expect(found.position == Int64(planted.rawValue) && found.key == "ann")
        #expect(found.changes.map(\.path) == ["granted"])
        #expect(found.kind == Household.ConsentChanged.kind.name)
    }

    @Test("The bisect command finds the event that breaks a property")
    func bisect() throws {
        let expression = try Expression(
            "granted < answers", over: projection.fields, named: projection.name)
        let walk = EntityWalk(of: projection)
        var (found, probeCount): (Position?, Int) = (nil, 0)
        for rules in [RuleSet.standard, .source] {
            var asked = Bisection.Walk(along: projection, rules, until: expression)
            for event in events where found == nil {
                for key in walk.keys(of: event) where try asked.apply(event.view, key) {
                    found = event.position
                }
            }
            probeCount = asked.probeCount
            if rules == .standard { #expect(found == nil) }
        }
        #expect(found == planted && probeCount == 27)
        let own = events.filter { $0.tags.contains(projection.tag("ann")) }
        let halved = try Bisection.halve(through: Position(40)) { (position) throws(FoldError) in
            var fold = projection.fold(.source)
            for event in own where event.position <= position { try fold.apply(event) }
            return expression.isTrue(for: fold)
        }
        #expect(halved == planted)
    }

    @Test("The blame command names the event that wrote the wrong value")
    func blame() throws {
        var timeline = Timeline(of: projection, rules: .source)
        var fell: [Position] = []
        for event in events where event.tags.contains(projection.tag("ann")) {
            let step = try timeline.advance(with: event)
            for change in step.changes where change.path == "granted" && change.after == "0" {
                fell.append(event.position)
            }
        }
        #expect(fell == [planted])
    }

    @Test("The shrink command keeps only the events that show the fault")
    func shrink() throws {
        let own = events.filter { $0.tags.contains(projection.tag("ann")) }
        let (smallest, _) = try Shrinking.smallest(own) { part in
            var (right, wrong) = (projection.fold(.standard), projection.fold(.source))
            for event in part {
                try right.apply(event)
                try wrong.apply(event)
            }
            return right.leaves != wrong.leaves
        }
        #expect(smallest.map(\.position) == [planted])
    }
}
