import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// A history of recorded facts, which no rule has judged.
struct AuditHistory {
    private(set) var events: [RecordedEvent] = []

    /// Monday 2026-01-05 at midnight UTC, and so many minutes.
    static func time(_ minutes: Int64) -> Instant {
        Sample.time("2026-01-05T00:00:00Z") + minutes * 60_000_000
    }

    /// When each event is recorded, unless it says otherwise: a month later.
    static let recordedAt = time(60 * 24 * 30)

    init(_ facts: [BabyCare.Event] = []) {
        for fact in facts { add(fact) }
    }

    init(facts: [any EventPayload]) {
        for fact in facts { add(payload: fact) }
    }

    mutating func add(_ fact: BabyCare.Event, recordedAt: Instant = AuditHistory.recordedAt) {
        add(payload: fact.payload, recordedAt: recordedAt)
    }

    mutating func add(
        payload: any EventPayload, recordedAt: Instant = AuditHistory.recordedAt
    ) {
        let new = NewEvent(payload, occurredAt: recordedAt)
        let envelope = Envelope(
            position: Position(UInt64(events.count) + 1), occurredAt: new.occurredAt,
            recordedAt: recordedAt)
        events.append(
            RecordedEvent(
                envelope: envelope, kind: new.kind, tags: new.tags, zone: "",
                payload: new.payload))
    }

    static func context(
        zone: String? = nil, tzdata: String = "test-1", only: Daybook.Tag? = nil,
        rules: Rules = .standard
    ) -> AuditContext {
        AuditContext(
            zones: zones(tzdata), zone: zone, only: only, rules: rules.ruleSet,
            digest: Sample.input.digest)
    }

    /// The machine's zones under the name of a release, but `replaced` in place of any.
    static func zones(_ version: String, replaced: Zone? = nil) -> ZoneSource {
        let digest = { @Sendable (zone: Zone) in
            Digest(bits: Sample.input.digest(zone.transitionText))
        }
        return ZoneSource(version: version, digest: digest) { (name) throws(UnknownZone) in
            if let replaced { return replaced }
            do {
                return try Zones.zone(name)
            } catch {
                throw UnknownZone(name: name, reason: "is not there")
            }
        }
    }

    /// What is found, through the catalogue as tools do it.
    func audit(_ context: AuditContext = AuditHistory.context()) throws -> AuditResult {
        let catalogue = try Catalogue(Catalog.areas)
        var run = AuditRun(catalogue.audits.values.sorted { $0.name < $1.name }, context)
        for event in events where run.kindsReadAhead.contains(event.kind) {
            try run.readAhead(event)
        }
        for event in events { try run.check(event) }
        return run.finish()
    }

    /// Rule, position and entity of what is found: `B7 3 entry:b`.
    func found(_ context: AuditContext = AuditHistory.context()) throws -> [String] {
        try audit(context).findings.map { "\($0.rule) \($0.position) \($0.entity)" }
    }
}

/// Facts about a baby `b`, in minutes.
enum Fact {
    static func opened(
        _ id: String, _ start: Int64, kind: BabyCare.Kind = .sleep, by: String? = nil,
        baby: String = "b"
    ) -> BabyCare.Event {
        .entryOpened(
            BabyCare.EntryOpened(
                entryId: id, babyId: baby, kind: kind, started: AuditHistory.time(start),
                value: BabyCare.Value(), source: .manual, entryMode: "manual_start",
                by: by.map { Author($0) }))
    }

    static func closed(_ id: String, _ start: Int64, _ end: Int64) -> BabyCare.Event {
        .entryClosed(
            BabyCare.EntryClosed(
                entryId: id, babyId: "b", kind: .sleep, started: AuditHistory.time(start),
                ended: AuditHistory.time(end), endSource: .explicit, value: BabyCare.Value()))
    }

    static func recorded(
        _ id: String, _ start: Int64, _ end: Int64? = nil, kind: BabyCare.Kind = .sleep,
        declaredS: Int64? = nil, ul: Int64? = nil, isUnfinished: Bool = false,
        by: String? = nil, baby: String = "b"
    ) -> BabyCare.Event {
        var value = BabyCare.Value()
        value.amountUl = ul
        let origin = BabyCare.Origin(
            format: .babyConnect, rowDigest: Digest(bits: 1), cellsDigest: Digest(bits: 2))
        return .entryRecorded(
            BabyCare.EntryRecorded(
                entryId: id, babyId: baby, kind: kind, state: isUnfinished ? .open : .closed,
                started: AuditHistory.time(start), ended: end.map(AuditHistory.time),
                declaredDurationS: declaredS, value: value, source: .manual,
                entryMode: "manual_form", by: by.map { Author($0) },
                origin: isUnfinished ? origin : nil))
    }

    static func edited(
        _ id: String, set: BabyCare.Change, prior: BabyCare.Change
    ) -> BabyCare.Event {
        .entryEdited(
            BabyCare.EntryEdited(entryId: id, babyId: "b", kind: .sleep, set: set, prior: prior))
    }

    static func cancelled(
        _ id: String, was state: BabyCare.EntryState = .closed
    ) -> BabyCare.Event {
        .entryCancelled(
            BabyCare.EntryCancelled(entryId: id, babyId: "b", kind: .sleep, previousState: state))
    }

    static func restored(
        _ id: String, to state: BabyCare.EntryState = .closed
    ) -> BabyCare.Event {
        .entryRestored(
            BabyCare.EntryRestored(
                entryId: id, babyId: "b", kind: .sleep, toState: state, isWithinUndoWindow: false))
    }

    static func estimated(_ id: String, _ start: Int64, _ end: Int64) -> BabyCare.Event {
        .endEstimated(
            BabyCare.EndEstimated(
                entryId: id, babyId: "b", kind: .sleep, started: AuditHistory.time(start),
                ended: AuditHistory.time(end), confidence: 50, basis: .standardLength))
    }

    static func merged(_ id: String, _ drop: [String], _ start: Int64, _ end: Int64)
        -> BabyCare.Event
    {
        .entriesMerged(
            BabyCare.EntriesMerged(
                keepId: id, dropIds: drop, babyId: "b", kind: .sleep,
                started: AuditHistory.time(start), ended: AuditHistory.time(end)))
    }

    static func onboarded(by: String, zone: String? = nil, baby: String = "b") -> BabyCare.Event {
        .onboarded(
            Household.Onboarded(babyId: baby, householdId: "h", zone: zone, by: Author(by)))
    }

    static func role(_ user: String, _ role: Household.Role) -> BabyCare.Event {
        .memberRoleChanged(
            Household.MemberRoleChanged(householdId: "h", userId: user, role: role))
    }

    static func replaced(
        _ kind: Household.EntityKind, _ old: String, _ new: String
    ) -> BabyCare.Event {
        .idReplaced(Household.IdReplaced(kind: kind, localId: old, remoteId: new))
    }

    static func profile(zone: String) -> BabyCare.Event {
        .babyProfileChanged(Household.BabyProfileChanged(babyId: "b", zone: zone))
    }
}
