import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// A config, a version, and what comes of them.
struct DecisionCase: Sendable, CustomTestStringConvertible {
    var sentence: String
    var config: Launch.Config
    var version: String
    var rules: [Rules]
    var status: Launch.LaunchStatus
    var reason: Launch.VersionReason?
    var pending: [Launch.PendingStep]

    init(
        _ sentence: String, _ config: Launch.Config, app version: String = "1.0.0",
        under rules: [Rules] = Rules.allCases, _ status: Launch.LaunchStatus,
        _ reason: Launch.VersionReason? = nil, pending: [Launch.PendingStep] = []
    ) {
        self.sentence = sentence
        self.config = config
        self.version = version
        self.rules = rules
        self.status = status
        self.reason = reason
        self.pending = pending
    }

    var testDescription: String { sentence }

    func check() {
        for rules in rules {
            let decision = Sample.decide(config, version, rules)
            expect(decision.status, equals: status, "\(rules.name)")
            expect(decision.reason, equals: reason, "\(rules.name)")
            expect(decision.pending, equals: pending, "\(rules.name)")
            expect(decision.rules, equals: rules)
        }
    }
}

// Holds: s0-config-latest-version, s0-maintenance-first, s0-chain-empty-message,
// s0-maintenance-wins, s0-two-minimum-versions, s0-latest-version-use, s2-decision-order,
// s2-link-errors, s2-bundle-version-error, s2-unknown-error, s2-decision-examples,
// s2-status-is-pure, s2-blacklist-forces, s2-equal-entries, s2-link-needed,
// s2-maintenance-before-all, s2-missing-key
@Suite struct LaunchDecisionTests {
    @Test(arguments: [
        DecisionCase("a version at the minimum runs", Sample.config(min: "1.0.0"), .valid),
        DecisionCase(
            "a version below it does not", Sample.config(min: "1.0.1"), .forced, .minVersion),
        DecisionCase(
            "maintenance wins over a low version",
            Sample.config(min: "9", maintenance: "점검 중"), .maintenance),
        DecisionCase(
            "the latest version is information", Sample.config(min: "1.0.0", latest: "1.2.0"),
            .valid),
        DecisionCase(
            "a minimum works without any link", Sample.config(min: "1.0.1", links: false),
            .forced, .minVersion),
        DecisionCase(
            "an unreadable app version", Sample.config(min: "1.0.0"), app: "1.x",
            under: [.standard],
            .error, .invalidVersion),
        DecisionCase(
            "maintenance wins over an unreadable app version",
            Sample.config(maintenance: "m"), app: "", .maintenance),
        DecisionCase(
            "a missing app version is forced by the source's comparison",
            Sample.config(min: "1.0.0"), app: "", under: [.source], .forced, .minVersion),
        DecisionCase(
            "a missing app version is S2's error", Sample.config(), app: "", under: [.source],
            .error, .invalidMainBundleReleaseVersionNumber),
        DecisionCase(
            "an unreadable minimum is no rule", Sample.config(min: "soon"), app: "0.0.1", .valid),
    ])
    func decidesS0(_ example: DecisionCase) { example.check() }

    @Test(arguments: [
        DecisionCase(
            "the blacklist beats optional",
            Sample.config(
                force: "11.0.9", optional: "15.0.5", blacklist: ["12.3.0", "12.3", "12"]),
            app: "12.3", .forced, .blacklist),
        DecisionCase(
            "a blacklisted version",
            Sample.config(
                force: "0.0.9", optional: "0.0.5", blacklist: ["2.3.9", " 2.3.10 ", "2.3.11"]),
            app: "2.3.10", .forced, .blacklist),
        DecisionCase(
            "a version at the forced one",
            Sample.config(force: "2.0.0", optional: "", blacklist: ["1.9.1"]),
            app: "2.0.0", .valid),
        DecisionCase(
            "force beats optional", Sample.config(force: "1.0.1", optional: "1.0.1"), .forced,
            .forceVersion),
        DecisionCase(
            "below the optional version", Sample.config(force: "1.0.1", optional: "2.0.1"),
            app: "2.0.0", .optional, pending: [.optional]),
        DecisionCase(
            "optional comes before notice in the source, and alone",
            Sample.config(force: "", optional: "2.0.0", notice: Sample.notice()), app: "1.0.0",
            under: [.source], .optional, pending: [.optional]),
        DecisionCase(
            "optional comes before notice, and both show",
            Sample.config(force: "", optional: "2.0.0", notice: Sample.notice()), app: "1.0.0",
            under: [.standard], .optional, pending: [.optional, .notice]),
        DecisionCase(
            "an active notice", Sample.config(notice: Sample.notice()), .notice,
            pending: [.notice]),
        DecisionCase(
            "a notice from its first moment",
            Sample.config(notice: Sample.notice("2026-07-12T12:00:00Z")), .notice,
            pending: [.notice]),
        DecisionCase(
            "a notice to its last moment",
            Sample.config(
                notice: Sample.notice("2026-07-12T00:00:00Z", "2026-07-12T12:00:00Z")), .notice,
            pending: [.notice]),
        DecisionCase(
            "a future notice",
            Sample.config(
                notice: Sample.notice("2026-07-13T00:00:00Z", "2026-07-14T00:00:00Z")), .valid),
        DecisionCase(
            "a past notice",
            Sample.config(
                notice: Sample.notice("2026-07-10T00:00:00Z", "2026-07-11T00:00:00Z")), .valid),
        DecisionCase(
            "without links no rule of S2 fires",
            Sample.config(force: "9", optional: "9", blacklist: ["1.0.0"], links: false), .valid),
        DecisionCase(
            "two dashes make neither a range nor a pre-release",
            Sample.config(blacklist: ["1.0.0-1.2.0-1.3.0"]), app: "1.0.0", under: [.standard],
            .valid),
        DecisionCase(
            "1.2 is blacklisted as 1.2.0",
            Sample.config(blacklist: ["1.0.0", "1.2.0", "2.0.0"]), app: "1.2", .forced, .blacklist),
    ])
    func decidesS2(_ example: DecisionCase) { example.check() }

