import CivilTime
import Domain
import EventSourcing
import EventStorage
import Investigation
import ReplayCommands

/// The reports of all babies on one day, from one scan of the log.
struct AllBabies {
    let options: BabyOptions
    let output: ReportOutput

    init(_ options: BabyOptions, _ output: ReportOutput) {
        self.options = options
        self.output = output
    }

    /// Prints one JSON object a baby, by its id.
    func show(_ date: CivilDate) throws {
        let log = try options.log.open(.read)
        try mappingLogErrors {
            let reading = try CareReading(log, options.moment)
            let source = try options.zones.source()
            let knownAt = try reading.knownAt(options.moment)
            var babies: [OpenBaby] = []
            for id in try reading.babyIds() {
                let profile = try reading.profile(id)
                guard profile.babyId == id else { continue }
                babies.append(
                    OpenBaby(
                        asked: id, reading: reading, profile: profile, zones: source,
                        zone: try options.zones.zone(source, else: profile.zone), knownAt: knownAt,
                        rules: options.rules))
            }
            let windows = babies.map { $0.emptyReporter().window(of: date) }
            let events = try reading.events(touching: windows, date)
            for baby in babies {
                let own = baby.profile.ids.flatMap { events[$0] ?? [] }
                    .sorted { $0.position < $1.position }
                let state = try reading.state(baby.profile, ofWindow: own)
                var reporter = baby.reporter(state)
                reporter.includesOpen = output.includeOpen
                Output.json(JSONWriter.text(reporter.day(date)))
            }
        }
    }
}

extension OpenBaby {
    /// A reporter that knows the profile alone.
    func emptyReporter() -> BabyCare.Reporter {
        var empty = BabyCare.State.blank
        empty.profile = profile
        return reporter(empty)
    }
}

extension CareReading {
    /// The ids of all babies, in order.
    func babyIds() throws -> [String] {
        var ids: Set<String> = []
        let query = Query(Query.Item(kinds: Household.profileKinds))
        for event in try log.events(query, through: through) {
            for tag in event.tags where tag.noun == "profile" { ids.insert(String(tag.id)) }
        }
        return ids.sorted()
    }

    /// The events of all entries that may touch one of the windows, by baby.
    func events(
        touching windows: [BabyCare.Window], _ date: CivilDate
    ) throws -> [String: [RecordedEvent]] {
        guard let first = windows.map(\.start).min(), let last = windows.map(\.end).max() else {
            return [:]
        }
        let weeks = WeekEnds(BabyCare.weekNames(from: first, to: last))
        var touching: [RecordedEvent] = []
        try log.scan(
            through: through, taggedBy: weeks.contains
        ) { (event) throws(LogError) in
            try folding { () throws(FoldError) in
                if try self.mayTouch(event, first, last) { touching.append(event) }
            }
        }
        let events = try log.complete(
            touching, withEntities: "entry", kinds: BabyCare.entryHistoryKinds, through: through)
        var babies = Dictionary(grouping: events) { $0.baby ?? "" }
        // What gives an entry another id names no baby.
        let renamings = babies.removeValue(forKey: "") ?? []
        guard !renamings.isEmpty else { return babies }
        var owners: [EventSourcing.Tag: String] = [:]
        for event in events {
            guard let baby = event.baby else { continue }
            for tag in event.tags where tag.noun == "entry" { owners[tag] = baby }
        }
        for event in renamings {
            for baby in Set(event.tags.compactMap { owners[$0] }) { babies[baby]?.append(event) }
        }
        return babies
    }

    /// Whether the times an event gives an entry touch a stretch of time.
    private func mayTouch(
        _ event: RecordedEvent, _ first: Instant, _ last: Instant
    ) throws(FoldError) -> Bool {
        guard let known = try reader.read(try catalogue.upcast(event)),
            let range = BabyCare.range(of: known)
        else { return false }
        return range.from <= last && range.to >= first
    }
}

extension RecordedEvent {
    fileprivate var baby: String? {
        tags.first { $0.noun == "baby" }.map { String($0.id) }
    }
}

/// The weeks that tags are looked for, as their last eight bytes.
private struct WeekEnds {
    let ends: [UInt64]

    /// - Parameter names: of eight characters: `2020-W10`.
    init(_ names: [String]) {
        ends = names.map { name in
            name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Whether the UTF-8 is a tag `week:…/` with one of the weeks at its end.
    func contains(_ tag: RawSpan) -> Bool {
        // `week`, low byte first.
        guard tag.byteCount > 14,
            unsafe tag.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
                == UInt32(littleEndian: 0x6B65_6577)
        else { return false }
        let end = unsafe tag.unsafeLoadUnaligned(
            fromByteOffset: tag.byteCount - 8, as: UInt64.self)
        return ends.contains(UInt64(littleEndian: end))
    }
}
