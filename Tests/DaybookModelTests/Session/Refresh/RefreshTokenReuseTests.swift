import Daybook
import Testing

@testable import DaybookModel

// Holds: s0-token-reuse, s3-token-reuse
/// Spec 3.4: what the server makes of generation g when the current one is c.
@Suite struct RefreshTokenReuseTests {
    private typealias S = SessionSample

    /// Rotated from 0 to 1 at 100 s and from 1 to 2 at 200 s.
    private static func rotatedTwice() -> SessionLog {
        var log = SessionLog()
        log.append([S.signedIn], at: S.instant(s: 0))
        log.append([S.started(), S.refreshed()], at: S.instant(s: 100))
        log.append(
            [S.started(id: "f1-g1", from: 1, token: "new refresh"), S.refreshed("f1-g1", to: 2)],
            at: S.instant(s: 200))
        return log
    }

    struct Row: Sendable {
        var generation: Int64
        /// Microseconds after the last rotation.
        var afterUs: Int64
        var withinGrace: Bool
    }

    @Test(arguments: [
        Row(generation: 1, afterUs: 0, withinGrace: true),
        Row(generation: 1, afterUs: 5_000_000, withinGrace: true),
        Row(generation: 1, afterUs: 5_000_001, withinGrace: false),
        Row(generation: 0, afterUs: 0, withinGrace: false),
        Row(generation: 3, afterUs: 0, withinGrace: false),
    ])
    func detects(_ row: Row) {
        var log = Self.rotatedTwice()
        let now = S.instant(s: 200).advanced(byMicroseconds: row.afterUs)
        let detected = S.reuse(row.generation, 2, withinGrace: row.withinGrace)
        #expect(
            log.run(S.present(row.generation), at: now)
                == .success(row.withinGrace ? [detected] : [detected, S.cleared(.reuse)]))
        #expect(log.overview.session.status == (row.withinGrace ? .signedIn : .revoked))
        #expect(log.overview.session.generation == 2)
        #expect(log.overview.reuseCount == 1)
    }

    @Test("The current token rotates")
    func theCurrentTokenRotates() throws {
        var log = Self.rotatedTwice()
        let events = try log.run(S.present(2, token: "t3"), at: S.instant(s: 300)).get()
        #expect(
            events.map { type(of: $0.payload).kind } == [
                "session.token-refresh-started.v1", "session.token-refreshed.v1",
            ])
        #expect(log.overview.session.generation == 3)
        #expect(log.overview.unexpectedTransitions == 0)
    }

    @Test("The current token ends the refresh under way")
    func theCurrentTokenAnswersTheRefreshUnderWay() throws {
        var log = Self.rotatedTwice()
        log.append([S.started(id: "f1-g2", from: 2)], at: S.instant(s: 299))
        let events = try log.run(S.present(2, token: "t3"), at: S.instant(s: 300)).get()
        #expect(events.map { type(of: $0.payload).kind } == ["session.token-refreshed.v1"])
        #expect(log.run(S.record("f1-g2"), at: S.instant(s: 301)) == .success([]))
    }

    @Test("Rotation needs new tokens")
    func rotationNeedsNewTokens() {
        var log = Self.rotatedTwice()
        #expect(
            log.run(S.present(2), at: S.instant(s: 300))
                == .failure(
                    Refusal(
                        "newTokensMissing",
                        "the server replaces the current refresh token when the token is "
                            + "presented; give accessHash, refreshHash and expiresInS of the new "
                            + "tokens"
                    )))
    }

    @Test("Tokens of a revoked family are refused")
    func nothingIsTakenFromARevokedFamily() {
        var log = Self.rotatedTwice()
        _ = log.run(S.present(0), at: S.instant(s: 300))
        #expect(
            log.run(S.present(2), at: S.instant(s: 301))
                == .failure(
                    Refusal("familyRevoked", "the token family f1 is revoked; sign in again")))
        #expect(
            log.run(S.observe("r1", 419), at: S.instant(s: 301))
                == .failure(
                    Refusal("familyRevoked", "the token family f1 is revoked; sign in again")))
    }
}
