package import Daybook

extension Launch.Config {
    /// A parsed config, its digest and the warnings about it.
    package struct Parsed: Equatable, Sendable {
        package var config: Launch.Config
        package var digest: Digest
        package var warnings: [Warning]
        /// Config keys that occur in the file and that the parser knows, as spelled in the file.
        package var knownKeys: Set<String>
    }

    /// Default names of the JSON keys from which a config is read.
    package static var keys: Set<String> { ConfigParser.keys }

    /// A mistake in a config that can still be read; it disables a rule of the version check or has
    /// no effect.
    ///
    /// A warning names the key and never its value, because a config template contains the settings
    /// of the whole app.
    package struct Warning: Hashable, Sendable, CustomStringConvertible {
        package var problem: Launch.ConfigProblem
        package var key: String
        /// Description of the value that was found, without the value itself.
        package var found: String
        /// Description of the accepted values, and of what the problem causes.
        package var expected: String
        /// Line in the file, from 1.
        package var line: Int

        package var description: String {
            "line \(line): field '\(key)': found \(found), expected \(expected)"
        }
    }

    /// Parses a config in the form of source S0 (an object with `minVersion`, …), of source S2
    /// (flat keys), or both.
    ///
    /// - Parameter ownKeys: the app's own names of config keys, by default name.
    ///
    /// - Throws: an error if a value has the wrong type for its key.
    package static func parse(
        _ tree: Tree, field: String = "", ownKeys: [String: String] = [:], rules: InputRules
    ) throws(InputError) -> Parsed {
        var parser = ConfigParser(tree, field, ownKeys, rules)
        var config = try parser.config()
        config.problems = parser.warnings.map(\.problem)
        return Parsed(
            config: config, digest: parser.digest(of: config), warnings: parser.warnings,
            knownKeys: parser.knownKeys)
    }
}

/// Parses a config, one key at a time, and collects warnings.
private struct ConfigParser {
    let tree: Tree
    /// Path of the field that contains the config, for errors; empty for a whole file.
    let path: String
    /// The app's own names of config keys, by default name.
    let ownKeys: [String: String]
    let rules: InputRules
    /// Warnings so far.
    var warnings: [Launch.Config.Warning] = []

    init(_ tree: Tree, _ path: String, _ ownKeys: [String: String], _ rules: InputRules) {
        self.tree = tree
        self.path = path
        self.ownKeys = ownKeys
        self.rules = rules
    }

    /// Returns the name that the file uses for the key with this default name.
    private func name(_ key: String) -> String { ownKeys[key] ?? key }

    /// Returns the value of a key; `nil` if the file lacks the key.
    private func value(_ key: String) -> Tree? { tree[name(key)] }

    /// Config keys that occur in the file and that the parser knows, as spelled in the file.
    var knownKeys: Set<String> {
        guard case .map(let members) = tree.content else { return [] }
        return Set(members.map(\.key)).intersection(Self.keys.map(name))
    }

    /// Returns a hash of the record's fields.
    func digest(of value: some Record) -> Digest {
        Digest(bits: rules.digest(JSONWriter.text(value)))
    }

    /// Parses the whole config.
    mutating func config() throws(InputError) -> Launch.Config {
        guard case .map(let members) = tree.content else {
            throw InputError(
                "expected an object as the config, found \(tree.noun)", line: tree.line,
                field: path)
        }
        var config = Launch.Config()
        config.minVersion = try version("minVersion")
        config.latestVersion = try version("latestVersion")
        config.maintenance.isOn = try boolean("maintenanceMode", orElse: nil)
        config.maintenance.message = try text("maintenanceMessage") ?? ""
        config.force = try updateOffer("forceUpdate")
        config.blacklist = try blacklist()
        try check(
            config.force, "forceUpdate", isUsed: !config.blacklist.isEmpty,
            .notFoundForceUpdateAppVersionKey)
        config.optional = try updateOffer("optionalUpdate")
        try check(
            config.optional, "optionalUpdate", isUsed: false, .notFoundOptionalUpdateAppVersionKey)
        config.notice = try notice()
        let known = Set(Self.keys.map(name))
        for member in members where !known.contains(member.key) {
            warn(
                .unknownKey, own: member.key, at: member.value.line, found: "an unknown key",
                expected: "a known config key")
        }
        return config
    }

