import Daybook
import Testing

@testable import DaybookModel

@Suite struct LaunchStoredNamesTests {
    /// What stands in logs: a change here needs a new version of the kind.
    static let stored = """
        launch.app-launched.v1
          launchId: text
          appVersion: text
          build: text?
          platform: one of ios, android, linux
          osVersion: text?
          firstLaunch: boolean
          device: text
        launch.remote-config-fetched.v1
          launchId: text
          device: text
          configDigest: digest
          source: one of network, cache, default
          latencyMs: integer
          maintenance: object
            mode: boolean
            message: text
          minVersion: text?
          latestVersion: text?
          force: object
            version: text?
            title: text?
            message: text?
            url: text?
          optional: object
            version: text?
            title: text?
            message: text?
            url: text?
          blacklist: [text]
          notice: object?
            digest: digest
            startUs: integer
            endUs: integer
            title: text
            message: text
            url: text?
            terminate: boolean
          problems: [one of invalidLinkURLValue, notFoundLinkURLKey, \
        notFoundForceUpdateAppVersionKey, notFoundOptionalUpdateAppVersionKey, invalidVersion, \
        invalidNoticeDate, noticeStartNotBeforeEnd, invalidBoolean, unknownKey, \
        noticeWithoutText]
        launch.remote-config-fetch-failed.v1
          launchId: text
          kind: one of network, timeout, http, decode, invalidKey
          httpStatus: integer?
          detail: text
          latencyMs: integer
        launch.app-version-checked.v1
          launchId: text
          device: text
          currentVersion: text
          configDigest: digest?
          fromCache: boolean
          result: one of upToDate, needsUpdate, maintenance, error
          reason: one of minVersion, forceVersion, blacklist, invalidVersion, fetchFailed, \
        invalidLinkURLValue, notFoundLinkURLKey, notFoundForceUpdateAppVersionKey, \
        notFoundOptionalUpdateAppVersionKey, invalidMainBundleReleaseVersionNumber, unknown?
          primary: one of forced, optional, notice, valid, maintenance, error
          minVersion: text?
          latestVersion: text?
          message: text?
          pending: [one of optional, notice]
          targetVersion: text?
          url: text?
          noticeDigest: digest?
          noticeTerminates: boolean
          rules: one of standard, source
          title: text?
        launch.update-prompt-shown.v1
          launchId: text
          kind: one of force, optional
          targetVersion: text?
          url: text?
          title: text?
        launch.update-accepted.v1
          launchId: text
          kind: one of force, optional
          url: text?
        launch.optional-update-skipped.v1
          launchId: text
          targetVersion: text
          remember: boolean
          device: text
        launch.notice-shown.v1
          launchId: text
          noticeDigest: digest
        launch.notice-dismissed.v1
          launchId: text
          noticeDigest: digest
          action: one of close, openLink, expire
          terminate: boolean
        launch.app-terminated.v1
          launchId: text
          cause: one of notice, force, user, crash, replaced
        """

    @Test("Launch events keep their stored names")
    func keepsItsStoredNames() {
        let actual = Launch.events.map { event in
            event.kind.name + "\n" + Self.lines(event.fields, "  ")
        }
        #expect(actual.joined() == Self.stored + "\n")
    }

    @Test("Launch events keep their tags")
    func keepsItsTags() {
        var config = LaunchTests.fetched(Launch.Config())
        config.configDigest = Digest(bits: 0xAB)
        #expect(LaunchTests.launched.tags.map(\.text) == ["launch:l1", "device:d1"])
        #expect(
            config.tags.map(\.text)
                == ["launch:l1", "config:sha256:00000000000000ab", "device:d1"])
        #expect(LaunchTests.failed.tags.map(\.text) == ["launch:l1"])
        #expect(
            LaunchTests.forced.tags.map(\.text)
                == ["launch:l1", "version:1.0.0", "device:d1"])
        #expect(LaunchTests.skipped().tags.map(\.text) == ["launch:l1", "device:d1"])
        #expect(
            LaunchTests.noticeShown.tags.map(\.text)
                == ["launch:l1", "notice:sha256:0000000000000007"])
    }

    @Test("A launch event is read back as it was written")
    func readsBackWhatItWrites() throws {
        let config = Sample.config(
            min: "1", maintenance: "m", force: "2", optional: "3", blacklist: ["4"],
            notice: Sample.notice())
        let payloads: [any EventPayload] = [
            LaunchTests.launched, LaunchTests.fetched(config), LaunchTests.failed,
            LaunchTests.optional, LaunchTests.promptShown, LaunchTests.skipped(),
            LaunchTests.noticeShown, LaunchTests.dismissed(true), LaunchTests.terminated,
        ]
        for payload in payloads { try Self.check(payload) }
    }

    private static func check<Payload: EventPayload>(_ payload: Payload) throws {
        let event = NewEvent(payload, occurredAt: Sample.now)
        let description = try #require(Launch.events.first { $0.kind == event.kind })
        let json = JSONWriter.text(payload)
        let again = try description.read(JSONParser.parse(json.utf8), "", Sample.input)
        #expect(again.payload == event.payload)
        #expect(try description.inspect(event.payload.contents.bytes).isCanonical)
    }

    private static func lines(_ fields: [FieldDescription], _ indent: String) -> String {
        fields.map { field in
            "\(indent)\(field.name): \(field.form)\n" + lines(field.fields, indent + "  ")
        }.joined()
    }
}
