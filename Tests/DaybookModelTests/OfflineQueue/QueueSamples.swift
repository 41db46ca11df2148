import Daybook

@testable import DaybookModel

/// Events and commands of one device, `d1`, whose user `ana` is signed in with Google.
enum QueueSample {
    typealias Queue = OfflineQueue
    static let device = "d1"

    static func queued(
        _ id: String, _ number: Int64, _ entryId: String,
        _ kind: Queue.MutationKind = .createClosed, after maker: String? = nil,
        user: String? = "ana",
        baby: String = "b", reason: Queue.QueueReason = .behind, wasSent: Bool = false,
        body: UInt64 = 0
    ) -> Queue.Event {
        .step(
            .queued(
                Queue.MutationQueued(
                    mutationId: id, device: device, number: number, kind: kind, entryId: entryId,
                    babyId: baby, userId: user, reason: reason, wasSent: wasSent,
                    dependsOn: maker, payloadDigest: Digest(bits: body))))
    }

    static func signedIn(
        _ user: String = "ana", _ provider: Session.Provider = .google, family: String = "f1"
    ) -> Queue.Event {
        .session(
            .signedIn(
                Session.SignedIn(
                    userId: user, provider: provider, family: family, expiresInS: 3_600,
                    device: device)))
    }

    static let cleared = Queue.Event.session(
        .tokensCleared(
            Session.TokensCleared(reason: .unauthorized, family: "f1", device: device)))

    static func started(user: String? = "ana") -> Queue.Event {
        .step(.syncStarted(Queue.SyncStarted(device: device, userId: user)))
    }

    static func finished(
        _ stop: Queue.StopReason, applied: Int64 = 0, remaining: Int64 = 0, parked: Int64 = 0
    ) -> Queue.Event {
        .step(
            .syncFinished(
                Queue.SyncFinished(
                    device: device, appliedCount: applied, remainingCount: remaining,
                    parkedCount: parked, stop: stop)))
    }

    static func dispatched(
        _ id: String, _ entryId: String, attempt: Int64 = 1, token: String = "f1-g0",
        baby: String = "b"
    ) -> Queue.Event {
        .step(
            .dispatched(
                Queue.MutationDispatched(
                    mutationId: id, device: device, attempt: attempt, idempotencyKey: id,
                    entryId: entryId, babyId: baby, userId: "ana", token: token)))
    }

    static func acknowledged(
        _ id: String, _ status: Int64 = 201, made localId: String? = nil,
        _ remoteId: String? = nil, replayed: Bool = false
    ) -> Queue.Event {
        .step(
            .acknowledged(
                Queue.MutationAcknowledged(
                    mutationId: id, device: device, httpStatus: status, localId: localId,
                    remoteId: remoteId, replayed: replayed, babyId: "b")))
    }

    static func replaced(_ localId: String, _ remoteId: String) -> Queue.Event {
        .idReplaced(
            Household.IdReplaced(kind: .careEntry, localId: localId, remoteId: remoteId))
    }

    static func rejected(
        _ id: String, _ status: Int64? = nil, _ reason: Queue.Rejection, parked: Bool = false,
        by cause: String? = nil, notBefore: Instant? = nil
    ) -> Queue.Event {
        .step(
            .rejected(
                Queue.MutationRejected(
                    mutationId: id, device: device, babyId: "b", httpStatus: status,
                    reason: reason, isParked: parked, blockedBy: cause, notBefore: notBefore)))
    }

    static func retried(_ id: String) -> Queue.Event {
        .step(.retried(Queue.MutationRetried(mutationId: id, device: device)))
    }

    static func refreshed(_ generation: Int64) -> Queue.Event {
        .session(
            .tokenRefreshed(
                Session.TokenRefreshed(
                    refreshId: "f1-g\(generation - 1)", toGeneration: generation,
                    expiresInS: 3_600, family: "f1", device: device)))
    }

    static let refreshing = Queue.Event.session(
        .tokenRefreshStarted(
            Session.TokenRefreshStarted(
                refreshId: "f1-g0", trigger: .http419, family: "f1", device: device)))

    static func answer(
        _ status: Int64?, to id: String = "m1", attempt: Int64? = nil, remoteId: String? = nil,
        retryAfterS: Int64? = nil, rules: Rules = .standard
    ) -> Queue.RecordAnswer {
        Queue.RecordAnswer(
            device: device, mutationId: id, attempt: attempt, httpStatus: status,
            remoteId: remoteId, retryAfterS: retryAfterS, rules: rules)
    }

    static func write(
        _ id: String, _ kind: String = "event_create_closed", _ entryId: String = "local-9",
        baby: String = "b", body: UInt64 = 0, failure: Queue.NoAnswerReason? = nil,
        status: Int64? = nil, rules: Rules = .standard
    ) -> Queue.QueueMutation {
        Queue.QueueMutation(
            mutationId: id, device: device, kind: kind, entryId: entryId, babyId: baby,
            payloadDigest: Digest(bits: body), failure: failure, httpStatus: status, rules: rules)
    }

    static func at(s seconds: Int64) -> Instant {
        Instant(microseconds: seconds * 1_000_000)
    }
}
