import Daybook
import DaybookInput
import DaybookLog
import Synchronization
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookInvestigation
@testable import DaybookModel

/// The reports of stories, with their pictures.
@Suite struct StoryReportTests {
    /// A log of three days with a baby, whose clock shows the time of each command.
    private struct BabyLog {
        let folder: TemporaryFolder
        let log: EventLog
        let catalogue: Catalogue
        let zone: Zone
        private let now: Now

        /// The time that the log's clock shows.
        private final class Now: Sendable {
            let time = Mutex(Instant(microseconds: 0))
        }

        init() throws {
            let now = Now()
            self.now = now
            catalogue = try Catalogue(Catalog.areas, formats: [CareForms.self, CareFiles.self])
            folder = try TemporaryFolder()
            log = try EventLog(
                path: folder.path("log"), access: .create, clock: { now.time.withLock { $0 } })
            zone = try Zones.zone("Europe/Berlin")
            var profile = Household.BabyProfileChanged()
            (profile.babyId, profile.zone) = ("b", "Europe/Berlin")
            now.time.withLock { $0 = Instant(microseconds: 1_709_000_000_000_000) }
            let known = NewEvent(profile, occurredAt: Instant(microseconds: 1_709_000_000_000_000))
            _ = try log.append(AppendRequest([known]))
        }

        func time(_ text: String) throws -> Instant { try Zones.local(text, zone) }

        func give(
            _ command: some Command, at text: String, device: String = "Europe/Berlin"
        ) throws {
            let time = try time(text)
            now.time.withLock { $0 = time }
            guard
                case .appended = try log.decide(
                    command, at: time, zone: device,
                    offsetS: Int32(try Zones.zone(device).offsetS(at: time)))
            else { throw InputError("\(text): nothing was appended") }
        }

        /// An entry that was recorded when it ended.
        func add(
            _ kind: BabyCare.Kind, _ start: String, _ end: String, device: String = "Europe/Berlin"
        ) throws {
            let entry = BabyCare.RecordEntry(
                entryId: start, babyId: "b", kind: kind.name, started: try time(start),
                ended: try time(end))
            try give(entry, at: end, device: device)
        }
    }

    /// The days around the change of the clocks in 2024, one sleep across midnight, one day's
    /// entry that came late.
    private static func log() throws -> BabyLog {
        let log = try BabyLog()
        try log.add(.sleep, "2024-03-30T13:00", "2024-03-30T14:00")
        try log.add(.sleep, "2024-03-30T21:00", "2024-03-31T06:00")
        try log.add(.formula, "2024-03-31T07:00", "2024-03-31T07:10")
        try log.add(.sleep, "2024-03-31T12:00", "2024-03-31T13:00")
        try log.add(.formula, "2024-04-01T08:00", "2024-04-01T08:10")
        try log.add(.pee, "2024-03-31T18:00", "2024-04-01T09:00")
        return log
    }