    @Test(
        "The higher minimum counts and gives the reason, the tie is S0's",
        arguments: [
            ("2.0", "3.0", "3.0", Launch.VersionReason.forceVersion),
            ("3.0", "2.0", "3.0", .minVersion),
            ("2.0", "2.0.0", "2.0", .minVersion),
        ])
    func namesTheMinimum(
        _ min: String, _ force: String, _ expected: String, _ reason: Launch.VersionReason
    ) {
        let decision = Sample.decide(Sample.config(min: min, force: force), "1.0")
        expect(decision.minVersion, equals: expected)
        expect(decision.targetVersion, equals: expected)
        expect(decision.reason, equals: reason)
        // The source asks S0's question first.
        let source = Sample.decide(Sample.config(min: min, force: force), "1.0", .source)
        expect(source.reason, equals: .minVersion)
    }

    @Test("Silent maintenance is given words, but not by the source")
    func givesMaintenanceWords() {
        let config = Sample.config(maintenance: " ")
        expect(Sample.decide(config, "1").message, equals: LaunchDecision.maintenanceMessage)
        expect(Sample.decide(config, "1", .source).message, equals: " ")
        let said = Sample.config(maintenance: "점검 중")
        expect(Sample.decide(said, "1").message, equals: "점검 중")
    }

    @Test("A cached config counts without its maintenance")
    func ignoresCachedMaintenance() {
        let config = Sample.config(min: "2", maintenance: "m")
        let decision = LaunchDecision.decide(
            config: .cached(config), appVersion: "1", now: Sample.now)
        expect(decision.status, equals: .forced)
        #expect(decision.fromCache)
    }

    @Test("A failure is an error, under a name of S2 where it has one")
    func namesFailures() {
        func reason(
            _ kind: Launch.FetchFailure, _ detail: String, _ rules: Rules
        ) -> Launch.VersionReason? {
            LaunchDecision.decide(
                config: .failed(kind, detail: detail), appVersion: "1", now: Sample.now,
                rules: rules
            ).reason
        }
        expect(reason(.network, "", .standard), equals: .fetchFailed)
        expect(reason(.network, "", .source), equals: .fetchFailed)
        expect(reason(.invalidKey, "notFoundLinkURLKey", .source), equals: .notFoundLinkURLKey)
        expect(reason(.invalidKey, "?", .source), equals: .unknown)
        expect(reason(.invalidKey, "notFoundLinkURLKey", .standard), equals: .fetchFailed)
    }

    @Test("A remembered version is not offered again, a higher one is")
    func remembersSkips() {
        func status(_ optional: String) -> Launch.LaunchStatus {
            LaunchDecision.decide(
                config: .fetched(Sample.config(optional: optional)), appVersion: "1",
                now: Sample.now, skipped: ["2.0"]
            ).status
        }
        expect(status("2.0.0"), equals: .valid)
        expect(status("2.0.1"), equals: .optional)
    }

    @Test("The latest version is offered where an option says so")
    func offersLatest() {
        let decision = LaunchDecision.decide(
            config: .fetched(Sample.config(latest: "2")), appVersion: "1", now: Sample.now,
            options: LaunchDecision.Options(latestAsOptional: true))
        expect(decision.status, equals: .optional)
        expect(decision.targetVersion, equals: "2")
    }

    @Test("A fault with a name is an error where an option says so")
    func namesErrors() {
        var config = Sample.config()
        config.problems = [.unknownKey, .notFoundLinkURLKey]
        let decision = LaunchDecision.decide(
            config: .fetched(config), appVersion: "1", now: Sample.now,
            options: LaunchDecision.Options(namedErrors: true))
        expect(decision.status, equals: .error)
        expect(decision.reason, equals: .notFoundLinkURLKey)
        expect(Sample.decide(config, "1").status, equals: .valid)
    }

    /// I-S0-1, and spec 1C: a blacklisted version never yields optional, the decision is pure,
    /// and only what is up to date has something pending.
    @Test(arguments: Rules.allCases)
    func holdsItsInvariants(_ rules: Rules) {
        var random = SeededGenerator(seed: 1)
        func version() -> String {
            "\(Int.random(in: 0...2, using: &random)).\(Int.random(in: 0...2, using: &random))"
        }
        for _ in 0..<2_000 {
            let config = Sample.config(
                min: Bool.random(using: &random) ? version() : nil,
                maintenance: Int.random(in: 0..<5, using: &random) == 0 ? "m" : nil,
                force: version(), optional: version(),
                blacklist: Bool.random(using: &random) ? [version()] : [],
                notice: Bool.random(using: &random) ? Sample.notice() : nil,
                links: Bool.random(using: &random))
            let app = version()
            let decision = Sample.decide(config, app, rules)
            expect(decision, equals: Sample.decide(config, app, rules))
            if config.maintenance.isOn { expect(decision.status, equals: .maintenance) }
            if decision.result != .upToDate { #expect(decision.pending.isEmpty) }
            let isBlacklisted = config.blacklist.contains {
                AppVersion.read($0, rules: rules) == AppVersion.read(app, rules: rules)
            }
            if isBlacklisted, config.force.link != nil {
                #expect([.forced, .maintenance].contains(decision.status))
            }
            if config.force.link == nil { #expect(decision.reason != .blacklist) }
        }
    }
}
