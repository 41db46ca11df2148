import Daybook
import TestSupport
import Testing

@Suite(.needsZones) struct LocalTimeTests {
    @Test(
        "A time the clocks skipped is moved forward by the gap",
        arguments: [
            (
                "America/New_York", "2020-03-08T02:30",
                "2020-03-08T07:30:00Z", "2020-03-08T06:30:00Z"
            ),
            (
                "America/New_York", "2020-03-08T02:00",
                "2020-03-08T07:00:00Z", "2020-03-08T06:00:00Z"
            ),
            ("America/Havana", "2024-03-10T00:30", "2024-03-10T05:30:00Z", "2024-03-10T04:30:00Z"),
            (
                "Australia/Lord_Howe", "2024-10-06T02:15",
                "2024-10-05T15:45:00Z", "2024-10-05T15:15:00Z"
            ),
            ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00Z", "2011-12-29T22:00:00Z"),
            ("Europe/Dublin", "2024-03-31T01:30", "2024-03-31T01:30:00Z", "2024-03-31T00:30:00Z"),
            (
                "America/New_York", "2150-03-08T02:30",
                "2150-03-08T07:30:00Z", "2150-03-08T06:30:00Z"
            ),
        ])
    func nonexistent(_ name: String, _ local: String, _ after: String, _ before: String) throws {
        let resolution = try TestZones.zone(name).resolve(reading(local))
        #expect(
            resolution == .nonexistent(after: try moment(after), before: try moment(before)))
        #expect(resolution.standard == (try moment(after)))
        #expect(resolution.doubt == .nonexistent)
    }

    @Test(
        "A time the clocks showed twice is the earlier one",
        arguments: [
            ("Europe/Berlin", "2022-10-30T02:30", "2022-10-30T00:30:00Z", "2022-10-30T01:30:00Z"),
            ("Europe/Berlin", "2022-10-30T02:00", "2022-10-30T00:00:00Z", "2022-10-30T01:00:00Z"),
            ("America/Havana", "2024-11-03T00:00", "2024-11-03T04:00:00Z", "2024-11-03T05:00:00Z"),
            (
                "Australia/Lord_Howe", "2025-04-06T01:45",
                "2025-04-05T14:45:00Z", "2025-04-05T15:15:00Z"
            ),
            (
                "Antarctica/Troll", "2024-10-27T02:00",
                "2024-10-27T00:00:00Z", "2024-10-27T02:00:00Z"
            ),
            ("Europe/Dublin", "2024-10-27T01:30", "2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"),
            ("Europe/Berlin", "2150-10-25T02:30", "2150-10-25T00:30:00Z", "2150-10-25T01:30:00Z"),
        ])
    func ambiguous(_ name: String, _ local: String, _ earlier: String, _ later: String) throws {
        let resolution = try TestZones.zone(name).resolve(reading(local))
        #expect(
            resolution == .ambiguous(earlier: try moment(earlier), later: try moment(later)))
        #expect(resolution.standard == (try moment(earlier)))
        #expect(resolution.doubt == .ambiguous)
    }

    @Test(
        "Any other time happened once",
        arguments: [
            ("America/New_York", "2020-03-08T01:59:59", "2020-03-08T06:59:59Z"),
            ("America/New_York", "2020-03-08T03:00:00", "2020-03-08T07:00:00Z"),
            ("Europe/Berlin", "2022-10-30T01:59:59", "2022-10-29T23:59:59Z"),
            ("Europe/Berlin", "2022-10-30T03:00:00", "2022-10-30T02:00:00Z"),
            ("Asia/Kathmandu", "2020-01-01T00:00:00", "2019-12-31T18:15:00Z"),
            ("Africa/Monrovia", "1970-01-01T00:00:00", "1970-01-01T00:44:30Z"),
            ("-03:30", "2020-03-08T02:30:00", "2020-03-08T06:00:00Z"),
        ])
    func unique(_ name: String, _ local: String, _ instant: String) throws {
        let zone = try TestZones.zone(name)
        let resolution = zone.resolve(try reading(local))
        #expect(resolution == .unique(try moment(instant)))
        #expect(resolution.doubt == nil)
        #expect(zone.local(at: try moment(instant)).text == local)
    }

    @Test(
        "Fractions are cut off, before 1970 too",
        arguments: [
            ("1969-12-31T23:59:59.999999Z", "1970-01-01T08:59:59"),
            ("1970-01-01T00:00:00.999999Z", "1970-01-01T09:00:00"),
            ("2026-02-20T14:59:59.999999Z", "2026-02-20T23:59:59"),
        ])
    func fractions(_ instant: String, _ local: String) throws {
        #expect(try TestZones.zone("Asia/Seoul").local(at: moment(instant)).text == local)
    }

    @Test("A time of one day is before any of the next")
    func aTimeOfOneDayIsBeforeAnyOfTheNext() throws {
        #expect(try reading("2020-03-08T23:59:59") < reading("2020-03-09T00:00:00"))
        #expect(try reading("2020-03-08T02:29:59") < reading("2020-03-08T02:30:00"))
    }
}
