import Daybook
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

// Holds: s0-config, s2-notice-alert, s2-link-errors, s2-version-key-errors, s2-force-keys,
// s2-optional-keys, s2-blacklist-key, s2-notice-times, s2-notice-texts, s2-notice-terminates,
// s2-notice-empty-window, s2-missing-key, s2-unlisted-keys, s2-blacklist-blanks, s2-notice-bounds,
// s2-unreadable-config-version
@Suite struct LaunchConfigTests {
    @Test("A config in the form of the first source document is read")
    func readsS0sObject() throws {
        let parsed = try Sample.config(
            #"{"minVersion":"1.0.0","latestVersion":"1.2.0","maintenanceMode":false,"#
                + #""maintenanceMessage":""}"#)
        expect(parsed.config.minVersion, equals: "1.0.0")
        expect(parsed.config.latestVersion, equals: "1.2.0")
        #expect(!parsed.config.maintenance.isOn)
        #expect(parsed.warnings.isEmpty)
    }

    static let full = """
        {"forceUpdateAppVersionKey": "2.0.0", "forceUpdateAlertTitleKey": "t",
        "forceUpdateAlertMessageKey": "m", "forceUpdateAlertDoneLinkURLKey": "https://a.b/f",
        "blackListVersionsKey": "1.0.0, , 1.2.0, 2.0.0", "optionalUpdateAppVersionKey": "3",
        "optionalUpdateAlertTitleKey": "ot", "optionalUpdateMessageKey": "om",
        "optionalUpdateAlertDoneLinkURLKey": "itms-apps://itunes.apple.com/app/id1",
        "noticeStartDateKey": "2023-02-12T02:22:40Z", "noticeEndDateKey": "2023-02-14T05:12:55Z",
        "noticeAlertTitleKey": "nt", "noticeAlertMessageKey": "nm",
        "noticeAlertDoneURLKey": "https://google.com",
        "noticeAlertDismissedTerminateKey": "YES", "minVersion": "1", "maintenanceMode": "0"}
        """

    @Test("S2's keys and S0's lie in one object")
    func readsBoth() throws {
        let parsed = try Sample.config(Self.full)
        let config = parsed.config
        #expect(parsed.warnings.isEmpty)
        expect(config.minVersion, equals: "1")
        #expect(
            config.force
                == Launch.UpdateOffer(
                    version: "2.0.0", title: "t", message: "m", url: "https://a.b/f"))
        expect(config.blacklist, equals: ["1.0.0", "1.2.0", "2.0.0"])
        expect(config.optional.message, equals: "om")
        expect(config.optional.link, equals: "itms-apps://itunes.apple.com/app/id1")
        expect(config.notice?.start, equals: Sample.time("2023-02-12T02:22:40Z"))
        expect(config.notice?.endsApp, equals: true)
        expect(config.notice?.url, equals: "https://google.com")
        expect(parsed.digest, equals: (try Sample.config(Self.full)).digest)
    }

