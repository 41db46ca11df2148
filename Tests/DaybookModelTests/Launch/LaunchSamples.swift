import Daybook

@testable import DaybookFormats
@testable import DaybookModel

/// Things the launch tests say often.
enum Sample {
    /// No SHA-256 here: a digest only has to tell texts apart.
    static let input = InputRules(
        digest: {
            $0.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        },
        normalise: { $0 })

    static let now = time("2026-07-12T12:00:00Z")
    static let forceURL = "https://example.com/force"
    static let optionalURL = "https://example.com/optional"

    static func time(_ text: String) -> Instant {
        Timestamp.parse(text)?.instant ?? Instant(microseconds: 0)
    }

    static func config(_ json: String) throws -> Launch.Config.Parsed {
        try RemoteConfig.parse(Array(json.utf8), rules: input)
    }

    static func notice(
        _ start: String = "2026-07-12T00:00:00Z", _ end: String = "2026-07-13T00:00:00Z",
        terminate: Bool = false
    ) -> Launch.Notice {
        var notice = Launch.Notice()
        notice.start = time(start)
        notice.end = time(end)
        notice.endsApp = terminate
        notice.digest = Digest(bits: 7)
        return notice
    }

    static func config(
        min: String? = nil, latest: String? = nil, maintenance: String? = nil,
        force: String? = nil, optional: String? = nil, blacklist: [String] = [],
        notice: Launch.Notice? = nil, links: Bool = true
    ) -> Launch.Config {
        var config = Launch.Config()
        config.minVersion = min
        config.latestVersion = latest
        if let maintenance {
            config.maintenance = Launch.Maintenance(isOn: true, message: maintenance)
        }
        config.force = Launch.UpdateOffer(version: force, url: links ? forceURL : nil)
        config.optional = Launch.UpdateOffer(version: optional, url: links ? optionalURL : nil)
        config.blacklist = blacklist
        config.notice = notice
        return config
    }

    static func decide(
        _ config: Launch.Config, _ version: String, _ rules: Rules = .standard
    ) -> LaunchDecision {
        LaunchDecision.decide(
            config: .fetched(config), appVersion: version, now: now, rules: rules)
    }
}
