import Daybook
import TestSupport
import Testing

/// Zones that are nothing but a footer.
@Suite struct ZoneRuleTests {
    @Test(
        "A footer gives the offsets after the last transition",
        arguments: [
            ("KST-9", "1900-01-01T00:00:00Z", 32_400),
            ("KST-9", "9999-01-01T00:00:00Z", 32_400),
            ("EST+5", "2024-07-01T00:00:00Z", -18_000),
            ("LMT-0:44:30", "2024-07-01T00:00:00Z", 2_670),
            ("<-0330>3:30", "2024-07-01T00:00:00Z", -12_600),
            ("<+1345>-13:45", "2024-07-01T00:00:00Z", 49_500),
            ("A0EST-24:59:59", "2024-07-01T00:00:00Z", nil),
            ("", "2024-07-01T00:00:00Z", 60),
        ])
    func fixed(_ footer: String, _ instant: String, _ offsetS: Int?) throws {
        let bytes = tzif(types: [60], footer: footer)
        guard let offsetS else {
            #expect(throws: InvalidZone.badFooter(footer)) { try Zone(name: "x", tzif: bytes) }
            return
        }
        try expect(Zone(name: "x", tzif: bytes).offsetS(at: moment(instant)), equals: offsetS)
    }

    /// A change of the clocks: the offset until then, and from then on.
    struct Change: CustomTestStringConvertible {
        var footer: String
        var at: String
        var before: Int
        var after: Int

        init(_ footer: String, _ at: String, _ before: Int, _ after: Int) {
            self.footer = footer
            self.at = at
            self.before = before
            self.after = after
        }

        var testDescription: String { "\(footer) at \(at)" }
    }

    static let newYork = "EST5EDT,M3.2.0,M11.1.0"
    static let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3"
    static let dublin = "IST-1GMT0,M10.5.0,M3.5.0/1"
    static let nuuk = "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"
    static let gaza = "EET-2EEST,M3.4.4/50,M10.4.4/50"

    @Test(
        "The clocks change at one second",
        arguments: [
            Change(newYork, "2020-03-08T07:00:00Z", -18_000, -14_400),
            Change(newYork, "2020-11-01T06:00:00Z", -14_400, -18_000),
            Change(newYork, "2150-03-08T07:00:00Z", -18_000, -14_400),
            Change(newYork, "1930-03-09T07:00:00Z", -18_000, -14_400),
            Change(sydney, "2024-04-06T16:00:00Z", 39_600, 36_000),
            Change(sydney, "2024-10-05T16:00:00Z", 36_000, 39_600),
            Change("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2024-10-05T15:30:00Z", 37_800, 39_600),
            Change("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2025-04-05T15:00:00Z", 39_600, 37_800),
            Change("<+00>0<+02>-2,M3.5.0/1,M10.5.0/3", "2024-03-31T01:00:00Z", 0, 7_200),
            Change("<+00>0<+02>-2,M3.5.0/1,M10.5.0/3", "2024-10-27T01:00:00Z", 7_200, 0),
            Change(dublin, "2024-03-31T01:00:00Z", 0, 3_600),
            Change(dublin, "2024-10-27T01:00:00Z", 3_600, 0),
            Change(nuuk, "2024-03-31T01:00:00Z", -7_200, -3_600),
            Change(nuuk, "2024-10-27T01:00:00Z", -3_600, -7_200),
            Change(gaza, "2024-03-30T00:00:00Z", 7_200, 10_800),
            Change(gaza, "2024-10-25T23:00:00Z", 10_800, 7_200),
            Change("XXX0YYY,J60/0,J300/0", "2023-03-01T00:00:00Z", 0, 3_600),
            Change("XXX0YYY,J60/0,J300/0", "2024-03-01T00:00:00Z", 0, 3_600),
            Change("XXX0YYY,J59/0,J300/0", "2024-02-28T00:00:00Z", 0, 3_600),
            Change("XXX0YYY,59/0,300/0", "2023-03-01T00:00:00Z", 0, 3_600),
            Change("XXX0YYY,59/0,300/0", "2024-02-29T00:00:00Z", 0, 3_600),
            Change("XXX0YYY,0/0,M2.5.4/0", "2024-02-28T23:00:00Z", 3_600, 0),
            Change("XXX0YYY,M3.1.5,J365/48", "2025-01-01T23:00:00Z", 3_600, 0),
            Change("XXX0YYY,J365/48,M3.1.0", "2024-01-02T00:00:00Z", 0, 3_600),
            Change("XXX0YYY,J1/-24:30:30,M3.1.0", "2023-12-30T23:29:30Z", 0, 3_600),
            Change("XXX0YYY,M1.1.1/-167,M3.1.0", "2023-12-25T01:00:00Z", 0, 3_600),
            Change("XXX0YYY,M12.5.0/167,M3.1.0", "2024-01-06T23:00:00Z", 0, 3_600),
        ])
    func changes(_ change: Change) throws {
        let zone = try Zone(name: "x", tzif: tzif(version: "3", footer: change.footer))
        let second = try moment(change.at)
        let before = Instant(microseconds: second.microseconds - 1)
        expect(zone.offsetS(at: before), equals: change.before)
        expect(zone.offsetS(at: second), equals: change.after)
    }

