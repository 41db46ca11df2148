package import Daybook

/// The result of checking an app version against a config at a point in time.
///
/// Source: S0 (maintenance, minimum), S2 (force, blacklist, optional, notice).
package struct LaunchDecision: PlainRecord {
    /// Status in the terms of source S2, by the first rule that matched.
    package var status = Launch.LaunchStatus.valid
    package var result = Launch.VersionResult.upToDate
    package var reason: Launch.VersionReason?
    package var rules = Rules.standard
    package var pending: [Launch.PendingStep] = []
    var minVersion: String?
    package var latestVersion: String?
    package var title: String?
    package var message: String?
    var targetVersion: String?
    var url: String?
    /// Pending notice; `nil` for none.
    var notice: Launch.Notice?
    var fromCache = false
    package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("status", &status, "result", &result, "reason", &reason, "rules", &rules)
        try field("pending", &pending, "minVersion", &minVersion, "latestVersion", &latestVersion)
        try field("title", &title, "message", &message, "targetVersion", &targetVersion)
        try field("url", &url, "notice", &notice, "fromCache", &fromCache)
    }
}

extension LaunchDecision {
    /// The config to check against, or the reason why there is none.
    package enum Input: Equatable, Sendable {
        case fetched(Launch.Config)
        /// The device's last config, after a failed fetch; its maintenance mode is ignored.
        case cached(Launch.Config)
        /// A failed fetch without a replacement.
        case failed(Launch.FetchFailure, detail: String)
    }

    /// The options of a version check.
    package struct Options: Equatable, Sendable {
        /// True to offer `latestVersion` if the config names no version for the optional update.
        package var latestAsOptional: Bool
        /// True if problems that source S2 defines as errors make the check fail. If false, such a
        /// problem only switches a rule off.
        var namedErrors: Bool

        package init(latestAsOptional: Bool = false, namedErrors: Bool = false) {
            self.latestAsOptional = latestAsOptional
            self.namedErrors = namedErrors
        }
    }

    static let maintenanceMessage = "The service is under maintenance. Please try again later."

    /// Checks a version against a config; the first rule that matches decides.
    ///
    /// The order under the standard rules is: no config, maintenance, an error that
    /// `Options.namedErrors` reports, an invalid version, the minimum or forced version, the
    /// blacklist, the optional update, the notice.
    ///
    /// - Parameters:
    ///   - now: the time of the launch.
    ///   - skipped: versions that are not to be offered again; the rule set `source` ignores them.
    package static func decide(
        config input: Input, appVersion: String, now: Instant, rules: Rules = .standard,
        skipped: [String] = [], options: Options = Options()
    ) -> LaunchDecision {
        var decision = LaunchDecision()
        decision.rules = rules
        let config: Launch.Config
        switch input {
        case .failed(let kind, let detail):
            decision.fail(Self.reason(of: kind, detail, rules), Self.message(of: kind, detail))
            return decision
        case .fetched(let fetched): config = fetched
        case .cached(let cached):
            config = cached
            decision.fromCache = true
        }
        decision.latestVersion = config.latestVersion
        if config.maintenance.isOn, !decision.fromCache {
            decision.status = .maintenance
            decision.result = .maintenance
            let isSilent = config.maintenance.message.trimmed.isEmpty && rules == .standard
            decision.message = isSilent ? maintenanceMessage : config.maintenance.message
            return decision
        }
        if options.namedErrors, let error = config.problems.lazy.compactMap(\.namedError).first {
            decision.fail(error, error.name)
            return decision
        }
        let check = Check(
            config: config, appVersion: appVersion, now: now, skipped: skipped, options: options)
        switch rules {
        case .standard: decision.decideStandard(check)
        case .source: decision.decideSource(check)
        }
        return decision
    }

    /// The input of a version check whose config is available.
    private struct Check {
        var config: Launch.Config
        var appVersion: String
        var now: Instant
        var skipped: [String]
        var options: Options

        /// True if this optional version is not to be offered again.
        func skips(_ version: AppVersion) -> Bool { skipped.contains { AppVersion($0) == version } }
    }

    /// Checks the version by the standard rules.
    private mutating func decideStandard(_ check: Check) {
        guard Launch.versionTag(check.appVersion) != nil,
            let current = AppVersion(check.appVersion)
        else {
            let found = check.appVersion.isEmpty ? "missing" : "\"\(check.appVersion)\""
            return fail(.invalidVersion, "the app's version is unreadable: \(found)")
        }
        let config = check.config
        let lowest = parsedVersion(config.minVersion)
        let forced = config.force.link == nil ? nil : parsedVersion(config.force.version)
        // Among equal versions, the first counts.
        let floor = [(lowest, Launch.VersionReason.minVersion), (forced, .forceVersion)]
            .compactMap { floor, reason in
                floor.map { (version: $0.version, text: $0.text, reason: reason) }
            }
            .max { $0.version < $1.version }
        minVersion = floor?.text
        if let floor, current < floor.version {
            return force(floor.reason, to: floor.text, config.force)
        }
        if isBlacklisted(current, config) {
            return force(.blacklist, to: target(above: current, forced), config.force)
        }
        offer(current, check)
    }

