import Daybook
import Foundation
import TestSupport
import Testing

/// Every row of the facts that several projects share.
@Suite(
    .needsZones,
    .enabled(if: FileManager.default.fileExists(atPath: Facts.path), "needs shared data"))
struct SharedZoneFactsTests {
    private let facts: Facts

    init() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Facts.path))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        facts = try decoder.decode(Facts.self, from: bytes)
    }

    @Test("Days have the bounds computed elsewhere")
    func days() throws {
        #expect(!facts.days.isEmpty)
        for each in facts.days {
            let zone = try TestZones.zone(each.zone)
            let date = try day(each.date)
            let (start, end) = (zone.start(of: date), zone.start(of: date.adding(days: 1)))
            expect(Timestamp.text(start), equals: each.dayStartUtc)
            expect(Timestamp.text(end), equals: each.dayEndUtc)
            expect(seconds(from: start, to: end), equals: each.minutes * 60)
            #expect(zone.local(at: start).text == each.localStart.prefix(19))
            expect(zone.offsetS(at: start), equals: Timestamp.parse(each.localStart)?.offsetS)
            expect(date.isoWeekday, equals: each.weekdayIso)
            expect([date.isoWeek.year, date.isoWeek.week, date.isoWeekday], equals: each.isoWeek)
            expect(zone.day(at: start), equals: date)
        }
    }

    @Test("Sleeps have the lengths computed elsewhere")
    func sleeps() throws {
        #expect(!facts.sleeps.isEmpty)
        for each in facts.sleeps {
            let zone = try TestZones.zone(each.zone)
            let start = zone.resolve(try reading(each.startLocal)).standard
            let end = zone.resolve(try reading(each.endLocal)).standard
            expect(Timestamp.text(start), equals: each.startUtc)
            expect(Timestamp.text(end), equals: each.endUtc)
            expect(seconds(from: start, to: end), equals: each.totalMin * 60)
            let parts = pieces(of: zone, from: start, to: end)
                .map { ($0.date.text, $0.seconds / 60) }
            expect(Dictionary(uniqueKeysWithValues: parts), equals: each.splitMin)
        }
    }

    @Test("Skipped and repeated times resolve as computed elsewhere")
    func oddTimes() throws {
        #expect(!facts.ambiguous.isEmpty)
        for each in facts.ambiguous {
            let resolution = try TestZones.zone(each.zone).resolve(reading(each.local))
            let (first, second) = (try moment(each.fold0Utc), try moment(each.fold1Utc))
            let expected: LocalResolution =
                each.kind == "ambiguous"
                ? .ambiguous(earlier: first, later: second)
                : .nonexistent(after: first, before: second)
            expect(resolution, equals: expected, "\(each.local)")
        }
    }

    @Test("Weeks have the bounds computed elsewhere")
    func weeks() throws {
        #expect(!facts.weeks.isEmpty)
        for each in facts.weeks {
            let date = try day(each.date)
            expect([date.isoWeek.year, date.isoWeek.week, date.isoWeekday], equals: each.iso)
            expect(date.startOfWeek(startingOn: .monday).text, equals: each.monday)
            expect(date.startOfWeek(startingOn: .sunday).text, equals: each.sundayStart)
        }
    }
}

private struct Facts: Decodable {
    static let path = Checkout.sharedData.appending(path: "tz/expected_tz.json").path

    struct Day: Decodable {
        var zone: String
        var date: String
        var dayStartUtc: String
        var dayEndUtc: String
        var minutes: Int64
        var localStart: String
        var weekdayIso: Int
        var isoWeek: [Int]
    }

    struct Sleep: Decodable {
        var zone: String
        var startLocal: String
        var endLocal: String
        var startUtc: String
        var endUtc: String
        var totalMin: Int64
        var splitMin: [String: Int64]
    }

    struct Odd: Decodable {
        var zone: String
        var local: String
        var kind: String
        var fold0Utc: String
        var fold1Utc: String
    }

    struct Week: Decodable {
        var date: String
        var iso: [Int]
        var monday: String
        var sundayStart: String
    }

    var days: [Day]
    var sleeps: [Sleep]
    var ambiguous: [Odd]
    var weeks: [Week]
}
