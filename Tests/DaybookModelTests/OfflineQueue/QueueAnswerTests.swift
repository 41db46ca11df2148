import Daybook
import DaybookTesting
import Testing

@testable import DaybookModel

// Holds: s4-parked, s4-network-failure, s4-forbidden
/// The table of answers, row by row: what becomes of the write, and of those behind it.
@Suite("Answers to queued writes") struct QueueAnswerTests {
    private typealias Q = QueueSample
    private typealias Sentence = CommandExample<OfflineQueue>

    /// The entry's start is on its way; its end and another entry wait.
    private static let sent: [OfflineQueue.Event] = [
        Q.signedIn(), Q.queued("m1", 1, "local-1", .start),
        Q.queued("m2", 2, "local-1", .complete, after: "m1"), Q.queued("m3", 3, "local-3"),
        Q.started(), Q.dispatched("m1", "local-1"),
    ]

    @Test(
        "A success takes the write out, and its id replaces the device's in the same commit",
        arguments: [200, 201, 204, 299] as [Int64])
    func success(_ status: Int64) {
        Sentence(
            "\(status) acknowledges", given: Self.sent, when: Q.answer(status, remoteId: "e1"),
            then: .events([
                Q.acknowledged("m1", status, made: "local-1", "e1"), Q.replaced("local-1", "e1"),
            ])
        ).check()
    }

    @Test(
        "No answer, or one to try again after, keeps the write and ends the run",
        arguments: [nil, 0, -1, 408, 425, 429, 500, 502, 503, 504, 599] as [Int64?])
    func transient(_ status: Int64?) {
        Sentence(
            "\(status ?? 0) waits a second", given: Self.sent, when: Q.answer(status),
            then: .events([
                Q.rejected("m1", status, .transient, notBefore: Q.at(s: 101)),
                Q.finished(.network, remaining: 3),
            ]), now: Q.at(s: 100)
        ).check()
    }

    @Test(
        "A refusal parks the write and those that depend on it, and the run goes on",
        arguments: [302, 400, 402, 403, 404, 405, 409, 410, 415, 422, 451, 999] as [Int64])
    func permanent(_ status: Int64) {
        Sentence(
            "\(status) parks", given: Self.sent, when: Q.answer(status),
            then: .events([
                Q.rejected("m1", status, .permanent, parked: true),
                Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            ])
        ).check()
    }

    @Test("401 and 418 keep the write and wait for a sign-in", arguments: [401, 418] as [Int64])
    func unauthorised(_ status: Int64) {
        Sentence(
            "\(status) stops", given: Self.sent, when: Q.answer(status),
            then: .events([Q.rejected("m1", status, .auth), Q.finished(.auth, remaining: 3)])
        ).check()
    }

    @Test(
        "Waits double from a second, and the eighth failure parks",
        arguments: zip(0...7 as ClosedRange<Int>, [1, 2, 4, 8, 16, 32, 64, nil] as [Int64?]))
    func backsOff(_ failures: Int, _ waitS: Int64?) {
        let earlier = (0..<failures).flatMap { index in
            [
                Q.rejected("m1", 500, .transient), Q.finished(.network), Q.started(),
                Q.dispatched("m1", "local-1", attempt: Int64(index) + 2),
            ]
        }
        let expected: [OfflineQueue.Event] =
            waitS.map {
                [
                    Q.rejected("m1", 500, .transient, notBefore: Q.at(s: 1_000 + $0)),
                    Q.finished(.network, remaining: 3),
                ]
            } ?? [
                Q.rejected("m1", 500, .transient, parked: true),
                Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            ]
        Sentence(
            "after \(failures) failures", given: Self.sent + earlier, when: Q.answer(500),
            then: .events(expected), now: Q.at(s: 1_000)
        ).check()
    }

    @Test("A server's own wait replaces the doubled one", arguments: [0, 17, 7_200] as [Int64])
    func retryAfter(_ seconds: Int64) {
        Sentence(
            "Retry-After: \(seconds)", given: Self.sent,
            when: Q.answer(429, retryAfterS: seconds),
            then: .events([
                Q.rejected("m1", 429, .transient, notBefore: Q.at(s: 50 + seconds)),
                Q.finished(.network, remaining: 3),
            ]), now: Q.at(s: 50)
        ).check()
    }

    private static let expired = sent + [Q.rejected("m1", 419, .refresh)]

