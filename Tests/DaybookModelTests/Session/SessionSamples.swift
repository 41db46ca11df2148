import Daybook

@testable import DaybookModel

/// Events that the session tests say often. They all belong to one device and one family.
enum SessionSample {
    static let device = "d1"
    static let family = "f1"

    /// No SHA-256 here: a digest only has to tell texts apart.
    static let input = InputRules(
        digest: { $0.utf8.reduce(5_381) { $0 &* 33 ^ UInt64($1) } }, normalise: { $0 })

    static func digest(_ text: String) -> Digest { Digest(bits: input.digest(text)) }

    static func instant(s seconds: Int64) -> Instant {
        Instant(microseconds: seconds * 1_000_000)
    }

    static let signedIn = Device.Event.session(
        .signedIn(
            Session.SignedIn(
                userId: "u1", provider: .kakao, family: family, accessHash: digest("access"),
                refreshHash: digest("current_refresh_token"), expiresInS: 3_600,
                accessExpires: instant(s: 3_600), device: device)))

    static let signIn = Session.SignIn(
        userId: "u1", provider: .kakao, family: family, device: device,
        accessHash: digest("access"), refreshHash: digest("current_refresh_token"),
        expiresInS: 3_600)

    /// A launch that has come to the login.
    static func atLogin(_ launch: String, on device: String = device) -> [Device.Event] {
        [launched(launch, on: device), versionChecked(launch, .upToDate, on: device)]
    }

    static func launched(_ launch: String, on device: String = device) -> Device.Event {
        .launch(.appLaunched(launchApp(launch, on: device)))
    }

    static func launchApp(_ launch: String, on device: String = device) -> Launch.AppLaunched {
        Launch.AppLaunched(launchId: launch, appVersion: "1.0.0", device: device)
    }

    static func versionChecked(
        _ launch: String, _ result: Launch.VersionResult, pending: [Launch.PendingStep] = [],
        on device: String = device
    ) -> Device.Event {
        .launch(
            .appVersionChecked(
                Launch.AppVersionChecked(
                    launchId: launch, device: device, currentVersion: "1.0.0", result: result,
                    pending: pending)))
    }

    static func terminated(
        _ launch: String, _ cause: Launch.TerminationCause = .replaced
    ) -> Device.Event {
        .launch(.appTerminated(Launch.AppTerminated(launchId: launch, cause: cause)))
    }

    static func abandoned(_ id: String = "f1-g0") -> Device.Event {
        .session(
            .tokenRefreshFailed(
                Session.TokenRefreshFailed(
                    refreshId: id, kind: .abandoned, family: family, device: device)))
    }

    static func observed(
        _ request: String, _ status: Int64 = 419, generation: Int64 = 0,
        _ rules: Rules = .standard
    ) -> Device.Event {
        .session(
            .tokenExpiryObserved(
                Session.TokenExpiryObserved(
                    requestId: request, status: status, endpoint: "/stores",
                    usedGeneration: generation, rules: rules, family: family, device: device)))
    }

    static func started(
        _ trigger: Session.RefreshTrigger = .http419, id: String = "f1-g0",
        from generation: Int64 = 0, token: String = "current_refresh_token",
        request: String? = nil, launch: String? = nil
    ) -> Device.Event {
        .session(
            .tokenRefreshStarted(
                Session.TokenRefreshStarted(
                    refreshId: id, fromGeneration: generation, trigger: trigger,
                    refreshHash: digest(token), requestId: request, launchId: launch,
                    family: family,
                    device: device)))
    }

    static func joined(
        _ id: String = "f1-g0", request: String? = nil, launch: String? = nil
    ) -> Device.Event {
        .session(
            .tokenRefreshJoined(
                Session.TokenRefreshJoined(
                    refreshId: id, requestId: request, launchId: launch, family: family,
                    device: device)))
    }

    static func refreshed(_ id: String = "f1-g0", to generation: Int64 = 1) -> Device.Event {
        .session(
            .tokenRefreshed(
                Session.TokenRefreshed(
                    refreshId: id, toGeneration: generation, accessHash: digest("new access"),
                    refreshHash: digest("new refresh"), expiresInS: 3_600,
                    accessExpires: instant(s: 3_600), latencyMs: 300, family: family, device: device
                )))
    }

    static func failed(
        _ kind: Session.RefreshFailure, _ status: Int64? = nil,
        cleared: Bool, _ rules: Rules = .standard
    ) -> Device.Event {
        .session(
            .tokenRefreshFailed(
                Session.TokenRefreshFailed(
                    refreshId: "f1-g0", kind: kind, httpStatus: status, clearsTokens: cleared,
                    rules: rules, family: family, device: device)))
    }

    static func cleared(_ reason: Session.ClearReason) -> Device.Event {
        .session(
            .tokensCleared(
                Session.TokensCleared(reason: reason, family: family, device: device)))
    }

    static func checked(
        _ launch: String, _ result: Launch.LoginResult, _ refresh: String? = nil
    ) -> Device.Event {
        .session(
            .loginStatusChecked(
                Launch.LoginStatusChecked(
                    launchId: launch, result: result, refreshId: refresh, device: device)))
    }

    static let signedOut = Device.Event.session(
        .signedOut(Session.SignedOut(userId: "u1", family: family, device: device)))

    static func reuse(
        _ presented: Int64, _ current: Int64, withinGrace: Bool
    ) -> Device.Event {
        .session(
            .refreshTokenReuseDetected(
                Session.RefreshTokenReuseDetected(
                    family: family, presentedGeneration: presented, currentGeneration: current,
                    isWithinGrace: withinGrace, device: device)))
    }

    static func observe(
        _ request: String, _ status: Int64?, generation: Int64? = nil,
        _ rules: Rules = .standard
    ) -> Session.ObserveExpiry {
        Session.ObserveExpiry(
            requestId: request, device: device, endpoint: "/stores", status: status,
            usedGeneration: generation, rules: rules)
    }

    static func record(_ id: String = "f1-g0") -> Session.RecordRefresh {
        Session.RecordRefresh(
            device: device, refreshId: id, accessHash: digest("new access"),
            refreshHash: digest("new refresh"), expiresInS: 3_600, latencyMs: 300)
    }

    static func fail(
        _ kind: Session.RefreshFailure, _ status: Int64? = nil,
        _ rules: Rules = .standard
    ) -> Session.RecordRefreshFailure {
        Session.RecordRefreshFailure(
            device: device, refreshId: "f1-g0", kind: kind, httpStatus: status, rules: rules)
    }

    static func check(
        _ launch: String, marginS: Int64? = nil, _ rules: Rules = .standard
    ) -> Session.CheckLogin {
        Session.CheckLogin(
            launchId: launch, device: device, refreshIfExpiresWithinS: marginS, rules: rules)
    }

    static func retry(_ request: String, _ status: Int64? = 200) -> Session.RecordRetry {
        Session.RecordRetry(device: device, requestId: request, outcomeStatus: status)
    }

    static func present(_ generation: Int64, token: String? = nil) -> Session.PresentRefreshToken {
        Session.PresentRefreshToken(
            family: family, generation: generation, accessHash: token.map(digest),
            refreshHash: token.map(digest), expiresInS: token.map { _ in 3_600 })
    }
}
