import Daybook
import TestSupport
import Testing

// Holds: s4-tz-offset
@Suite struct ZoneSourceTests {
    @Test(
        "An offset needs no files",
        arguments: [
            ("+09:00", 32_400), ("-03:30", -12_600), ("+14:00", 50_400), ("-14:00", -50_400),
            ("+00:00", 0), ("-00:00", 0), ("+05:45", 20_700), ("Z", 0), ("UTC", 0),
        ])
    func fixedOffsets(_ text: String, _ offsetS: Int) throws {
        let zone = try #require(Zone(fixedOffset: text))
        #expect(zone.name == (text == "Z" ? "UTC" : text))
        for instant in [Int64.min, 0, .max].map(Instant.init(microseconds:)) {
            #expect(zone.offsetS(at: instant) == offsetS)
        }
        let source = ZoneSource(
            version: "2025b", digest: { _ in .blank }
        ) { (name) throws(UnknownZone) in
            throw UnknownZone(name: name, reason: "was looked for")
        }
        #expect(try source.zone(text) == zone)
    }

    @Test(
        "A text in any other form is not an offset",
        arguments: [
            "", "+", "+9:00", "+0900", "09:00", "+09:60", "+14:01", "-15:00", "+09:00 ", "+09-00",
            "+0a:00", "＋09:00", "utc", "z", "GMT", "+09:0\u{0660}",
        ])
    func noOffsets(_ text: String) {
        #expect(Zone(fixedOffset: text) == nil)
    }

    @Test("Names are looked up, and malformed offsets are not")
    func names() throws {
        let source = ZoneSource(
            version: "2025b", digest: { _ in .blank }
        ) { (name) throws(UnknownZone) in
            guard name == "Asia/Nowhere" else {
                throw UnknownZone(name: name, reason: "was looked for")
            }
            return .utc
        }
        #expect(source.version == "2025b")
        #expect(try source.zone("Asia/Nowhere") == .utc)
        #expect(throws: UnknownZone(name: "Asia/Seoul", reason: "was looked for")) {
            try source.zone("Asia/Seoul")
        }
        let reason = "is not a valid offset from UTC; expected +HH:MM or -HH:MM, up to 14:00"
        let unknown = UnknownZone(name: "+15:00", reason: reason)
        #expect(throws: unknown) { try source.zone("+15:00") }
        #expect("\(unknown)" == "the time zone '+15:00' \(reason)")
    }

    @Test("Zones are equal by name and content")
    func zonesAreEqualByNameAndContent() throws {
        let bytes = tzif(footer: ZoneRuleTests.newYork)
        let zone = try Zone(name: "a", tzif: bytes)
        #expect(zone == (try Zone(name: "a", tzif: bytes)))
        #expect(zone != (try Zone(name: "b", tzif: bytes)))
        #expect(zone != (try Zone(name: "a", tzif: tzif(footer: "EST5"))))
    }
}
