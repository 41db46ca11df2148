import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-refresh-failure, s0-token-deletion, s3-refresh-without-interceptor, s3-lost-refresh,
// s3-answer-418, s3-refresh-offline, s3-tokens-in-the-event
@Suite struct RefreshFailureTests {
    private typealias S = SessionSample

    struct Row: Sendable, CustomTestStringConvertible {
        var kind: Session.RefreshFailure
        var status: Int64?
        /// Why the tokens go; `nil` where they are kept.
        var standard: Session.ClearReason?
        var source: Session.ClearReason

        var testDescription: String { "\(kind.name) \(status.map(String.init) ?? "")" }
    }

    @Test(arguments: [
        Row(kind: .expired, standard: .expired, source: .expired),
        Row(kind: .expired, status: 418, standard: .refresh418, source: .refresh418),
        Row(kind: .invalidGrant, standard: .unauthorized, source: .unauthorized),
        Row(kind: .invalidGrant, status: 401, standard: .unauthorized, source: .unauthorized),
        Row(kind: .invalidGrant, status: 403, standard: .forbidden, source: .forbidden),
        Row(kind: .server, status: 403, standard: .forbidden, source: .forbidden),
        Row(kind: .reuse, standard: .reuse, source: .reuse),
        Row(kind: .network, source: .seedCompat),
        Row(kind: .timeout, source: .seedCompat),
        Row(kind: .server, status: 500, source: .seedCompat),
        Row(kind: .server, status: 419, source: .seedCompat),
    ])
    func clears(_ row: Row) {
        for rules in Rules.allCases {
            let reason = rules == .standard ? row.standard : row.source
            let failed = S.failed(row.kind, row.status, cleared: reason != nil, rules)
            CommandExample<Device>(
                "\(rules.name): \(row.testDescription)", given: [S.signedIn, S.started()],
                when: S.fail(row.kind, row.status, rules),
                then: .events([failed] + (reason.map { [S.cleared($0)] } ?? []))
            ).check()
        }
    }

    @Test("A refresh without an answer is lost after a minute")
    func aRefreshWithoutAnAnswerIsLostAfterAMinute() {
        for (seconds, isLost) in [(60, false), (61, true)] as [(Int64, Bool)] {
            var log = SessionLog()
            log.append(
                [S.signedIn, S.observed("r1"), S.started(request: "r1")], at: S.instant(s: 0))
            let result = log.run(S.observe("r2", 419), at: S.instant(s: seconds))
            let lost = Device.Event.session(
                .tokenRefreshFailed(
                    Session.TokenRefreshFailed(
                        refreshId: "f1-g0", kind: .timeout,
                        message: SealableText("no answer within 60 s"),
                        clearsTokens: false, rules: .standard, family: S.family,
                        device: S.device)))
            #expect(
                result
                    == .success(
                        isLost
                            ? [S.observed("r2"), lost, S.started(id: "f1-g0-2", request: "r2")]
                            : [S.observed("r2"), S.joined(request: "r2")]))
        }
    }

    @Test("A refresh that a client reports as abandoned keeps the tokens under every rule set")
    func abandonedKeepsTheTokens() {
        for rules in Rules.allCases {
            CommandExample<Device>(
                rules.name, given: [S.signedIn, S.started()],
                when: S.fail(.abandoned, nil, rules),
                then: .events([S.failed(.abandoned, cleared: false, rules)])
            ).check()
        }
    }

    @Test("By the source's rules a refresh without an answer waits for ever")
    func theSourceWaitsForEver() {
        var log = SessionLog()
        log.append([S.signedIn, S.started()], at: S.instant(s: 0))
        let result = log.run(S.observe("r2", 419, .source), at: S.instant(s: 86_400))
        #expect(result == .success([S.observed("r2", .source), S.joined(request: "r2")]))
    }
}

extension SessionSample {
    static func observed(_ request: String, _ rules: Rules) -> Device.Event {
        observed(request, 419, generation: 0, rules)
    }

    static func observe(_ request: String, _ status: Int64, _ rules: Rules) -> Session.ObserveExpiry
    {
        observe(request, status, generation: nil, rules)
    }
}
