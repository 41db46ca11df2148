import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import DaybookModel
import TestSupport
import Testing

/// An area of the tests whose event sets each field that it has a value for, also to a blank one.
enum Meter: Area, Projection {
    static let name = "meter"
    static let commands: [CommandDescription] = []
    static let projections = [
        ProjectionDescription("meter", noun: "meter", "The last reading of a meter", Meter.self)
    ]

    enum Unit: UInt8, StoredEnum { case litre, gallon }
    enum Only: UInt8, StoredEnum { case sole }

    struct Read: EventPayload {
        static let kind: EventKind = "meter.read.v1"
        var meter = ""
        var unit: Unit?
        var only: Only?
        var amount: Int64?
        var isEstimated: Bool?
        var note: String?
        var at: Instant?
        var digest: Digest?
        var tenths: Tenths?
        var inner: Int64?
        var part: String?
        var tags: [Daybook.Tag] { [Daybook.Tag("meter", meter)] }

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("meter", &meter, "unit", &unit, "only", &only, "amount", &amount)
            try field("isEstimated", &isEstimated, "note", &note, "at", &at, "digest", &digest)
            try field("tenths", &tenths, "inner", &inner, "part", &part)
        }
    }

    enum Event: DecidedEvents {
        case read(Read)
        static let kinds = [StoredKind(read)]
    }

    /// A record that is always there.
    struct Inner: Record {
        var value: Int64 = 0
        var other: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("value", &value, "other", &other)
        }
    }

    struct State: Record {
        var unit = Unit.litre
        var only = Only.sole
        var amount: Int64 = 0
        var isEstimated = false
        var note = ""
        var at = Instant.epoch
        var digest = Digest.blank
        var tenths = Tenths.blank
        var inner = Inner()
        var parts: [String] = []
        var readings: Int64 = 0
        /// Set by each event, but never shown.
        var hidden: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("unit", &unit, "only", &only, "amount", &amount)
            try field("isEstimated", &isEstimated, "note", &note)
            try field.unlessBlank("at", &at)
            try field("digest", &digest, "tenths", &tenths, "inner", &inner, "parts", &parts)
            try field("readings", &readings)
            try field.internalField("hidden", &hidden)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        guard case .read(let read) = event else { return }
        // A fold may branch on a field that the event leaves alone.
        if read.part == "branch", state.isEstimated { state.readings += 1 }
        state.unit = read.unit ?? state.unit
        state.only = read.only ?? state.only
        state.amount = read.amount ?? state.amount
        state.isEstimated = read.isEstimated ?? state.isEstimated
        state.note = read.note ?? state.note
        state.at = read.at ?? state.at
        state.digest = read.digest ?? state.digest
        state.tenths = read.tenths ?? state.tenths
        state.inner.value = read.inner ?? state.inner.value
        if let part = read.part { state.parts.append(part) }
        state.readings += 1
        state.hidden = 0
    }
}

/// Nothing is there before the first event of an entity, which writes each field that it sets.
@Suite("The first event of an entity") struct FirstEventTests {
    /// A log with readings of the meter `m`.
    private struct MeterLog {
        let folder: TemporaryFolder
        let log: EventLog
        let catalogue: Catalogue
        let meter: ProjectionDescription

        init(_ readings: [Meter.Read]) throws {
            folder = try TemporaryFolder()
            catalogue = try Catalogue([Meter.self])
            meter = try #require(catalogue.projections["meter"])
            log = try EventLog(path: folder.path("log"), access: .create)
            for (index, reading) in readings.enumerated() {
                var reading = reading
                reading.meter = "m"
                let event = NewEvent(
                    reading, occurredAt: Instant(microseconds: Int64(index) * 1_000_000))
                _ = try log.append(AppendRequest([event]))
            }
        }

        func reading() throws -> ProjectionReading { try ProjectionReading(log, catalogue) }
    }

    private static let blank = [
        Meter.Read { $0.unit = .litre }, Meter.Read { $0.only = .sole },
        Meter.Read { $0.amount = 0 }, Meter.Read { $0.isEstimated = false },
        Meter.Read { $0.note = "" }, Meter.Read { $0.digest = Digest.blank },
        Meter.Read { $0.tenths = Tenths.blank }, Meter.Read { $0.inner = 0 },
    ]