    /// Reads the forced or the optional update, whose keys begin with `prefix`, such as
    /// `forceUpdate`.
    private mutating func updateOffer(_ prefix: String) throws(InputError) -> Launch.UpdateOffer {
        // `…MessageKey` is how the README of 0.8.0 spells `…AlertMessageKey`.
        let shortMessage = try text("\(prefix)MessageKey")
        let message = try text("\(prefix)AlertMessageKey")
        return Launch.UpdateOffer(
            version: try version("\(prefix)AppVersionKey"),
            title: try text("\(prefix)AlertTitleKey"), message: message ?? shortMessage,
            url: try text("\(prefix)AlertDoneLinkURLKey")?.trimmed.nonEmpty)
    }

    /// Adds warnings if an update has no version or no usable link.
    ///
    /// - Parameter isUsed: true if the blacklist needs the update even without a version.
    private mutating func check(
        _ update: Launch.UpdateOffer, _ prefix: String, isUsed: Bool,
        _ versionMissing: Launch.ConfigProblem
    ) throws(InputError) {
        let versionKey = "\(prefix)AppVersionKey"
        let urlKey = "\(prefix)AlertDoneLinkURLKey"
        if update.url != nil, update.link == nil {
            warn(
                .invalidLinkURLValue, urlKey, found: "a text that is not a link",
                expected: "a link with its scheme; without one the rule is off")
        } else if update.url == nil, update.version != nil || isUsed {
            warn(
                .notFoundLinkURLKey, urlKey, found: "none",
                expected: "a link; without one the rule is off")
        }
        let others: [String?] = [update.title, update.message, update.url]
        if value(versionKey) == nil, isUsed || others.contains(where: { $0 != nil }) {
            warn(
                versionMissing, versionKey, found: "none",
                expected: "a version, or an empty text; without one the rule is off")
        }
    }

    /// Reads the blacklist, and adds a warning for each invalid entry.
    private mutating func blacklist() throws(InputError) -> [String] {
        let key = "blackListVersionsKey"
        guard let list = try text(key) else { return [] }
        let entries = list.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        let line = value(key)?.line
        for entry in entries where Launch.BlockedVersions(entry) == nil {
            warn(
                .invalidVersion, key, at: line, found: "an entry that is not a version",
                expected: "versions like 1.2.3 or ranges like 1.0.0-1.2.0, separated by commas")
        }
        return entries
    }

    /// Reads the notice; returns `nil` if its times are missing, invalid or in the wrong order.
    private mutating func notice() throws(InputError) -> Launch.Notice? {
        var notice = Launch.Notice()
        notice.title = try text("noticeAlertTitleKey") ?? ""
        notice.message = try text("noticeAlertMessageKey") ?? ""
        notice.url = try text("noticeAlertDoneURLKey")?.trimmed.nonEmpty
        notice.endsApp = try boolean("noticeAlertDismissedTerminateKey", orElse: false)
        if let url = notice.url, Launch.link(url) == nil {
            warn(
                .invalidLinkURLValue, "noticeAlertDoneURLKey", found: "a text that is not a link",
                expected: "a link with its scheme; the notice appears without a link")
            notice.url = nil
        }
        let isSaid = !notice.title.isEmpty || !notice.message.isEmpty
        let hasStart = try text("noticeStartDateKey")?.trimmed.nonEmpty != nil
        let hasEnd = try text("noticeEndDateKey")?.trimmed.nonEmpty != nil
        let start = try time("noticeStartDateKey", isNeeded: isSaid || hasEnd)
        let end = try time("noticeEndDateKey", isNeeded: isSaid || hasStart)
        guard let start, let end else { return nil }
        guard start < end else {
            warn(
                .noticeStartNotBeforeEnd, "noticeEndDateKey",
                found: "a time that is not after the start",
                expected: "a later time; the notice is off")
            return nil
        }
        if notice.title.trimmed.isEmpty, notice.message.trimmed.isEmpty {
            warn(
                .noticeWithoutText, "noticeAlertMessageKey", found: "no title and no message",
                expected: "a text; the notice is an empty dialog")
        }
        notice.start = start
        notice.end = end
        notice.digest = digest(of: notice)
        return notice
    }

