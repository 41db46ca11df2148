public import Daybook
public import DaybookModel

/// Reads an app's remote config from JSON.
///
/// The JSON is an `AppConfig` object, Remote Config's flat keys with text values, an object with
/// both, or a template from Firebase's console or tools.
public enum RemoteConfig {
    /// Settings for reading a file that the file itself does not contain.
    public struct Reading: Hashable, Sendable {
        /// The app's own names of keys, by default name.
        public var ownKeys: [String: String]
        /// The conditions of a template that hold, in any order; `nil` if not stated.
        public var conditions: [String]?

        public init(ownKeys: [String: String] = [:], conditions: [String]? = nil) {
            self.ownKeys = ownKeys
            self.conditions = conditions
        }
    }

    /// Reads a config from UTF-8 `bytes`, with or without a byte order mark, and its warnings.
    public static func read(
        _ bytes: some Sequence<UInt8>, rules: InputRules
    ) throws(InputError) -> (config: Launch.Config, warnings: [Launch.Config.Warning]) {
        let parsed = try parse(bytes, rules: rules)
        return (parsed.config, parsed.warnings)
    }

    /// Reads a config from UTF-8 `bytes`, with its warnings and known keys.
    ///
    /// - Throws: an error if the JSON is malformed, or conditions are missing or unknown.
    public static func parse(
        _ bytes: some Sequence<UInt8>, as reading: Reading = Reading(), rules: InputRules
    ) throws(InputError) -> Launch.Config.Parsed {
        let tree = try json(bytes)
        let known = Set(Launch.Config.keys.map { reading.ownKeys[$0] ?? $0 })
        guard let template = RemoteConfigTemplate(tree) else {
            if let conditions = reading.conditions {
                let names = conditions.map { "'\($0)'" }.joined(separator: ", ")
                throw InputError(
                    "is not a template and has no "
                        + (conditions.isEmpty ? "conditions" : "condition \(names)"),
                    line: tree.line)
            }
            let settings = try RemoteConfigSettings.flattened(tree, keys: known)
            return try Launch.Config.parse(settings, ownKeys: reading.ownKeys, rules: rules)
        }
        let flat = try template.values(under: reading.conditions, ofKeys: known)
        return try Launch.Config.parse(flat, ownKeys: reading.ownKeys, rules: rules)
    }

    /// Reads the app's own names of keys from a JSON object: default names as keys, own as values.
    public static func keys(
        _ bytes: some Sequence<UInt8>, rules: InputRules
    ) throws(InputError) -> [String: String] {
        let tree = try json(bytes)
        guard case .map(let members) = tree.content else {
            throw InputError("expected an object, found \(tree.noun)", line: tree.line)
        }
        var keys: [String: String] = [:]
        for member in members {
            guard Launch.Config.keys.contains(member.key) else {
                let known = Launch.Config.keys.sorted().joined(separator: ", ")
                throw InputError(
                    "is not a config key; known keys: \(known)",
                    line: member.value.line, field: member.key)
            }
            guard case .text(let own) = member.value.content, !own.isEmpty else {
                throw InputError(
                    "expected the app's name of the key, found \(member.value.noun)",
                    line: member.value.line, field: member.key)
            }
            if let other = keys.first(where: { $0.value == own })?.key {
                throw InputError(
                    "has the same name as '\(other)'", line: member.value.line, field: member.key)
            }
            keys[member.key] = rules.normalise(own)
        }
        return keys
    }

    /// Parses JSON, ignoring a byte order mark.
    private static func json(_ bytes: some Sequence<UInt8>) throws(InputError) -> Tree {
        var text = Array(bytes)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        return try JSONParser.parse(text)
    }
}
