import Daybook
import Testing

@Suite("An audit of a life cycle") struct LifecycleAuditTests {
    @Test("Steps that are not declared are found, and legal ones are not")
    func steps() throws {
        let findings = try Self.findings([
            Opened(door: "a"), Closed(door: "a"), Closed(door: "a"), Closed(door: "b"),
        ])
        #expect(
            findings == [
                Finding(
                    rule: "L1", position: 3, entity: "door:a",
                    expected: "doors.closed in open", found: "shut"),
                Finding(
                    rule: "L1", position: 4, entity: "door:b",
                    expected: "doors.closed in open", found: "–"),
            ])
    }

    @Test("Findings keep to the tag that is asked for")
    func only() throws {
        let events: [any EventPayload] = [Closed(door: "a"), Closed(door: "b")]
        let only = Daybook.Tag("door", "b")
        #expect(try Self.findings(events, only: only).map(\.position) == [2])
    }

    @Test("A status that is nil at first makes the first event a change of it")
    func birth() throws {
        let description = AuditDescription(
            "gates", "L2", Door.lifecycle, of: Gate.self, noun: "door", \.status)
        let findings = try Self.findings([Closed(door: "a"), Opened(door: "a")], by: description)
        #expect(
            findings == [
                Finding(
                    rule: "L2", position: 1, entity: "door:a",
                    expected: "doors.closed in open", found: "–")
            ])
        var gate = Gate.blank
        let before = FlatFields.of(gate)
        gate.status = .open
        #expect(
            FieldChange.between(before, FlatFields.of(gate)) == [
                FieldChange(path: "status", before: "null", after: "\"open\"")
            ])
    }

    private static func findings(
        _ events: [any EventPayload], only: Daybook.Tag? = nil,
        by description: AuditDescription = AuditDescription(
            "doors", "L1", Door.lifecycle, of: Door.self, noun: "door", \.status)
    ) throws -> [Finding] {
        var run = AuditRun([description], AuditContext(only: only) { _ in 0 })
        for (index, payload) in events.enumerated() {
            let event = NewEvent(payload, occurredAt: .epoch)
            try run.check(
                RecordedEvent(
                    envelope: Envelope(
                        position: Position(UInt64(index) + 1), occurredAt: .epoch,
                        recordedAt: .epoch),
                    kind: event.kind, tags: event.tags, zone: "", payload: event.payload))
        }
        return run.finish().findings
    }
}

private struct Opened: EventPayload {
    static let kind: EventKind = "doors.opened.v1"
    var door = ""
    static var blank: Self { Self() }
    var tags: [Daybook.Tag] { [Daybook.Tag("door", door)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("door", &door)
    }
}

private struct Closed: EventPayload {
    static let kind: EventKind = "doors.closed.v1"
    var door = ""
    static var blank: Self { Self() }
    var tags: [Daybook.Tag] { [Daybook.Tag("door", door)] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("door", &door)
    }
}

private enum DoorStatus: UInt8, StoredEnum { case shut, open }

private struct Door: Record, Projection {
    enum Event: EventSet {
        case opened(Opened), closed(Closed)
        static let kinds = [StoredKind(opened), StoredKind(closed)]
    }

    static let lifecycle = Lifecycle<DoorStatus>(
        "door", field: "status",
        [
            .step(Opened.self, from: nil, .shut, to: .open),
            .step(Closed.self, from: .open, to: .shut),
        ])

    var status = DoorStatus.shut
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("status", &status)
    }

    static func evolve(_ door: inout Door, with event: Event, _ envelope: Envelope) {
        switch event {
        case .opened: door.status = .open
        case .closed: door.status = .shut
        }
    }
}

/// A door of which nobody knows whether it is open until somebody says so.
private struct Gate: Record, Projection {
    typealias Event = Door.Event

    var status: DoorStatus?
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("status", &status)
    }

    static func evolve(_ gate: inout Gate, with event: Event, _ envelope: Envelope) {
        switch event {
        case .opened: gate.status = .open
        case .closed: gate.status = .shut
        }
    }
}