    @Test(arguments: [
        Sentence(
            "A 419 keeps the write and leaves the run under way", given: sent,
            when: Q.answer(419), then: .events([Q.rejected("m1", 419, .refresh)])),
        Sentence(
            "Nothing goes out while the token is being refreshed",
            given: expired + [Q.refreshing],
            when: OfflineQueue.DispatchNext(device: Q.device), then: .events([])),
        Sentence(
            "The same attempt goes out with the new token",
            given: expired + [Q.refreshing, Q.refreshed(1)],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.dispatched("m1", "local-1", token: "f1-g1")])),
        Sentence(
            "A second 419 to one attempt waits like an error of the server",
            given: expired + [
                Q.refreshing, Q.refreshed(1), Q.dispatched("m1", "local-1", token: "f1-g1"),
            ],
            when: Q.answer(419),
            then: .events([
                Q.rejected("m1", 419, .transient, notBefore: Q.at(s: 1)),
                Q.finished(.network, remaining: 3),
            ])),
        Sentence(
            "A refresh without a token keeps the write for later", given: expired,
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([
                Q.rejected("m1", 419, .transient, notBefore: Q.at(s: 1)),
                Q.finished(.network, remaining: 3),
            ])),
        Sentence(
            "A refresh that costs the tokens waits for a sign-in", given: expired + [Q.cleared],
            when: OfflineQueue.DispatchNext(device: Q.device),
            then: .events([Q.finished(.auth, remaining: 3)])),
    ])
    private func refreshes(_ example: Sentence) { example.check() }

    private static let lost =
        sent + [
            Q.finished(.lost), Q.started(), Q.dispatched("m1", "local-1", attempt: 2),
        ]

    @Test(arguments: [
        Sentence(
            "A late success to an earlier attempt counts", given: lost,
            when: Q.answer(201, attempt: 1, remoteId: "e1"),
            then: .events([
                Q.acknowledged("m1", made: "local-1", "e1"), Q.replaced("local-1", "e1"),
            ])),
        Sentence(
            "A late refusal of an earlier attempt decides nothing", given: lost,
            when: Q.answer(409, attempt: 1), then: .events([])),
        Sentence(
            "A success that comes twice counts once",
            given: sent + [Q.acknowledged("m1", made: "local-1", "e1")],
            when: Q.answer(201, remoteId: "e1"), then: .events([])),
        Sentence(
            "A late success to a parked write frees those that depend on it",
            given: sent + [
                Q.rejected("m1", 500, .transient, parked: true),
                Q.rejected("m2", nil, .blocked, parked: true, by: "m1"),
            ],
            when: Q.answer(201, attempt: 1, remoteId: "e1"),
            then: .events([
                Q.acknowledged("m1", made: "local-1", "e1"), Q.replaced("local-1", "e1"),
                Q.retried("m2"),
            ])),
        Sentence(
            "An answer to what was never sent is refused", given: [Q.queued("m1", 1, "local-1")],
            when: Q.answer(201, remoteId: "e1"), then: .refused("notSent")),
        Sentence(
            "An answer to an attempt that never was is refused", given: sent,
            when: Q.answer(201, attempt: 2, remoteId: "e1"), then: .refused("notSent")),
        Sentence(
            "An answer to an unknown write is refused", when: Q.answer(200),
            then: .refused("unknownMutation")),
        Sentence(
            "A success that names no entry counts as no answer", given: sent,
            when: Q.answer(201), then: .refused("remoteIdMissing")),
        Sentence(
            "An entry with an id of the server's gets no other",
            given: sent + [Q.replaced("local-1", "e0")], when: Q.answer(201, remoteId: "e1"),
            then: .events([Q.acknowledged("m1", made: "local-1", "e1")])),
    ])
    private func late(_ example: Sentence) { example.check() }

    @Test(
        "By the source any error keeps the write at the head and ends the run",
        arguments: [nil, 400, 401, 409, 419, 500] as [Int64?])
    func bySource(_ status: Int64?) {
        var history = Self.sent
        history[5] = .step(
            .dispatched(
                OfflineQueue.MutationDispatched(
                    mutationId: "m1", device: Q.device, attempt: 1, entryId: "local-1",
                    babyId: "b", userId: "ana", token: "f1-g0", rules: .source)))
        let state = history.reduce(into: OfflineQueue.State()) {
            OfflineQueue.evolve(
                &$0, with: $1,
                Envelope(position: .origin, occurredAt: .epoch, recordedAt: .epoch))
        }
        #expect(throws: Never.self) {
            let events = try Q.answer(status, rules: .source).decide(state, now: .epoch)
            guard case .step(.rejected(let rejected)) = events.first,
                case .step(.syncFinished(let finished)) = events.last
            else {
                Issue.record("expected a rejection and the end of the run, found \(events)")
                return
            }
            #expect(events.count == 2 && !rejected.isParked && rejected.notBefore == nil)
            #expect(finished.stop == .error && finished.remainingCount == 3)
        }
    }
}
