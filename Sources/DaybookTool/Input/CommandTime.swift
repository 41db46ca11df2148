import ArgumentParser
package import Daybook
import DaybookInvestigation
import DaybookLibC
package import DaybookLog
import DaybookScenarios
import Synchronization

/// The times of a command line, as people write them.
///
/// A day or a reading of the clock is meant in the zone of what the command is about, else in the
/// zone of the machine. Whatever is not exact is repeated on standard error as it was understood.
package enum CommandTime {
    /// The beginning of the command, from which all relative times count.
    package static let now = EventLog.systemTime()

    package static let form =
        "expected a time like 2026-07-12T12:00:00Z, '2026-07-12 14:00', yesterday or -2h"

    /// The moment of a day that an option means.
    package enum Edge: Sendable {
        case start
        case end
    }

    private struct State: Sendable {
        var zone: Zone?
        var told: Set<String> = []
    }

    private static let state = Mutex(State())

    /// `true` once the command has settled the zone of its times.
    static var hasZone: Bool { state.withLock { $0.zone != nil } }

    /// `true` for a text whose meaning depends on a zone, which the command has not settled yet.
    package static func needsZone(_ texts: String?...) -> Bool {
        !hasZone
            && texts.contains { text in
                guard let text else { return false }
                return !WrittenTime.isExact(text) && Int64(text) == nil
            }
    }

    /// Reads times in a zone from now on.
    package static func settle(_ zone: Zone?) {
        guard let zone else { return }
        state.withLock { $0.zone = zone }
    }

    /// Reads times in the zone of an entity, where the log knows one.
    package static func settle(
        on tag: Daybook.Tag?, in log: EventLog, tzdata: String = ZoneOptions.standardFolder
    ) throws {
        guard let tag else { return }
        settle(try EntityZone(log, try catalogue(), try ZoneOptions.source(tzdata)).zone(of: tag))
    }

    private static func zone() throws -> Zone {
        if let zone = state.withLock({ $0.zone }) { return zone }
        let zone = try machineZone()
        settle(zone)
        return zone
    }

    /// The zone of `TZ`, else the one that the machine is set to, else UTC.
    private static func machineZone() throws -> Zone {
        if let name = Terminal.variable("TZ") {
            let name = name.hasPrefix(":") ? String(name.dropFirst()) : name
            if let fixed = Zone(fixedOffset: name) { return fixed }
            let source = try ZoneOptions.source(ZoneOptions.standardFolder)
            do throws(UnknownZone) {
                return try source.zone(name)
            } catch {
                throw Failure(.usage, "TZ: \(error)")
            }
        }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/etc/localtime", &path, path.count - 1)
        guard count > 0 else { return .utc }
        let link = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let end = link.firstRange(of: "zoneinfo/")?.upperBound else { return .utc }
        let name = String(link[end...])
        return (try? ZoneOptions.source(ZoneOptions.standardFolder).zone(name)) ?? .utc
    }

    /// The moment that an option names.
    package static func moment(
        _ text: String, _ option: String, _ edge: Edge = .start
    ) throws -> Instant {
        if let exact = Timestamp.parse(text) { return exact.instant }
        // A number of fewer digits is more likely a year or a position than microseconds.
        if let number = Int64(text), number.magnitude >= 1_000_000_000_000 {
            return Instant(microseconds: number)
        }
        let zone = try zone()
        guard let time = WrittenTime(text, now: now, in: zone) else {
            throw ValidationError("\(option): \(unknownDate(text) ?? "\(form), found '\(text)'").")
        }
        let moment = edge == .start ? time.start(in: zone) : time.end(in: zone)
        let note =
            switch time {
            case .doubtful(_, .ambiguous): ", the earlier of two"
            case .doubtful(_, .nonexistent): ", as the clocks skipped that time"
            default: ""
            }
        tell(option, text, Timestamp.text(moment, in: zone) + " in \(zone.name)\(note)")
        return moment
    }

    /// The first day of the period that an option names, or of the one with the day it names.
    package static func date(
        _ text: String, _ option: String, _ period: ReportPeriod
    ) throws -> CivilDate {
        if let date = period.date(text) { return date }
        let zone = try zone()
        // A month is no week, and a week no day.
        guard let time = WrittenTime(text, now: now, in: zone),
            let names = period.names(from: time.date(in: zone), through: time.lastDate(in: zone)),
            names.count == 1, let name = names.first, let date = period.date(name)
        else {
            let expected =
                "expected a \(period.noun) like \(period.example) or \(period.spoken), found "
                + "'\(text)'"
            throw ValidationError("\(option): \(unknownDate(text) ?? expected).")
        }
        tell(option, text, "\(name) in \(zone.name)")
        return date
    }

    /// A sentence on a day, week or month that the calendar does not have; `nil` for other texts.
    private static func unknownDate(_ text: String) -> String? {
        [ReportPeriod.day(""), .week(""), .month("")]
            .first { $0.hasForm(text) && $0.date(text) == nil }
            .map { "there is no \($0.noun) \(text)" }
    }

    /// Says once how an option was understood.
    private static func tell(_ option: String, _ text: String, _ meaning: String) {
        let message = "\(option) \(text): \(meaning)"
        guard state.withLock({ $0.told.insert(message).inserted }) else { return }
        StandardError.message(message)
    }
}

extension ReportPeriod {
    /// An example of a name as people say it.
    fileprivate var spoken: String {
        switch self {
        case .day: "yesterday"
        case .week: "'last week'"
        case .month: "'last month'"
        }
    }
}

/// Finds the zone that an entity lives in.
private struct EntityZone {
    private let log: EventLog
    private let catalogue: Catalogue
    private let source: ZoneSource

    /// The most events that are looked at.
    private static let most = 1_000

    init(_ log: EventLog, _ catalogue: Catalogue, _ source: ZoneSource) {
        self.log = log
        self.catalogue = catalogue
        self.source = source
    }

    /// The zone in the entity's state, where an import declares one; else the device's in the
    /// newest event that says so.
    func zone(of tag: Daybook.Tag) throws -> Zone? {
        let tags = catalogue.people.tags(naming: tag)
        for item in catalogue.imports {
            guard case .needed(let name, let field) = item.zone,
                let projection = catalogue.projections[name],
                tags.contains(where: { $0.noun == projection.noun }),
                let zone = try zone(in: projection, String(tag.id), field)
            else { continue }
            return zone
        }
        guard let query = Query(items: tags.map { Query.Item(tags: [$0]) }) else { return nil }
        var left = Self.most
        var zone: Zone?
        try mappingLogErrors {
            try log.reader(query, ReadWindow(.descending)).forEach { event in
                left -= 1
                if !event.zone.isEmpty {
                    zone = try? source.zone(event.zone)
                } else if event.envelope.offsetS != 0 {
                    zone = Zone(fixedOffset: Timestamp.offset(Int(event.envelope.offsetS)))
                }
                return zone == nil && left > 0
            }
        }
        return zone
    }

    private func zone(
        in projection: ProjectionDescription, _ key: String, _ field: String
    ) throws -> Zone? {
        try mappingLogErrors {
            let reading = try ProjectionReading(log, catalogue)
            do {
                let fold = try reading.states(of: projection, key, .standard).values.first
                let leaf = fold?.leaves.first { $0.path == field }
                guard case .text(let name)? = leaf?.value.asTree.content else { return nil }
                return try? source.zone(name)
            } catch QuestionError.unknownEntity {
                return nil
            }
        }
    }
}