    /// Reads a time, rounded down to milliseconds as in source S2; `nil` if the time is invalid or
    /// missing; adds a warning, unless the time is missing and not needed.
    private mutating func time(_ key: String, isNeeded: Bool) throws(InputError) -> Instant? {
        let text = try text(key)?.trimmed.nonEmpty
        let expected = "a time like 2023-02-12T02:22:40Z; without it the notice is off"
        guard let text else {
            if isNeeded { warn(.invalidNoticeDate, key, found: "none", expected: expected) }
            return nil
        }
        guard let instant = Timestamp.parse(text, offsets: .compactToo)?.instant else {
            warn(.invalidNoticeDate, key, found: "a text that is not a time", expected: expected)
            return nil
        }
        let us = instant.microseconds
        return Instant(microseconds: us - (us % 1_000 + 1_000) % 1_000)
    }

    /// Reads the text of a version, and adds a warning if it cannot be parsed.
    private mutating func version(_ key: String) throws(InputError) -> String? {
        guard let text = try text(key)?.trimmed.nonEmpty else { return nil }
        if AppVersion(text) == nil {
            warn(
                .invalidVersion, key, found: "a text that is not a version",
                expected: "a version like 1.2.3; the standard rules ignore this text")
        }
        return text
    }

    /// Reads a text; `nil` if the file lacks the key or its value is `null`.
    private func text(_ key: String) throws(InputError) -> String? {
        guard let value = value(key) else { return nil }
        if case .null = value.content { return nil }
        if case .text(let text) = value.content { return rules.normalise(text) }
        if let plain = value.plain { return rules.normalise(plain) }
        throw error("expected a text, found \(value.noun)", key)
    }

    /// Reads a boolean, or a word that Firebase accepts as a boolean, such as `yes`. For any other
    /// text, adds a warning and returns `other`; throws if `other` is `nil`.
    private mutating func boolean(_ key: String, orElse other: Bool?) throws(InputError) -> Bool {
        guard let value = value(key) else { return false }
        if case .boolean(let boolean) = value.content { return boolean }
        guard let text = try text(key) else { return false }
        switch text.trimmed.lowercased() {
        case "true", "1", "t", "yes", "y", "on": return true
        case "false", "0", "f", "no", "n", "off", "": return false
        default: break
        }
        guard let other else { throw error("expected true or false, found \(value.noun)", key) }
        warn(
            .invalidBoolean, key, found: "a value that is neither true nor false",
            expected: "true or false; the value counts as \(other)")
        return other
    }

    /// Adds a warning about a key, given by its default name.
    private mutating func warn(
        _ problem: Launch.ConfigProblem, _ key: String, at line: Int? = nil, found: String,
        expected: String
    ) {
        warn(
            problem, own: name(key), at: line ?? value(key)?.line ?? tree.line, found: found,
            expected: expected)
    }

    /// Adds a warning about a key, given by its name in the file.
    private mutating func warn(
        _ problem: Launch.ConfigProblem, own key: String, at line: Int, found: String,
        expected: String
    ) {
        warnings.append(
            Launch.Config.Warning(
                problem: problem, key: key, found: found, expected: expected, line: line))
    }

    /// Returns an error about the value of a key.
    private func error(_ message: String, _ key: String) -> InputError {
        let key = name(key)
        return InputError(
            message, line: tree[key]?.line, field: path.isEmpty ? key : "\(path).\(key)")
    }

    /// Default names of all config keys that the parser reads.
    static let keys: Set<String> = [
        "minVersion", "latestVersion", "maintenanceMode", "maintenanceMessage",
        "forceUpdateAppVersionKey", "forceUpdateAlertTitleKey", "forceUpdateAlertMessageKey",
        "forceUpdateMessageKey", "forceUpdateAlertDoneLinkURLKey", "blackListVersionsKey",
        "optionalUpdateAppVersionKey", "optionalUpdateAlertTitleKey",
        "optionalUpdateAlertMessageKey", "optionalUpdateMessageKey",
        "optionalUpdateAlertDoneLinkURLKey", "noticeAlertTitleKey", "noticeAlertMessageKey",
        "noticeStartDateKey", "noticeEndDateKey", "noticeAlertDoneURLKey",
        "noticeAlertDismissedTerminateKey",
    ]
}

extension String {
    /// The text, or `nil` if it is empty.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
