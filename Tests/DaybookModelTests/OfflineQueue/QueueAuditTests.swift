import Daybook
import Testing

@testable import DaybookModel

// Holds: s4-eventual-agreement
/// Recorded facts about a queue that no command would have given.
@Suite("Audit of the offline queue") struct QueueAuditTests {
    private typealias Q = QueueSample

    private static func findings(_ events: [OfflineQueue.Event]) throws -> [Finding] {
        let audits = try Catalogue(Catalog.areas).audits
        var run = AuditRun(
            ["offline-queue", "offline-queue-steps"].compactMap { audits[$0] },
            AuditContext(digest: { _ in 0 }))
        for (index, event) in events.enumerated() {
            let new = event.payload.event(in: CommandContext(now: .epoch))
            try run.check(
                RecordedEvent(
                    envelope: Envelope(
                        position: Position(UInt64(index) + 1), occurredAt: .epoch,
                        recordedAt: .epoch),
                    kind: new.kind, tags: new.tags, zone: "", payload: new.payload))
        }
        return run.finish().findings
    }

    private static let queued: [OfflineQueue.Event] = [
        Q.signedIn(), Q.queued("m1", 1, "local-1", body: 1), Q.queued("m2", 2, "local-2", body: 2),
        Q.started(),
    ]

    @Test("A queue that was sent by its rules has no findings")
    func sound() throws {
        let findings = try Self.findings(
            Self.queued + [
                Q.dispatched("m1", "local-1"), Q.rejected("m1", 500, .transient),
                Q.finished(.network), Q.started(), Q.dispatched("m1", "local-1", attempt: 2),
                Q.acknowledged("m1", made: "local-1", "e1"), Q.replaced("local-1", "e1"),
                Q.dispatched("m2", "local-2"), Q.rejected("m2", 409, .permanent, parked: true),
                Q.finished(.empty),
            ])
        #expect(findings.isEmpty)
    }

    @Test(
        "Each fault is found by its rule, at its event",
        arguments: [
            (
                queued + [Q.dispatched("m2", "local-2")],
                "Q1", 5, "'m1' next", "'m2'"
            ),
            (
                [
                    Q.signedIn(), Q.queued("m1", 1, "e7", .update),
                    Q.queued("m2", 2, "e7", .update), Q.started(), Q.dispatched("m1", "e7"),
                    Q.rejected("m1", 422, .permanent, parked: true), Q.dispatched("m2", "e7"),
                    Q.acknowledged("m2", 200), Q.retried("m1"),
                    Q.dispatched("m1", "e7", attempt: 2),
                ],
                "Q1", 10, "'m1' before 'm2'", "'m1'"
            ),
            (
                queued + [
                    Q.dispatched("m1", "local-1"), Q.acknowledged("m1", made: "local-1", "e1"),
                    Q.replaced("local-1", "e1"), Q.acknowledged("m1", made: "local-1", "e1"),
                ],
                "Q2", 8, "'m1' once, as at position 6", "again"
            ),
            (
                queued + [Q.queued("m1", 3, "local-1", body: 3)],
                "Q3", 5, "'m1' for sha256:0000000000000001", "sha256:0000000000000003"
            ),
            (
                queued + [
                    Q.dispatched("m1", "local-1"), Q.rejected("m1", 409, .permanent),
                    Q.finished(.error),
                ],
                "Q4", 6, "'m1' parked", "answered 409, 1 later write"
            ),
            (
                queued + [
                    Q.dispatched("m1", "local-1"), Q.acknowledged("m1", made: "local-1", "e1"),
                ],
                "Q5", 6, "'local-1' replaced by 'e1'", "not replaced"
            ),
            (
                queued + [
                    Q.dispatched("m1", "local-1"), Q.acknowledged("m1", made: "local-1", "e1"),
                    Q.replaced("local-1", "e2"),
                ],
                "Q5", 6, "'local-1' replaced by 'e1'", "by 'e2'"
            ),
            (
                queued + [Q.dispatched("m1", "local-1"), Q.acknowledged("m1")],
                "Q5", 6, "'local-1' replaced by the server's id", "not replaced"
            ),
            (
                [Q.signedIn(), Q.started(), Q.dispatched("m1", "local-1")],
                "Q6", 3,
                "offline-queue.mutation-dispatched in pending or sent", "–"
            ),
        ] as [([OfflineQueue.Event], String, Int64, String, String)])
    func faults(
        _ events: [OfflineQueue.Event], _ rule: String, _ position: Int64, _ expected: String,
        _ found: String
    ) throws {
        let finding = try #require(try Self.findings(events).first { $0.rule == rule })
        #expect(finding.position == position)
        #expect(finding.expected == expected)
        #expect(finding.found == found)
        #expect(finding.entity == (rule == "Q6" ? "mutation:m1" : "device:d1"))
    }

    @Test("A write that a person has tried again holds nobody up until it is answered")
    func retried() throws {
        let parked =
            Self.queued + [
                Q.dispatched("m1", "local-1"), Q.rejected("m1", 403, .permanent, parked: true),
                Q.retried("m1"),
            ]
        #expect(try Self.findings(parked).isEmpty)
        #expect(try Self.findings(parked + [Q.dispatched("m1", "local-1", attempt: 2)]).isEmpty)
    }

    @Test("An id that came another way than with the answer is an id")
    func answeredWithoutIds() throws {
        let findings = try Self.findings(
            Self.queued + [
                Q.dispatched("m1", "local-1"), Q.acknowledged("m1"), Q.replaced("local-1", "e1"),
            ])
        #expect(findings.isEmpty)
    }

    @Test("A write is known by its own key, and another's is found")
    func foreignKey() throws {
        let stolen = OfflineQueue.MutationDispatched(
            mutationId: "m1", device: Q.device, attempt: 1, idempotencyKey: "m2",
            entryId: "local-1", babyId: "b", userId: "ana", token: "f1-g0")
        let findings = try Self.findings(Self.queued + [.step(.dispatched(stolen))])
        #expect(findings.map(\.rule) == ["Q3"])
    }
}
