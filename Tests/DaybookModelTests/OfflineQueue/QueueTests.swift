import Daybook
import DaybookTesting
import Testing

@testable import DaybookModel

// Holds: s4-mutation-kinds, s4-local-ids, s4-parked
/// What is queued, what goes out next, and what a person may do about it.
@Suite("Offline queue") struct QueueTests {
    private typealias Q = QueueSample
    private typealias Sentence = CommandExample<OfflineQueue>

    @Test(arguments: [
        Sentence(
            "A write is queued while nobody is signed in", when: Q.write("m1"),
            then: .events([Q.queued("m1", 1, "local-9", user: nil, reason: .notLinked)])),
        Sentence(
            "A write is queued while the sign-in is none with Google",
            given: [Q.signedIn("ana", .kakao)], when: Q.write("m1"),
            then: .events([Q.queued("m1", 1, "local-9", reason: .notLinked)])),
        Sentence(
            "A write is queued while the baby has no id of the server's",
            given: [Q.signedIn()], when: Q.write("m1", baby: "offline_b"),
            then: .events([
                Q.queued("m1", 1, "local-9", baby: "offline_b", reason: .notLinked)
            ])),
        Sentence(
            "A write goes out at once when linked", given: [Q.signedIn()], when: Q.write("m1"),
            then: .events([])),
        Sentence(
            "A write to which no answer came is queued as sent before", given: [Q.signedIn()],
            when: Q.write("m1", failure: .network),
            then: .events([Q.queued("m1", 1, "local-9", reason: .network, wasSent: true)])),
        Sentence(
            "A write that was answered is the user's to see", given: [Q.signedIn()],
            when: Q.write("m1", status: 503), then: .events([])),
        Sentence(
            "A write waits behind others", given: [Q.signedIn(), Q.queued("m1", 1, "local-1")],
            when: Q.write("m2"), then: .events([Q.queued("m2", 2, "local-9")])),
        Sentence(
            "A write does not wait behind those of another user",
            given: [Q.queued("m1", 1, "local-1"), Q.signedIn("ben")], when: Q.write("m2"),
            then: .events([])),
        Sentence(
            "By the source a write goes out past those that wait",
            given: [Q.signedIn(), Q.queued("m1", 1, "local-1")],
            when: Q.write("m2", rules: .source), then: .events([])),
        Sentence(
            "A write given twice is queued once",
            given: [Q.queued("m1", 1, "local-9", body: 7)], when: Q.write("m1", body: 7),
            then: .events([])),
        Sentence(
            "A second body under one id is refused",
            given: [Q.queued("m1", 1, "local-9", body: 7)], when: Q.write("m1", body: 8),
            then: .refused("otherPayload")),
        Sentence(
            "A write depends on the one that makes its entry",
            given: [Q.queued("m1", 1, "local-1", .start, user: nil)],
            when: Q.write("m2", "event_complete", "local-1"),
            then: .events([
                Q.queued(
                    "m2", 2, "local-1", .complete, after: "m1", user: nil, reason: .notLinked)
            ])),
        Sentence(
            "A write about a parked entry is parked with it",
            given: [
                Q.signedIn(), Q.queued("m1", 1, "local-1", .start),
                Q.rejected("m1", 409, .permanent, parked: true),
            ],
            when: Q.write("m2", "complete", "local-1"),
            then: .events([
                Q.queued("m2", 2, "local-1", .complete, after: "m1"),
                Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            ])),
        Sentence(
            "A write about an entry that nothing makes is refused",
            when: Q.write("m1", "event_cancel", "local-1"), then: .refused("unknownEntry")),
        Sentence(
            "A write about an entry of the server's needs nothing that makes it",
            when: Q.write("m1", "event_cancel", "e7"),
            then: .events([Q.queued("m1", 1, "e7", .cancel, user: nil, reason: .notLinked)])),
        Sentence(
            "An unknown kind is refused", when: Q.write("m1", "event_merge"),
            then: .refused("unknownKind")),
        Sentence(
            "An empty id is refused", when: Q.write("m1", "event_cancel", ""),
            then: .refused("idMissing")),
    ])
    private func queues(_ example: Sentence) { example.check() }

    private static let waiting: [OfflineQueue.Event] = [
        Q.signedIn(), Q.queued("m1", 1, "local-1"),
    ]

