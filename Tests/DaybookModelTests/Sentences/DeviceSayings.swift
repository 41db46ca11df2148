import Daybook

@testable import DaybookModel

extension Session {
    static let sayings: [Saying] = [
        Saying(SignedIn(provider: .kakao, expiresInS: 3_600), "signed in with kakao"),
        Saying(SignedIn(provider: .local), "signed in"),
        Saying(SignedOut(), "signed out"),
        Saying(
            TokensCleared(reason: .refresh418),
            "tokens cleared: 418, the refresh token has expired"),
        Saying(
            RequestRetried(generation: 1, outcomeStatus: 200, family: "f1"),
            "200: request repeated with token f1-g1"),
        Saying(
            TokenExpiryObserved(status: 419, endpoint: "/feeds", usedGeneration: 0, family: "f1"),
            "419: token f1-g0 not accepted by /feeds"),
        Saying(
            TokenRefreshed(toGeneration: 1, latencyMs: 340, family: "f1"),
            "refresh to f1-g1 done in 340 ms"),
        Saying(
            TokenRefreshFailed(
                kind: .invalidGrant, httpStatus: 401, error: "invalid_grant",
                message: SealableText("no"), clearsTokens: true, family: "f1"),
            "401: refresh of f1 failed: the refresh token is not accepted, invalid_grant, "
                + #""no", tokens cleared"#),
        Saying(
            RefreshTokenReuseDetected(
                family: "f1", presentedGeneration: 1, currentGeneration: 3, isWithinGrace: true),
            "old refresh token f1-g1 presented, g3 is valid: nothing revoked"),
        Saying(
            TokenRefreshStarted(fromGeneration: 0, trigger: .http419, family: "f1"),
            "419: refresh f1-g0 started"),
        Saying(
            TokenRefreshJoined(requestId: "r1", family: "f1"),
            "request waits for the refresh of f1"),
    ]
}

extension Launch {
    static let sayings: [Saying] = [
        Saying(
            AppLaunched(appVersion: "1.2.0", osVersion: "17.2", firstLaunch: true),
            "app 1.2.0 launched on iOS 17.2, for the first time"),
        Saying(AppTerminated(cause: .crash), "app crashed"),
        Saying(
            RemoteConfigFetched(source: .network, latencyMs: 1_340),
            "config read from the network: 1.34 s"),
        Saying(
            RemoteConfigFetchFailed(kind: .http, httpStatus: 503, detail: "busy", latencyMs: 90),
            #"503: config not read: an error of the server, 90 ms, "busy""#),
        Saying(NoticeShown(), "notice shown"),
        Saying(NoticeDismissed(action: .close, endsApp: true), "notice closed, the app ends"),
        Saying(
            UpdatePromptShown(kind: .optional, targetVersion: "2.0.0", title: "새 버전"),
            #"optional update to 2.0.0 shown, "새 버전""#),
        Saying(UpdateAccepted(kind: .force), "forced update accepted"),
        Saying(
            OptionalUpdateSkipped(targetVersion: "2.0.0", remember: true),
            "update to 2.0.0 skipped for good"),
        Saying(
            LoginStatusChecked(result: .tokenRefreshFailed), "login checked: token refresh failed"),
        Saying(AppVersionChecked(currentVersion: "2.0.0"), "version 2.0.0 is up to date"),
        Saying(
            AppVersionChecked(
                currentVersion: "1.0.0", result: .needsUpdate, reason: .minVersion,
                minVersion: "2.0.0"), "forced to update: 1.0.0 < 2.0.0"),
        Saying(
            AppVersionChecked(
                currentVersion: "1.5.0", result: .needsUpdate, reason: .blacklist,
                minVersion: "1.0.0"), "forced to update: 1.5.0, may not run"),
        Saying(
            AppVersionChecked(
                currentVersion: "1.0.0", fromCache: true, pending: [.optional, .notice],
                targetVersion: "1.1.0"),
            "version 1.0.0 may run, update to 1.1.0 offered, notice to show, by the last config"),
        Saying(
            AppVersionChecked(result: .maintenance, message: "점검 중"), #"maintenance: "점검 중""#),
        Saying(
            AppVersionChecked(currentVersion: "1.0.0", result: .error, reason: .fetchFailed),
            "version 1.0.0 not checked: fetch failed"),
    ]
}

extension OfflineQueue {
    static let sayings: [Saying] = [
        Saying(
            MutationQueued(number: 3, kind: .update, reason: .behind, wasSent: false),
            "write 3 queued: change of an entry, behind earlier writes"),
        Saying(MutationDispatched(attempt: 2), "write sent, attempt 2"),
        Saying(
            MutationAcknowledged(httpStatus: 200, replayed: true),
            "200: write accepted before, its answer was lost"),
        Saying(
            MutationRejected(
                httpStatus: 503, reason: .transient, notBefore: Saying.seoul("14:05")),
            "503: write not accepted: may be sent again, next attempt at 14:05"),
        Saying(
            MutationRejected(
                httpStatus: 422, reason: .permanent, isParked: true,
                detail: PersonalText("no such baby")),
            #"422: write parked: rejected for good, "no such baby""#),
        Saying(MutationRetried(), "write may be sent again"),
        Saying(MutationDropped(), "write dropped"),
        Saying(
            MutationsCompacted(mutationIds: ["m1", "m2"]),
            "2 unsent writes of a cancelled entry removed"),
        Saying(SyncStarted(), "sending of the queue started"),
        Saying(
            SyncFinished(appliedCount: 3, remainingCount: 0, parkedCount: 1, stop: .empty),
            "sending of the queue ended: nothing left to send, 3 accepted, 1 parked"),
    ]
}

extension Permission {
    static let sayings: [Saying] = [
        Saying(Asked(capability: .photos), "asked for photos"),
        Saying(Answered(capability: .location, answer: .denied), "location: denied"),
        Saying(SpeechInputStarted(), "speech input started"),
        Saying(SpeechInputEnded(), "speech input ended"),
    ]
}

extension Photo {
    static let sayings: [Saying] = [
        Saying(AlbumCreated(), "album created"), Saying(UploadStarted(), "photo upload started"),
        Saying(Uploaded(downloadable: true), "photo uploaded, others may save it"),
    ]
}
