import Daybook
import Testing

/// Input must keep the declared limits; history need not.
@Suite struct LimitTests {
    private struct Place: Record {
        var lat: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lat", &lat, .values(-90...90))
        }
    }

    private struct Trip: Record {
        var minute: Int64?
        var start = Instant.epoch
        var places: [Place] = []
        var note = ""
        var by: PersonalText?
        var marks: [String: Int64] = [:]

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("minute", &minute, .minuteOfDay)
            try field("startUs", &start)
            try field("places", &places, .elements(2))
            try field("note", &note, .bytes(4))
            try field("by", &by, .bytes(4))
            try field("marks", &marks, Limit(values: 0...9, mostBytes: 3, mostElements: 2))
        }
    }

    private static let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })

    private static func read(_ json: String, _ rules: InputRules = rules) throws -> Trip {
        try TreeReader.read(from: try JSONParser.parse(json.utf8), field: "data", rules: rules)
    }

    private static let refused = [
        (
            "{\n\"minute\": 1440, \"startUs\": 0, \"note\": \"\"}",
            "line 2: field 'data.minute': expected 0 to 1439, found the number 1440"
        ),
        (
            #"{"startUs": 9223372036854775807, "note": ""}"#,
            "line 1: field 'data.startUs': expected a time from 1900-01-01T00:00:00Z to "
                + "2199-12-31T23:59:59.999999Z, found the number 9223372036854775807"
        ),
        (
            #"{"startUs": "2200-01-01T00:00:00Z", "note": ""}"#,
            "line 1: field 'data.startUs': expected a time from 1900-01-01T00:00:00Z to "
                + "2199-12-31T23:59:59.999999Z, found the text \"2200-01-01T00:00:00Z\""
        ),
        (
            #"{"startUs": 0, "note": "", "places": [{"lat": 1}, {"lat": -91}]}"#,
            "line 1: field 'data.places[1].lat': expected -90 to 90, found the number -91"
        ),
        (
            #"{"startUs": 0, "note": "", "places": [{"lat": 1}, {"lat": 1}, {"lat": 1}]}"#,
            "line 1: field 'data.places': expected at most 2 elements, found 3"
        ),
        (
            #"{"startUs": 0, "note": "éßé"}"#,
            "line 1: field 'data.note': expected at most 4 bytes, found 6"
        ),
        (
            #"{"startUs": 0, "note": "", "by": "a name"}"#,
            "line 1: field 'data.by': expected at most 4 bytes, found 6"
        ),
        (
            #"{"startUs": 0, "note": "", "marks": {"a": 10}}"#,
            "line 1: field 'data.marks.a': expected 0 to 9, found the number 10"
        ),
        (
            #"{"startUs": 0, "note": "", "marks": {"long": 1}}"#,
            "line 1: field 'data.marks': expected at most 3 bytes, found a name of 4 bytes"
        ),
    ]

    @Test("A value outside its limit is refused by line, field and range", arguments: refused)
    func refuses(json: String, message: String) throws {
        #expect(throws: InputError.self) { try Self.read(json) }
        do {
            _ = try Self.read(json)
        } catch let error as InputError {
            #expect(error.description == message)
        }
    }

    @Test("History is read whatever its values", arguments: refused)
    func readsHistory(json: String, message: String) throws {
        let trip = try Self.read(json, Self.rules.ofHistory)
        #expect(trip.outOfLimits.count == 1)
        #expect(throws: OutOfLimit.self) { try trip.checkLimits() }
        try expectLayoutAgrees(trip)
    }

    /// Expects the payload's layout to find a value outside its limit where the type finds one.
    private func expectLayoutAgrees(_ trip: Trip) throws {
        let bytes = BinaryWriter.bytes(trip)
        let stored = try BinaryReader.read(Trip.self, from: bytes)
        let facts = try PayloadLayout(of: Trip.self)
            .authorAndLimitCheck(in: bytes.contents.bytes)
        #expect(facts.isWithinLimits == stored.outOfLimits.isEmpty)
    }

    @Test("Values at the ends of their limits pass")
    func ends() throws {
        let trip = try Self.read(
            #"""
            {"minute": 1439, "startUs": "1900-01-01T00:00:00Z", "note": "éé",
             "places": [{"lat": -90}, {"lat": 90}], "by": "kim", "marks": {"abc": 9, "b": 0}}
            """#)
        #expect(trip.outOfLimits.isEmpty)
        try trip.checkLimits()
        try expectLayoutAgrees(trip)
    }

    @Test("A payload of a program's own names the field, the range and the value")
    func namesWhatIsWrong() {
        var trip = Trip()
        trip.places = [Place(), Place()]
        trip.places[1].lat = .min
        #expect(
            trip.outOfLimits.map(\.description) == [
                "field 'places[1].lat': expected -90 to 90, found -9223372036854775808"
            ])
    }

    @Test("The listing of a record's fields has their limits")
    func lists() throws {
        let fields = FieldDescription.fields(of: Trip.self)
        #expect(fields.map(\.limit.values).first == 0...1_439)
        #expect(fields[2].limit.mostElements == 2)
        #expect(fields[2].fields.map(\.limit.values) == [-90...90])
    }
}
