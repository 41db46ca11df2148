import Daybook
import Testing

@testable import DaybookModel

// Holds: s3-digests-only
/// What stands in logs: a change here needs a new version of the kind, and an upcaster.
@Suite struct SessionStoredNamesTests {
    @Test("Kinds and fields stay as they are")
    func kindsAndFieldsStayAsTheyAre() {
        let schema = Session.events.map { event in
            ([event.kind.name] + event.fields.map { "  \($0.name): \($0.form)" })
                .joined(separator: "\n")
        }
        #expect(schema.joined(separator: "\n") == Self.expected)
    }

    @Test("Every kind is decided")
    func everyKindIsDecided() {
        #expect(Session.events.map(\.kind) == Session.Event.kinds.map(\.kind))
    }

    @Test("Commands keep their names")
    func commandsKeepTheirNames() {
        #expect(
            Session.commands.map(\.name) == [
                "session.sign-in", "session.check-login", "session.observe-expiry",
                "session.start-refresh", "session.record-refresh",
                "session.record-refresh-failure", "session.present-refresh-token",
                "session.record-retry", "session.clear-tokens", "session.sign-out",
            ])
    }

    private static let expected = """
        session.signed-in.v1
          userId: text
          provider: one of kakao, apple, google, test, local
          family: text
          generation: integer
          accessHash: digest
          refreshHash: digest
          expiresInS: integer
          accessExpiresUs: integer
          device: text
        session.login-status-checked.v1
          launchId: text
          result: one of notLoggedIn, loggedIn, tokenRefreshFailed
          refreshId: text?
          device: text
        session.token-expiry-observed.v1
          requestId: text
          status: integer
          endpoint: text
          usedGeneration: integer
          rules: one of standard, source
          family: text
          device: text
        session.token-refresh-started.v1
          refreshId: text
          fromGeneration: integer
          trigger: one of launch, http419, proactive
          refreshHash: digest
          requestId: text?
          launchId: text?
          family: text
          device: text
        session.token-refresh-joined.v1
          refreshId: text
          requestId: text?
          launchId: text?
          family: text
          device: text
        session.token-refreshed.v1
          refreshId: text
          toGeneration: integer
          accessHash: digest
          refreshHash: digest
          expiresInS: integer
          accessExpiresUs: integer
          latencyMs: integer
          family: text
          device: text
        session.token-refresh-failed.v1
          refreshId: text
          kind: one of expired, invalidGrant, reuse, network, timeout, server, \
        abandoned
          httpStatus: integer?
          error: text?
          message: sealable text?
          tokensCleared: boolean
          rules: one of standard, source
          family: text
          device: text
        session.refresh-token-reuse-detected.v1
          family: text
          presentedGeneration: integer
          currentGeneration: integer
          withinGrace: boolean
          device: text
        session.tokens-cleared.v1
          reason: one of expired, unauthorized, forbidden, refresh418, reuse, signOut, seedCompat
          family: text
          device: text
        session.request-retried.v1
          requestId: text
          refreshId: text?
          generation: integer
          outcomeStatus: integer?
          family: text
          device: text
        session.signed-out.v1
          userId: text
          family: text
          device: text
        """
}