    @Test(arguments: [
        Sentence(
            "An empty queue has nothing to send", given: [Q.signedIn()],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([])),
        Sentence(
            "A queue is sent as the user who is signed in", given: waiting,
            when: OfflineQueue.StartSync(device: Q.device), then: .events([Q.started()])),
        Sentence(
            "One run is under way at a time", given: waiting + [Q.started()],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([])),
        Sentence(
            "A write that is not due yet is not sent",
            given: waiting + [
                Q.started(), Q.dispatched("m1", "local-1"),
                Q.rejected("m1", 500, .transient, notBefore: Q.at(s: 2)), Q.finished(.network),
            ],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([]), now: Q.at(s: 1)),
        Sentence(
            "A write that is due is sent",
            given: waiting + [
                Q.started(), Q.dispatched("m1", "local-1"),
                Q.rejected("m1", 500, .transient, notBefore: Q.at(s: 2)), Q.finished(.network),
            ],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([Q.started()]),
            now: Q.at(s: 2)),
        Sentence(
            "A write waits for its user, whoever else is signed in",
            given: [Q.queued("m1", 1, "local-1"), Q.signedIn("ben")],
            when: OfflineQueue.StartSync(device: Q.device),
            then: .events([Q.started(user: nil), Q.finished(.auth, remaining: 1)])),
        Sentence(
            "The reason to wait is told once",
            given: [
                Q.queued("m1", 1, "local-1"), Q.signedIn("ben"), Q.started(user: nil),
                Q.finished(.auth, remaining: 1),
            ],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([])),
        Sentence(
            "A write that was not authorised waits although a token is there",
            given: waiting + [
                Q.started(), Q.dispatched("m1", "local-1"), Q.rejected("m1", 401, .auth),
                Q.finished(.auth),
            ],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([])),
        Sentence(
            "It goes on after the next sign-in of its user",
            given: waiting + [
                Q.started(), Q.dispatched("m1", "local-1"), Q.rejected("m1", 401, .auth),
                Q.finished(.auth), Q.cleared, Q.signedIn(family: "f2"),
            ],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([Q.started()])),
        Sentence(
            "A new process of the app ends the run of the one before",
            given: waiting + [
                Q.started(), Q.dispatched("m1", "local-1"),
                .appLaunched(Launch.AppLaunched(launchId: "l2", device: Q.device)),
            ],
            when: OfflineQueue.StartSync(device: Q.device), then: .events([Q.started()])),
    ])
    private func starts(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "Nothing goes out without a run", given: waiting,
            when: OfflineQueue.DispatchNext(device: Q.device), then: .events([])),
        Sentence(
            "The first write goes out under its own key", given: waiting + [Q.started()],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.dispatched("m1", "local-1")])),
        Sentence(
            "One write is on its way at a time",
            given: waiting + [
                Q.queued("m2", 2, "local-2"), Q.started(), Q.dispatched("m1", "local-1"),
            ],
            when: OfflineQueue.DispatchNext(device: Q.device), then: .events([])),
        Sentence(
            "A write names its entry and its baby as the server knows them",
            given: [
                Q.signedIn(), Q.queued("m1", 1, "local-1", .start, baby: "offline_b"),
                Q.queued("m2", 2, "local-1", .complete, after: "m1", baby: "offline_b"),
                .idReplaced(
                    Household.IdReplaced(kind: .baby, localId: "offline_b", remoteId: "b")),
                Q.started(), Q.dispatched("m1", "local-1"),
                Q.acknowledged("m1", made: "local-1", "e1"), Q.replaced("local-1", "e1"),
            ],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.dispatched("m2", "e1")])),
        Sentence(
            "A write whose entry nothing makes is parked",
            given: [
                Q.signedIn(), Q.queued("m1", 1, "local-1", .cancel), Q.started(),
            ],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.rejected("m1", nil, .unmapped, parked: true)])),
        Sentence(
            "An empty queue ends the run",
            given: waiting + [
                Q.started(), Q.dispatched("m1", "local-1"),
                Q.acknowledged("m1", made: "local-1", "e1"),
            ],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.finished(.empty, applied: 1)])),
    ])
    private func dispatches(_ example: Sentence) { example.check() }

    private static let made: [OfflineQueue.Event] = [
        Q.queued("m1", 1, "local-1", .start, user: nil),
        Q.queued("m2", 2, "local-1", .complete, after: "m1", user: nil),
        Q.queued("m3", 3, "local-1", .cancel, after: "m1", user: nil),
    ]

    private static func compacted(_ ids: [String]) -> OfflineQueue.Event {
        .step(
            .compacted(
                OfflineQueue.MutationsCompacted(
                    device: Q.device, entryId: "local-1", mutationIds: ids)))
    }

    @Test(arguments: [
        Sentence(
            "What was made and deleted is not sent", given: made,
            when: OfflineQueue.CompactQueue(device: Q.device),
            then: .events([compacted(["m1", "m2", "m3"])])),
        Sentence(
            "What was deleted and brought back is sent",
            given: made + [Q.queued("m4", 4, "local-1", .update, after: "m1", user: nil)],
            when: OfflineQueue.CompactQueue(device: Q.device), then: .events([])),
        Sentence(
            "What may have been sent is sent again",
            given: [
                Q.queued("m1", 1, "local-1", .start, wasSent: true),
                Q.queued("m2", 2, "local-1", .cancel, after: "m1"),
            ],
            when: OfflineQueue.CompactQueue(device: Q.device), then: .events([])),
    ])
    private func compacts(_ example: Sentence) { example.check() }

    private static let parked =
        made + [
            Q.rejected("m1", 409, .permanent, parked: true),
            Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            Q.rejected("m3", nil, .blocked, parked: true, by: "m1"),
        ]

    @Test(arguments: [
        Sentence(
            "A parked write is tried again with those that depend on it", given: parked,
            when: OfflineQueue.RetryMutation(device: Q.device, mutationId: "m1"),
            then: .events(["m1", "m2", "m3"].map(Q.retried))),
        Sentence(
            "A write is not tried again while what it depends on is parked", given: parked,
            when: OfflineQueue.RetryMutation(device: Q.device, mutationId: "m2"),
            then: .refused("blocked")),
        Sentence(
            "A write that waits cannot be dropped", given: made,
            when: OfflineQueue.DropMutation(device: Q.device, mutationId: "m1"),
            then: .refused("notParked")),
        Sentence(
            "A dropped write alone leaves the others parked", given: parked,
            when: OfflineQueue.DropMutation(device: Q.device, mutationId: "m2"),
            then: .events([
                .step(
                    .dropped(OfflineQueue.MutationDropped(mutationId: "m2", device: Q.device)))
            ])),
    ])
    private func parks(_ example: Sentence) { example.check() }

    /// Two writes about an entry of the server's, the first of which is refused.
    private static let refused: [OfflineQueue.Event] = [
        Q.signedIn(), Q.queued("m1", 1, "e7", .update), Q.queued("m2", 2, "e7", .update),
        Q.queued("m3", 3, "e8", .update), Q.started(), Q.dispatched("m1", "e7"),
    ]

    private static let held =
        refused + [
            Q.rejected("m1", 422, .permanent, parked: true),
            Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
        ]

    @Test(arguments: [
        Sentence(
            "A later write about the entry is held behind a refused one", given: refused,
            when: Q.answer(422),
            then: .events([
                Q.rejected("m1", 422, .permanent, parked: true),
                Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            ])),
        Sentence(
            "A write about another entry goes on", given: held,
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.dispatched("m3", "e8")])),
        Sentence(
            "A new write about the entry of a parked one is held behind it", given: held,
            when: Q.write("m4", "update", "e7"),
            then: .events([
                Q.queued("m4", 4, "e7", .update),
                Q.rejected("m4", nil, .blocked, parked: true, by: "m1"),
            ])),
        Sentence(
            "A write under the server's id is held behind one under the device's",
            given: [
                Q.signedIn(), Q.replaced("local-1", "e7"), Q.queued("m1", 1, "local-1", .update),
                Q.rejected("m1", 422, .permanent, parked: true),
            ],
            when: Q.write("m2", "update", "e7"),
            then: .events([
                Q.queued("m2", 2, "e7", .update),
                Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            ])),
        Sentence(
            "A parked write is tried again in front of those held behind it", given: held,
            when: OfflineQueue.RetryMutation(device: Q.device, mutationId: "m1"),
            then: .events(["m1", "m2"].map(Q.retried))),
        Sentence(
            "A held write is not tried again alone", given: held,
            when: OfflineQueue.RetryMutation(device: Q.device, mutationId: "m2"),
            then: .refused(
                "blocked",
                "the write 'm2' cannot be sent before 'm1', an earlier write about its entry that "
                    + "was rejected; retry or drop that write first")),
        Sentence(
            "Giving a parked write up lets those go that were held behind it", given: held,
            when: OfflineQueue.DropMutation(device: Q.device, mutationId: "m1"),
            then: .events([
                .step(
                    .dropped(OfflineQueue.MutationDropped(mutationId: "m1", device: Q.device))),
                Q.retried("m2"),
            ])),
        Sentence(
            "A late answer to a parked write lets those go that were held behind it",
            given: held, when: Q.answer(200),
            then: .events([Q.acknowledged("m1", 200), Q.retried("m2")])),
        Sentence(
            "A write that an earlier release left waiting is held before it goes out",
            given: [
                Q.signedIn(), Q.queued("m1", 1, "e7", .update), Q.queued("m2", 2, "e7", .update),
                Q.started(), Q.rejected("m1", 422, .permanent, parked: true),
            ],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.rejected("m2", nil, .blocked, parked: true, by: "m1")])),
    ])
    private func holds(_ example: Sentence) { example.check() }

    @Test("Writes keep their order of queueing when they are tried again")
    func order() {
        let events =
            Self.parked + [Q.queued("m4", 4, "local-4")] + ["m3", "m1", "m2"].map(Q.retried)
        let state = events.reduce(into: OfflineQueue.State()) {
            OfflineQueue.evolve(
                &$0, with: $1,
                Envelope(position: .origin, occurredAt: .epoch, recordedAt: .epoch))
        }
        #expect(state.pending.map(\.mutationId) == ["m1", "m2", "m3", "m4"])
        #expect(state.parked.isEmpty)
    }
}
