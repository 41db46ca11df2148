import TestSupport
import Testing

@testable import Daybook

/// The words in which events give their values to people.
@Suite struct WordingTests {
    /// A time, as a clock in Seoul shows it.
    private static func seoul(_ text: String) throws -> Instant { try moment("\(text):00+09:00") }

    /// The words of an event in Seoul, by the clock of its device.
    private static func wording(_ text: String) throws -> Wording {
        Wording(occurredAt: try seoul(text), offsetS: 32_400)
    }

    @Test(
        "A time has a date only if its day is not the event's",
        arguments: [
            ("2026-03-03T20:35", "20:35"), ("2026-03-03T00:00", "00:00"),
            ("2026-03-02T23:59", "2026-03-02 23:59"), ("2026-03-04T00:00", "2026-03-04 00:00"),
        ])
    func time(_ time: String, _ text: String) throws {
        let wording = try Self.wording("2026-03-03T14:00")
        expect(wording.time(try Self.seoul(time)), equals: text)
    }

    @Test("A time in the minute of the event is not another time")
    func otherTime() throws {
        let wording = Wording(occurredAt: try moment("2026-03-03T14:00:05Z"))
        expect(wording.otherTime(try moment("2026-03-03T14:00:59.999Z")), equals: nil)
        expect(wording.otherTime(try moment("2026-03-03T14:01:00Z")), equals: "14:01")
        expect(wording.otherTime(try moment("2026-03-02T14:00:05Z")), equals: "2026-03-02 14:00")
    }

    @Test(
        "A stretch of time has dates only if it could be mistaken for another",
        arguments: [
            // Within the day of the event, before and after it.
            ("2026-03-03T06:00", "2026-03-03T02:00", "2026-03-03T02:30", "02:00–02:30"),
            ("2026-03-03T06:00", "2026-03-03T22:00", "2026-03-03T22:30", "22:00–22:30"),
            // The night before the event, and the night after it.
            ("2026-03-03T06:00", "2026-03-02T20:35", "2026-03-03T05:45", "20:35–05:45"),
            ("2026-03-03T20:35", "2026-03-03T20:35", "2026-03-04T05:45", "20:35–05:45"),
            // The other night.
            ("2026-03-03T06:00", "2026-03-03T20:35", "2026-03-04T05:45", "2026-03-03 20:35–05:45"),
            ("2026-03-03T20:40", "2026-03-02T20:35", "2026-03-03T05:45", "2026-03-02 20:35–05:45"),
            // Another day.
            ("2026-03-05T20:40", "2026-03-02T20:35", "2026-03-03T05:45", "2026-03-02 20:35–05:45"),
            ("2026-03-05T20:40", "2026-03-02T12:00", "2026-03-02T13:00", "2026-03-02 12:00–13:00"),
            // More than a day, and an end before the start.
            (
                "2026-03-03T06:00", "2026-03-01T20:35", "2026-03-03T05:45",
                "2026-03-01 20:35–2026-03-03 05:45"
            ),
            (
                "2026-03-03T06:00", "2026-03-03T05:00", "2026-03-03T04:00",
                "05:00–2026-03-03 04:00"
            ),
            // No length.
            ("2026-03-03T06:00", "2026-03-03T05:00", "2026-03-03T05:00", "05:00"),
        ])
    func stretch(_ event: String, _ start: String, _ end: String, _ text: String) throws {
        let span = try Self.wording(event).stretch(try Self.seoul(start), try Self.seoul(end))
        expect(span, equals: text)
    }

    @Test("In a zone whose clocks are set back, a repeated time has its offset", .needsZones)
    func repeated() throws {
        let wording = Wording(
            occurredAt: try moment("2026-11-01T12:00:00-05:00"),
            zone: try TestZones.zone("America/New_York"))
        let earlier = try moment("2026-11-01T01:30:00-04:00")
        let later = try moment("2026-11-01T01:30:00-05:00")
        expect(wording.time(earlier), equals: "01:30 -04:00")
        expect(wording.time(later), equals: "01:30 -05:00")
        expect(
            wording.stretch(try moment("2026-10-31T22:00:00-04:00"), later),
            equals: "22:00–01:30 -05:00")
    }