    @Test(
        "Writes a field also if its value is the one of a blank state",
        arguments: zip(
            blank,
            [
                (#"unit"#, #""litre""#), ("only", #""sole""#), ("amount", "0"),
                ("isEstimated", "false"), ("note", #""""#),
                ("digest", #""sha256:0000000000000000""#), ("tenths", "0.0"),
                ("inner.value", "0"),
            ]))
    func writesBlankValues(_ read: Meter.Read, _ expected: (path: String, value: String)) throws {
        let log = try MeterLog([read, read])
        let reading = try log.reading()
        var steps: [[FieldChange]] = []
        try History(of: log.meter, "m", .standard, in: reading).forEach { steps.append($0.changes) }
        let added = FieldChange(path: expected.path, before: nil, after: expected.value)
        let count = FieldChange(path: "readings", before: nil, after: "1")
        // An enum with one case cannot have another value, so each event sets it.
        let sole = FieldChange(path: "only", before: nil, after: #""sole""#)
        let first = expected.path == "only" ? [added, count] : steps.first?.filter { $0 != sole }
        #expect(first == [added, count])
        #expect(steps.last == [FieldChange(path: "readings", before: "1", after: "2")])
        let blame = try Blame(of: log.meter, "m", .standard, in: reading)
        #expect(try blame.writings(of: expected.path).map(\.event.position) == [Position(1)])
    }

    @Test("Does not write a field that it leaves alone")
    func leavesOthersAlone() throws {
        let log = try MeterLog([Meter.Read { $0.part = "a" }, Meter.Read { $0.amount = 0 }])
        let reading = try log.reading()
        let blame = try Blame(of: log.meter, "m", .standard, in: reading)
        for path in ["unit", "amount", "isEstimated", "note", "at", "digest", "inner"] {
            #expect(throws: QuestionError.self, "\(path)") { try blame.writings(of: path) }
        }
        #expect(try blame.writings(of: "parts").map(\.change.before) == [nil])
        let state = try reading.states(of: log.meter, "m", .standard)["m"]?.json ?? ""
        #expect(state.contains(#""at":null"#))
    }

    @Test("Is asked field by field if the fold branches on one of them")
    func branches() throws {
        let event = Meter.Read {
            ($0.part, $0.amount) = ("branch", 0)
        }
        let log = try MeterLog([event])
        let blame = try Blame(of: log.meter, "m", .standard, in: try log.reading())
        #expect(try blame.writings(of: "amount").map(\.event.position) == [Position(1)])
        #expect(throws: QuestionError.self) { try blame.writings(of: "isEstimated") }
    }

    @Test("Is found by a bisection with the fields that it added")
    func bisected() throws {
        let log = try MeterLog([Meter.Read { $0.unit = .litre }, Meter.Read { $0.unit = .gallon }])
        let reading = try log.reading()
        for isMonotone in [false, true] {
            let expression = try Expression(
                "readings >= 1", over: log.meter.fields, named: "meter")
            let search = BisectSearch(
                over: log.meter, .standard, until: expression, in: reading)
            let found = try #require(try search.first(of: "m", monotone: isMonotone))
            #expect(found.step.changes.first?.path == "unit")
            #expect(found.step.changes.allSatisfy { $0.before == nil })
        }
    }

    @Test("Sets its fields in a trace, which has as many lines as before")
    func traced() throws {
        let log = try MeterLog([Meter.Read { $0.inner = 0 }, Meter.Read { $0.unit = .litre }])
        let reading = try log.reading()
        let walk = try reading.entities.walk(of: log.meter, nil)
        let trace = ParallelTrace(along: walk, .standard, reading)
        var text = ""
        while let lines = try trace.next() { text += String(decoding: lines, as: UTF8.self) }
        let sets = text.split(separator: "\n").compactMap { $0.firstRange(of: "\"set\"") }
            .map { String(text[$0.lowerBound...].prefix { $0 != "\n" }) }
        #expect(
            sets == [
                #""set":{"only":"sole","inner":{"value":0,"other":0},"readings":1}}"#,
                #""set":{"readings":2}}"#,
            ])
    }

    @Test("Leaves no time of 1970 and no hash of zeros, whatever the event")
    func leavesNoSentinels() throws {
        let catalogue = try Catalogue(Catalog.areas)
        var sampler = Sampler(seed: 20_261_129)
        var stepCount = 0
        for description in catalogue.events.values.sorted(by: { $0.kind < $1.kind }) {
            for number in 1...5 {
                let event = sampler.event(UInt64(number), description.kind, description.sample)
                let payload = try unsafe description.leaves(event.payload.contents.bytes) { _ in
                    nil
                }
                let given = Set(payload.map(\.value))
                for projection in catalogue.projections.values
                where projection.kinds.contains(event.kind) {
                    var timeline = Timeline(of: projection, rules: .standard)
                    _ = try timeline.advance(with: event)
                    stepCount += 1
                    for leaf in timeline.leaves where !given.contains(leaf.value) {
                        let place: Comment = "\(projection.name) \(event.kind) \(leaf.path)"
                        #expect(!leaf.isMoment || leaf.value != "0", place)
                        #expect(leaf.value != #""sha256:0000000000000000""#, place)
                    }
                }
            }
        }
        #expect(stepCount > 400, "\(stepCount) first events")
    }
}