    /// Checks the version as the source documents do: by the minimum of S0, then by the four rules
    /// of S2.
    private mutating func decideSource(_ check: Check) {
        let config = check.config
        let current = AppVersion(lenient: check.appVersion)
        minVersion = config.minVersion
        if let lowest = config.minVersion, current < AppVersion(lenient: lowest) {
            return force(.minVersion, to: lowest, config.force)
        }
        guard !check.appVersion.trimmed.isEmpty else {
            let reason = Launch.VersionReason.invalidMainBundleReleaseVersionNumber
            return fail(reason, reason.name)
        }
        let forced = config.force.link == nil ? nil : parsedVersion(config.force.version)
        if let forced, current < forced.version {
            minVersion = forced.text
            return force(.forceVersion, to: forced.text, config.force)
        }
        let trimmed = AppVersion(lenient: check.appVersion.trimmed)
        if isBlacklisted(trimmed, config) {
            return force(.blacklist, to: target(above: current, forced), config.force)
        }
        offer(current, check)
        pending = Array(pending.prefix(1))
        if pending.first != .notice { notice = nil }
    }

    /// Adds the optional update and the notice to the pending steps, if they apply.
    private mutating func offer(_ current: AppVersion, _ check: Check) {
        let config = check.config
        var version = config.optional.version
        if version == nil, check.options.latestAsOptional { version = config.latestVersion }
        if let offered = parsedVersion(version), let link = config.optional.link,
            current < offered.version, rules == .source || !check.skips(offered.version)
        {
            pending.append(.optional)
            targetVersion = offered.text
            url = link
            title = config.optional.title
            message = config.optional.message
        }
        if let active = config.notice, active.start < active.end,
            (active.start...active.end).contains(check.now)
        {
            pending.append(.notice)
            notice = active
        }
        status =
            switch pending.first {
            case .optional: .optional
            case .notice: .notice
            case nil: .valid
            }
    }

    /// Sets the result of the check to a required update.
    private mutating func force(
        _ reason: Launch.VersionReason, to target: String?, _ update: Launch.UpdateOffer
    ) {
        status = .forced
        result = .needsUpdate
        self.reason = reason
        targetVersion = target
        title = update.title
        message = update.message
        url = update.link
    }

    /// Sets the result of the check to an error: the version could not be checked.
    private mutating func fail(_ reason: Launch.VersionReason, _ message: String) {
        status = .error
        result = .error
        self.reason = reason
        self.message = message
    }

    /// True if the blacklist contains the version; the blacklist is ignored if the forced update
    /// has no link.
    private func isBlacklisted(_ current: AppVersion, _ config: Launch.Config) -> Bool {
        guard config.force.link != nil else { return false }
        return config.blacklist.contains { entry in
            switch rules {
            case .standard: Launch.BlockedVersions(entry)?.contains(current) ?? false
            case .source: !entry.trimmed.isEmpty && AppVersion(lenient: entry.trimmed) == current
            }
        }
    }

    /// Parses a version of the config; returns `nil` if the version is missing or invalid, which
    /// switches off the rule that uses the version.
    private func parsedVersion(_ text: String?) -> (version: AppVersion, text: String)? {
        guard let text, !text.trimmed.isEmpty, let version = AppVersion.read(text, rules: rules)
        else { return nil }
        return (version, text)
    }

    /// Returns the version to which a blacklisted version must be updated: the forced version if it
    /// is higher, else `nil`.
    private func target(
        above current: AppVersion, _ forced: (version: AppVersion, text: String)?
    ) -> String? {
        guard let forced, current < forced.version else { return nil }
        return forced.text
    }

    /// Returns the reason to report for a config that could not be fetched.
    private static func reason(
        of kind: Launch.FetchFailure, _ detail: String, _ rules: Rules
    ) -> Launch.VersionReason {
        guard kind == .invalidKey, rules == .source else { return .fetchFailed }
        return Launch.ConfigProblem(name: detail)?.namedError ?? .unknown
    }

    /// Returns the message to report for a config that could not be fetched.
    private static func message(of kind: Launch.FetchFailure, _ detail: String) -> String {
        detail.isEmpty ? kind.name : detail
    }
}