    private static func options(
        _ log: BabyLog, _ privacy: ExportPrivacy = .ids
    ) throws -> StoryOptions {
        let values = ShownValues(privacy, of: log.log, log.catalogue) { _ in false }
        var options = StoryOptions(
            .tag(try #require(Tag("baby:b"))), values, digest: { _ in 0 })
        options.zones = try ZoneFiles.source()
        return options
    }

    @Test("Each report at each row is the one as of the row, also as time passes")
    func answers() throws {
        let log = try Self.log()
        let options = try Self.options(log)
        let reading = try ProjectionReading(log.log, log.catalogue)
        let story = try ReadStory(options, in: reading)
        var compared = 0
        for (index, entity) in try ReadStory.list(story.tree["entities"]).enumerated() {
            guard let name = entity["report"] else { continue }
            let report = try #require(log.catalogue.reports[try ReadStory.text(name)])
            let words = try ReadStory.list(entity["with"]).map { try ReadStory.text($0) }
            let arguments = words.map { word in
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                return Tree.Member(key: parts[0], value: Tree(.text(parts[1]), line: 1))
            }
            for (row, position) in story.positions.enumerated() {
                let then = Moment(.position(UInt64(position)))
                let context = ReportContext(
                    rules: .standard, zones: options.zones, position: Position(UInt64(position)),
                    knownAt: try then.knownAt(log.log))
                let prepared = try report.prepare(
                    Tree(.map(arguments), line: 1), rules: .standard, context)
                let gathered = try ProjectionReading(log.log, log.catalogue, as: then)
                    .gathered(prepared)
                let expected = gathered.content.map { content in
                    Tree.fields(
                        content.leaves(Redaction())
                            .filter { !report.basisFields.contains($0.path) })
                }
                let found = try story.state(index, at: row)
                expect(found, equals: expected, "\(report.name) \(words) at position \(position)")
                compared += 1
            }
        }
        expect(compared, equals: 3 * story.positions.count, "a report on each of three days")
        // The first day is over when the second one's first entry comes.
        let passed = story.changes.filter { $0.writer == StoryChanges.timeWriter }
        #expect(passed.contains { $0.path == "isPartial" || $0.path == "partial" }, "\(passed)")
    }

    @Test("Reports are of the days of the baby, whose zone comes first, and not of the device")
    func ownZone() throws {
        let log = try BabyLog()
        // 31 March and 2 April by the clocks of the phone.
        for day in ["2024-03-30", "2024-04-01"] {
            try log.add(.formula, "\(day)T20:00", "\(day)T20:10", device: "Asia/Seoul")
        }
        let reading = try ProjectionReading(log.log, log.catalogue)
        let story = try ReadStory(try Self.options(log), in: reading)
        let dates = try ReadStory.list(story.tree["entities"]).filter { $0["report"] != nil }
            .map { try ReadStory.text(try ReadStory.list($0["with"]).last) }
        expect(dates.suffix(2), equals: ["date=2024-03-30", "date=2024-04-01"])
        try expect(ReadStory.text(story.tree["zone"]), equals: "Europe/Berlin")
        let clocks = try ReadStory.list(story.tree["clocks"])
        try expect(
            clocks.map { try ReadStory.text($0["zone"]) }, equals: ["Europe/Berlin", "Asia/Seoul"])
        var options = try Self.options(log)
        options.zones = nil
        let without = try ReadStory(options, in: reading)
        #expect(try ReadStory.list(without.tree["clocks"]).isEmpty)
        expect(without.tree["zone"]?.content, equals: .null)
    }

    @Test("The clock of a zone on the page is that of the tz database", arguments: 1...6)
    func clocks(seed: UInt64) throws {
        let names = [
            "Europe/Dublin", "America/Havana", "Africa/Casablanca", "Australia/Lord_Howe", "UTC",
            "+05:45",
        ]
        var sampler = Sampler(seed: seed)
        let zone = try Zones.zone(names[Int(seed) - 1])
        var writer = JSONWriter()
        writer.object { zone.writeClock(to: &$0) }
        let clock = try JSONParser.parse(writer.text.utf8)
        let offsets = try ReadStory.numbers(clock["offsetS"])
        var second: Int64 = 0
        let starts = try ReadStory.numbers(clock["from"]).map { difference in
            second += difference
            return second
        }
        expect(starts.count, equals: offsets.count - 1)
        for _ in 0..<2_000 {
            let second = Int64(sampler.below(6_300_000_000)) - 2_208_000_000
            let offset = offsets[starts.count { $0 <= second }]
            let time = Instant(microseconds: second * 1_000_000)
            expect(zone.offsetS(at: time), equals: Int(offset), "\(zone.name) at \(second)")
        }
    }

    @Test("A report's picture is that of its answer, and is left out where ids are replaced")
    func pictures() throws {
        let log = try Self.log()
        let reading = try ProjectionReading(log.log, log.catalogue)
        let story = try ReadStory(try Self.options(log), in: reading)
        let entities = try ReadStory.list(story.tree["entities"])
        let svgs = try ReadStory.list(story.tree["svgs"]).map { try ReadStory.text($0) }
        let pictures = try ReadStory.list(story.tree["pictures"])
        expect(pictures.count, equals: 3)
        for picture in pictures {
            let rows = try ReadStory.summed(picture["event"])
            let indices = try ReadStory.numbers(picture["svg"])
            #expect(rows.count == indices.count && rows == rows.sorted())
            guard case .integer(let entity)? = picture["entity"]?.content else {
                throw InputError("expected a number")
            }
            #expect(entities[Int(entity)]["report"] != nil)
            let position = story.positions[Int(try #require(rows.last))]
            let last = svgs[Int(try #require(indices.last))]
            #expect(last.contains("baby b at position \(position)"), "\(last)")
        }
        #expect(svgs.contains { $0.contains("23 h, clocks went forward") })
        let hidden = try ReadStory(try Self.options(log, .pseudonyms), in: reading)
        #expect(try ReadStory.list(hidden.tree["pictures"]).isEmpty)
        #expect(hidden.json.contains("Pictures of reports are left out"))
        #expect(!hidden.json.contains("<svg"))
    }
}