    @Test("In a zone whose clocks are set forward, a night is read by the clocks", .needsZones)
    func skipped() throws {
        let wording = Wording(
            occurredAt: try moment("2026-03-08T12:00:00-04:00"),
            zone: try TestZones.zone("America/New_York"))
        let start = try moment("2026-03-07T20:35:00-05:00")
        expect(
            wording.stretch(start, try moment("2026-03-08T05:45:00-04:00")), equals: "20:35–05:45")
        // 23 hours and a half, but a day and half an hour by the clocks.
        expect(
            wording.stretch(start, try moment("2026-03-08T21:05:00-04:00")),
            equals: "2026-03-07 20:35–2026-03-08 21:05")
    }

    @Test("A text is quoted on one line, and cut")
    func quoted() {
        let wording = Wording(occurredAt: .epoch)
        expect(wording.quoted("a\n\t b\u{202E}"), equals: #""a b\u{202E}""#)
        expect(wording.quoted(""), equals: nil)
        expect(wording.quoted(String(repeating: "x", count: 101))?.count, equals: 103)
        expect(wording.quoted(PersonalText("note")), equals: #""note""#)
        expect(wording.quoted(PersonalText(seal: [])), equals: "(erased)")
        expect(wording.quoted(SealableText.plain("note")), equals: #""note""#)
        expect(wording.name(.erased), equals: "(erased)")
    }

    @Test("A value is in the unit that the name of its field ends in")
    func value() {
        let wording = Wording(occurredAt: .epoch)
        expect(wording.value(5_400, of: "lengthS"), equals: "1 h 30 min")
        expect(wording.value(450, of: "feeMinor", currency: "EUR"), equals: "4.50 EUR")
        expect(wording.value(7, of: "loans"), equals: "7")
    }

    /// A payload whose sentence is the default one.
    private struct Everything: EventPayload {
        static let kind: EventKind = "lending.copy-borrowed.v1"
        var copy = "dune"
        var member = "ann"
        var copyId = "c7"
        var due = Instant.epoch
        var feeMinor: Int64 = 450
        var currency = "EUR"
        var latencyMs: Int64 = 340
        var isLate = true
        var isLost = false
        var note: PersonalText? = PersonalText("read\nme")
        var reader: PersonalText? = PersonalText(seal: [])
        var titles = ["a", "b"]
        var marks: [Int64] = [1, 2, 3, 4]
        var digest = Digest(bits: 7)
        var position: Int64 = 12
        var by: Author? = "ann"
        static var blank: Self { Self() }
        var tags: [Daybook.Tag] { [Daybook.Tag("copy", copy)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("copy", &copy, "member", &member, "copyId", &copyId, "dueUs", &due)
            try field("feeMinor", &feeMinor, "currency", &currency, "latencyMs", &latencyMs)
            try field("isLate", &isLate, "isLost", &isLost, "note", &note, "reader", &reader)
            try field("titles", &titles, "marks", &marks, "digest", &digest)
            try field("position", &position, .position)
            try field("by", &by)
        }
    }

    @Test("The default sentence has the values that people read, without ids and blanks")
    func standard() throws {
        let wording = try Self.wording("2026-03-03T14:00")
        var payload = Everything()
        payload.due = try Self.seoul("2026-03-19T18:00")
        expect(
            payload.sentence(wording),
            equals: "copy borrowed: member ann, due 2026-03-19 18:00, fee 4.50 EUR, "
                + #"latency 340 ms, late, note "read me", reader (erased), titles a b, marks 4"#)
        expect(payload.spoken(wording).by, equals: "ann")
        expect(SentenceCheck.faults(of: Everything.self), equals: [])
    }

    @Test("An erasure says how many texts it erased")
    func erasure() {
        let erased = TextsErased(erasedTextCount: 2, reason: PersonalText("asked"))
        expect(
            erased.sentence(Wording(occurredAt: .epoch)), equals: #"2 texts erased: "asked""#)
    }
}
