import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-refresh-needs-token, s3-one-refresh, s3-refresh-success, s3-one-end-per-419,
// s3-no-more-refreshes
/// Invariants of spec 1D, held against random commands. A failure names its seed.
@Suite struct SessionPropertyTests {
    private typealias S = SessionSample

    @Test(arguments: Cases.sample(0..<200 as Range<UInt64>))
    func anySequenceOfCommandsHoldsTheInvariants(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = SessionLog()
        var families = 1
        var now: Int64 = 0
        for step in 0..<80 {
            now += Int64.random(in: 0...20, using: &random)
            let command = Self.command(step, families: &families, log, &random)
            let before = log.events.count
            let result = log.run(command, at: S.instant(s: now))
            if case .failure = result { expect(log.events.count, equals: before) }
            // Some launches come to the login, some stay where they are.
            if command is Launch.AppLaunched, Bool.random(using: &random) {
                log.append(
                    [S.versionChecked("l\(step)", .upToDate)], at: S.instant(s: now))
            }
            Self.checkLaunches(log, seed)
        }
        Self.check(log, seed)
    }

    /// A launch that waited for a refresh has ended, unless it waits for the one under way; and
    /// none has had an event that did not fit.
    private static func checkLaunches(_ log: SessionLog, _ seed: UInt64) {
        let waiting = log.overview.session.refresh?.waitingLaunchIds ?? []
        #expect(waiting.allSatisfy { $0 == log.lastLaunch }, "seed \(seed)")
        let waited = log.events.compactMap { entry -> String? in
            switch entry.event {
            case .session(.tokenRefreshStarted(let started)): started.launchId
            case .session(.tokenRefreshJoined(let joined)): joined.launchId
            default: nil
            }
        }
        for launch in log.launches {
            let splash = log.splash(launch)
            expect(splash.unexpectedTransitions, equals: 0, "seed \(seed), launch \(launch)")
            guard waited.contains(launch), !waiting.contains(launch) else { continue }
            #expect(splash.hasEnded, "seed \(seed), launch \(launch)")
        }
    }

    private static func check(_ log: SessionLog, _ seed: UInt64) {
        var inFlight = 0
        var expiries = 0
        var started = 0
        var hasTokens = false
        var generation: Int64 = 0
        for (entry, _) in log.events {
            guard case .session(let event) = entry else { continue }
            switch event {
            case .signedIn:
                #expect(!hasTokens, "seed \(seed)")
                hasTokens = true
                generation = 0
            case .tokenExpiryObserved(let observed):
                if observed.status == 419 { expiries += 1 }
            case .tokenRefreshStarted(let refresh):
                #expect(hasTokens, "seed \(seed)")
                inFlight += 1
                expect(inFlight, equals: 1, "seed \(seed)")
                if refresh.trigger == .http419 { started += 1 }
                #expect(started <= expiries, "seed \(seed)")
            case .tokenRefreshJoined:
                expect(inFlight, equals: 1, "seed \(seed)")
            case .tokenRefreshed(let refreshed):
                expect(inFlight, equals: 1, "seed \(seed)")
                inFlight = 0
                expect(refreshed.toGeneration, equals: generation + 1, "seed \(seed)")
                generation = refreshed.toGeneration
            case .tokenRefreshFailed:
                inFlight = 0
            case .tokensCleared:
                #expect(hasTokens, "seed \(seed)")
                hasTokens = false
                inFlight = 0
            case .requestRetried:
                #expect(hasTokens, "seed \(seed)")
            case .loginStatusChecked, .refreshTokenReuseDetected, .signedOut:
                break
            }
        }
        let state = log.overview
        expect(
            state.unexpectedTransitions, equals: 0, "seed \(seed): \(state.lastUnexpected ?? "")")
        let due =
            state.session.retriesDue.count + (state.session.refresh?.waitingRequestIds.count ?? 0)
        expect(
            state.retryCount + state.failureCount + Int64(due), equals: state.expiryCount,
            "seed \(seed)")
    }

    private static func command(
        _ step: Int, families: inout Int, _ log: SessionLog, _ random: inout SeededGenerator
    ) -> any Command<Device> {
        let state = log.overview.session
        let request = "r\(Int.random(in: max(0, step - 5)...step, using: &random))"
        let rules: Rules = Bool.random(using: &random) ? .standard : .source
        let refreshId = state.refresh?.refreshId ?? "f1-g0"
        switch Int.random(in: 0..<20, using: &random) {
        case 16...17: return S.launchApp("l\(step)")
        case 0...1:
            families += 1
            return Session.SignIn(
                userId: "u1", provider: .test, family: "f\(families)", device: S.device,
                accessHash: S.digest("a"), refreshHash: S.digest("r"), expiresInS: 3_600)
        case 2, 18...19: return S.check(log.lastLaunch ?? "l\(step)", rules)
        case 3...6:
            let age = Int64.random(in: 0...2, using: &random)
            return S.observe(request, 419, generation: max(0, state.generation - age), rules)
        case 7:
            return S.observe(request, [401, 403, 418, 404, 500].randomElement(using: &random) ?? 0)
        case 8: return Session.StartRefresh(device: S.device, rules: rules)
        case 9...10:
            return Session.RecordRefresh(
                device: S.device, refreshId: refreshId, accessHash: S.digest("a2"),
                refreshHash: nil, expiresInS: 60, latencyMs: 300)
        case 11:
            let kind = Session.RefreshFailure.allCases.randomElement(using: &random) ?? .server
            return Session.RecordRefreshFailure(
                device: S.device, refreshId: refreshId, kind: kind, rules: rules)
        case 12...13:
            return S.retry(state.retriesDue.keys.sorted().first ?? request)
        case 14:
            return Session.PresentRefreshToken(
                family: state.family,
                generation: state.generation - Int64.random(in: 0...1, using: &random),
                accessHash: S.digest("a3"), refreshHash: S.digest("r3"), expiresInS: 60)
        default: return Session.SignOut(device: S.device)
        }
    }
}

extension SessionSample {
    static func check(_ launch: String, _ rules: Rules) -> Session.CheckLogin {
        check(launch, marginS: nil, rules)
    }
}