    @Test(
        "An odd setting is named with its key, and its rule is off",
        arguments: [
            (
                #"{"forceUpdateAppVersionKey":"9"}"#, [.notFoundLinkURLKey],
                "forceUpdateAlertDoneLinkURLKey"
            ),
            (
                #"{"forceUpdateAppVersionKey":"9","forceUpdateAlertDoneLinkURLKey":"a b"}"#,
                [.invalidLinkURLValue], "forceUpdateAlertDoneLinkURLKey"
            ),
            (
                #"{"forceUpdateAppVersionKey":"9","forceUpdateAlertDoneLinkURLKey":"about:blank"}"#,
                [.invalidLinkURLValue], "forceUpdateAlertDoneLinkURLKey"
            ),
            (
                #"{"forceUpdateAlertDoneLinkURLKey":"https://a.b"}"#,
                [.notFoundForceUpdateAppVersionKey], "forceUpdateAppVersionKey"
            ),
            (
                #"{"blackListVersionsKey":"1"}"#,
                [.notFoundLinkURLKey, .notFoundForceUpdateAppVersionKey],
                "forceUpdateAlertDoneLinkURLKey"
            ),
            (
                #"{"optionalUpdateAppVersionKey":"9"}"#, [.notFoundLinkURLKey],
                "optionalUpdateAlertDoneLinkURLKey"
            ),
            (
                #"{"optionalUpdateAlertDoneLinkURLKey":"https://a.b"}"#,
                [.notFoundOptionalUpdateAppVersionKey], "optionalUpdateAppVersionKey"
            ),
            (#"{"minVersion":"soon"}"#, [.invalidVersion], "minVersion"),
            (
                #"{"noticeStartDateKey":"2026-07-13T00:00:00Z","#
                    + #""noticeEndDateKey":"2026-07-12T00:00:00Z"}"#,
                [.noticeStartNotBeforeEnd], "noticeEndDateKey"
            ),
            (
                #"{"noticeStartDateKey":"2026-07-12T00:00:00Z","#
                    + #""noticeEndDateKey":"2026-07-12T00:00:00Z"}"#,
                [.noticeStartNotBeforeEnd], "noticeEndDateKey"
            ),
            (
                #"{"noticeStartDateKey":"today","noticeEndDateKey":"2026-07-12T00:00:00Z"}"#,
                [.invalidNoticeDate], "noticeStartDateKey"
            ),
            (
                #"{"noticeStartDateKey":"2026-07-12T00:00:00Z"}"#, [.invalidNoticeDate],
                "noticeEndDateKey"
            ),
            (
                #"{"noticeAlertDismissedTerminateKey":"maybe"}"#, [.invalidBoolean],
                "noticeAlertDismissedTerminateKey"
            ),
            (#"{"minVersoin":"1"}"#, [.unknownKey], "minVersoin"),
        ] as [(String, [Launch.ConfigProblem], String)])
    func warns(_ json: String, _ problems: [Launch.ConfigProblem], _ key: String) throws {
        let parsed = try Sample.config(json)
        expect(parsed.warnings.map(\.problem), equals: problems)
        expect(parsed.config.problems, equals: problems)
        expect(parsed.warnings.first?.key, equals: key)
        #expect(parsed.config.notice == nil)
        expect(Sample.decide(parsed.config, "1.0.0").status, equals: .valid)
    }

    @Test(
        "A file that cannot be read is refused by line and key",
        arguments: [
            ("[]", "line 1: expected an object as the config, found a list"),
            ("{\n\"minVersion\": 1.1}", "line 2: field 'minVersion': expected a text"),
            ("{\"maintenanceMode\": \"perhaps\"}", "line 1: field 'maintenanceMode': expected"),
            ("{\"blackListVersionsKey\": [\"1\"]}", "line 1: field 'blackListVersionsKey'"),
            ("{\"forceUpdateAppVersionKey\": true}", "line 1: field 'forceUpdateAppVersionKey'"),
            ("{\"minVersion\": \"1\"", "line 1: expected ',' or '}'"),
            ("{\"minVersion\": \"1\", \"minVersion\": \"2\"}", "line 1: the key"),
            ("", "line 1: expected a JSON value"),
        ])
    func refuses(_ json: String, _ message: String) {
        do throws(InputError) {
            _ = try RemoteConfig.read(Array(json.utf8), rules: Sample.input)
            Issue.record("it was read")
        } catch {
            #expect(error.description.hasPrefix(message), "\(error)")
        }
    }

    @Test(
        "Times of a notice, kept to milliseconds",
        arguments: [
            ("2026-07-12T00:00:00.123Z", 1_783_814_400_123),
            ("2026-07-12T00:00:00.12Z", 1_783_814_400_120),
            ("2026-07-12T00:00:00.123456Z", 1_783_814_400_123),
            ("2026-07-12T00:00:00+0000", 1_783_814_400_000),
            ("2026-07-12T00:00:00+00:00", 1_783_814_400_000),
            ("2026-07-12T09:00:00+0900", 1_783_814_400_000),
        ])
    func readsTimes(_ text: String, _ milliseconds: Int64) throws {
        let parsed = try Sample.config(
            #"{"noticeStartDateKey":"\#(text)","noticeEndDateKey":"2027-01-01T00:00:00Z"}"#)
        expect(parsed.config.notice?.start, equals: Instant(microseconds: milliseconds * 1_000))
    }

    @Test(arguments: [
        ("true", true), ("1", true), ("yes", true), ("Y", true), ("on", true), (" True ", true),
        ("false", false), ("0", false), ("no", false), ("", false), ("off", false),
    ])
    func readsBooleans(_ text: String, _ expected: Bool) throws {
        let parsed = try Sample.config(#"{"maintenanceMode":"\#(text)"}"#)
        expect(parsed.config.maintenance.isOn, equals: expected)
    }
}
