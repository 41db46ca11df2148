public import Daybook
import DaybookInput

@testable public import DaybookModel

/// One baby's history, decided command by command without a log.
public struct CareStory: Sendable {
    public private(set) var state = BabyCare.State()
    public private(set) var events: [(event: BabyCare.Event, envelope: Envelope)] = []
    public let zone: Zone

    /// A baby `b` that is known in a zone.
    public init(
        zone name: String = "UTC", profile: Household.BabyProfileChanged? = nil
    ) throws {
        zone = try Zones.zone(name)
        var known = profile ?? Household.BabyProfileChanged()
        known.babyId = "b"
        known.zone = name
        record(.babyProfileChanged(known), at: Instant(microseconds: 0))
    }

    /// Decides and records; what is refused is thrown.
    public mutating func give(_ command: some CareCommand, at now: Instant) throws {
        for event in try command.decide(state, now: now) {
            record(event, at: now)
        }
    }

    /// A fact that no rule has judged.
    public mutating func record(
        _ event: BabyCare.Event, at now: Instant, recordedAt: Instant? = nil
    ) {
        let envelope = Envelope(
            position: Position(UInt64(events.count) + 1), occurredAt: now,
            recordedAt: recordedAt ?? now, offsetS: Int32(zone.offsetS(at: now)))
        events.append((event, envelope))
        BabyCare.evolve(&state, with: event, envelope)
    }

    /// A closed entry, from and to local times like `2020-03-07T23:00`.
    public mutating func add(
        _ kind: BabyCare.Kind, _ start: String, _ end: String? = nil, id: String? = nil,
        _ value: [String: Scalar] = [:]
    ) throws {
        let started = try time(start)
        let ended = try end.map(time)
        try give(
            BabyCare.RecordEntry(
                entryId: id ?? "e\(events.count)", babyId: "b", kind: kind.name,
                started: started, ended: ended, value: value),
            at: ended ?? started)
    }

    /// A moment.
    public mutating func add(
        _ kind: BabyCare.Kind, _ start: String, id: String? = nil, _ value: [String: Scalar]
    ) throws {
        try add(kind, start, nil, id: id, value)
    }

    /// The moment of a local time, `2020-03-07T23:00[:ss]`.
    public func time(_ text: String) throws -> Instant { try Zones.local(text, zone) }

    public func reporter(
        _ rules: BabyCare.Rules = .standard, zone other: Zone? = nil,
        knownAt: Instant = Instant(microseconds: .max)
    ) -> BabyCare.Reporter {
        BabyCare.Reporter(
            state, zone: other ?? zone, tzdata: Zones.version, rules: rules,
            position: Position(UInt64(events.count)), knownAt: knownAt)
    }
}

/// The zones of the machine, for tests.
public enum Zones {
    struct Missing: Error { var what: String }

    public static func missing(_ what: String) -> any Error { Missing(what: what) }

    private static let source: Result<ZoneSource, ZoneFilesError> = {
        do throws(ZoneFilesError) {
            return .success(try ZoneFiles.source())
        } catch {
            return .failure(error)
        }
    }()

    public static var version: String {
        guard case .success(let source) = source else { return "none" }
        return source.version
    }

    public static func zone(_ name: String) throws -> Zone {
        try source.get().zone(name)
    }

    /// A moment from a local time; the later reading has a `+` behind it.
    public static func local(_ text: String, _ zone: Zone) throws -> Instant {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        guard parts.count >= 5, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
        else { throw Missing(what: "a local time in '\(text)'") }
        let second = parts[3] * 3_600 + parts[4] * 60 + (parts.count > 5 ? parts[5] : 0)
        return zone.instant(of: LocalTime(date: date, secondOfDay: second))
    }

    public static func date(_ text: String) throws -> CivilDate {
        guard let date = CivilDate(text: text) else { throw Missing(what: "a date in '\(text)'") }
        return date
    }
}