    @Test(
        "Saving time that reaches the next start never ends",
        arguments: [
            "XXX3EDT4,0/0,J365/23", "EST5EDT,0/0,J365/25", "EST5EDT,0/0,J365/26",
            "EST5EDT,J100,J100/3", "EST5EDT,M6.1.0,M6.1.0/3",
        ])
    func permanentSaving(_ footer: String) throws {
        let zone = try Zone(name: "x", tzif: tzif(version: "3", footer: footer))
        let start = try moment("2023-01-01T00:00:00Z")
        for hour in 0..<(3 * 366 * 24) {
            let instant = start.advanced(byMicroseconds: Int64(hour) * 3_600_000_000 - 1)
            guard zone.offsetS(at: instant) == -14_400 else {
                Issue.record("\(Timestamp.text(instant))")
                return
            }
        }
    }

    @Test(
        "The rule holds after the last transition, and the tables before it")
    func tablesThenRule() throws {
        let last = try moment("2024-06-01T00:00:00Z").microseconds / 1_000_000
        let zone = try Zone(
            name: "x",
            tzif: tzif(
                transitions: [(last - 100, 1), (last, 2)], types: [-60, 7_200, -14_400],
                footer: Self.newYork))
        expect(zone.offsetS(at: Instant(microseconds: .min)), equals: -60)
        try expect(zone.offsetS(at: moment("2024-05-31T23:58:19Z")), equals: -60)
        try expect(zone.offsetS(at: moment("2024-05-31T23:58:20Z")), equals: 7_200)
        try expect(zone.offsetS(at: moment("2024-06-01T00:00:00Z")), equals: -14_400)
        try expect(zone.offsetS(at: moment("2024-12-01T00:00:00Z")), equals: -18_000)
        expect(zone.offsetS(at: Instant(microseconds: .max)), equals: -18_000)
    }

    @Test(
        "A footer without a valid rule is refused",
        arguments: [
            "EST", "5", "ES5", "EST25", "EST-25", "EST5:60", "EST5:", "EST-", "<EST5", "<E>5",
            "<ES!>5", ":EST5", "EST5EDT", "EST5EDT4", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,",
            "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M0.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
            "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,M3.2,M11.1.0",
            "EST5EDT,J0,J300", "EST5EDT,J366,J300", "EST5EDT,366,300", "EST5EDT,-1,300",
            "EST5EDT,J1/168,J300", "EST5EDT,J1/-168,J300", "EST5EDT,J1/2:60,J300",
            "EST5EDT,J1/,J300", "EST5EDT,M3.2.0,M11.1.0 ", "EST5EDT,M3.2.0,M11.1.0,", "EST5555",
        ])
    func refused(_ footer: String) {
        #expect(throws: InvalidZone.badFooter(footer)) {
            try Zone(name: "x", tzif: tzif(footer: footer))
        }
    }
}
