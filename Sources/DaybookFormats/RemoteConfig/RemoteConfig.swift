import Daybook
import DaybookModel

/// Reads an app's remote config from JSON.
///
/// The JSON is an `AppConfig` object, an object with Remote Config's flat keys and text values, an
/// object with both, or a template from Firebase's console or tools.
enum RemoteConfig {
    /// Settings for reading a config, which its file does not contain.
    struct ReadingSettings: Equatable, Sendable {
        /// The app's own names of config keys, by the default name of the key.
        var ownKeys: [String: String] = [:]
        /// The conditions of a template that hold, in any order; `nil` if the user named none. If
        /// `nil`, a template whose conditions matter is refused.
        var conditions: [String]?
        /// The defaults that the app has for keys without a remote value, by key; `nil` if unknown.
        /// A template can leave known keys to the app.
        var defaults: [String: Tree]?
    }

    /// Reads a config from JSON in UTF-8; returns the config and the warnings about its faults.
    static func read(
        _ bytes: some Sequence<UInt8>, rules: InputRules
    ) throws(InputError) -> (config: Launch.Config, warnings: [Launch.Config.Warning]) {
        let parsed = try parse(bytes, rules: rules)
        return (parsed.config, parsed.warnings)
    }

    /// Reads a config from JSON in UTF-8; returns the config, its warnings and its known keys.
    ///
    /// - Throws: an error if the JSON is malformed, or if a condition is unknown or must be given.
    static func parse(
        _ bytes: some Sequence<UInt8>, as settings: ReadingSettings = ReadingSettings(),
        rules: InputRules
    ) throws(InputError) -> Launch.Config.Parsed {
        var leftKeys: [LeftKey] = []
        return try parse(bytes, as: settings, leftKeys: &leftKeys, rules: rules)
    }

    /// A parameter of a template whose value is the app's own default, which the template lacks.
    struct LeftKey {
        var key: String
        /// Path of the parameter in the template.
        var path: String
        var line: Int
    }

    /// Reads a config from JSON in UTF-8, and the keys for which the app's own defaults count.
    ///
    /// - Parameter leftKeys: gets the known keys that are left to the app and that it has no
    ///   default for, as far as the settings tell.
    static func parse(
        _ bytes: some Sequence<UInt8>, as settings: ReadingSettings,
        leftKeys: inout [LeftKey], rules: InputRules
    ) throws(InputError) -> Launch.Config.Parsed {
        let tree = try JSONParser.parse(bytes)
        let known = Set(Launch.Config.keys.map { settings.ownKeys[$0] ?? $0 })
        guard let template = RemoteConfigTemplate(tree) else {
            if let conditions = settings.conditions {
                let names = conditions.map { "'\($0)'" }.joined(separator: ", ")
                throw InputError(
                    "the config is not a template with conditions; leave out "
                        + (conditions.isEmpty ? "--no-condition" : "--condition \(names)"),
                    line: tree.line)
            }
            let flat = try NestedConfigKeys.flattened(tree, keys: known)
            return try config(flat, settings, rules)
        }
        let flat = try template.flatConfig(
            under: settings.conditions, keys: known, leftKeys: &leftKeys)
        if settings.defaults != nil { leftKeys = [] }
        return try config(flat, settings, rules)
    }

    /// Reads a config whose keys are all at the top level, with the app's defaults for missing keys.
    private static func config(
        _ flat: Tree, _ settings: ReadingSettings, _ rules: InputRules
    ) throws(InputError) -> Launch.Config.Parsed {
        var flat = flat
        if case .map(var members) = flat.content, let defaults = settings.defaults {
            let given = Set(members.map(\.key))
            for (key, value) in defaults.sorted(by: { $0.key < $1.key }) where !given.contains(key)
            {
                members.append(Tree.Member(key: key, value: NestedConfigKeys.asText(value)))
            }
            flat.content = .map(members)
        }
        return try Launch.Config.parse(flat, ownKeys: settings.ownKeys, rules: rules)
    }

    /// Reads the defaults that an app has for keys without a remote value from a JSON object.
    static func defaults(_ bytes: some Sequence<UInt8>) throws(InputError) -> [String: Tree] {
        let tree = try JSONParser.parse(bytes)
        guard case .map(let members) = tree.content else {
            throw InputError(
                "expected a JSON object with the app's defaults by key, found \(tree.noun)",
                line: tree.line)
        }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Reads the app's own names of config keys from a JSON object. Each member of the object has
    /// the default name of a config key as its key, and the app's own name as its value.
    static func ownKeys(
        _ bytes: some Sequence<UInt8>, rules: InputRules
    ) throws(InputError) -> [String: String] {
        let tree = try JSONParser.parse(bytes)
        guard case .map(let members) = tree.content else {
            throw InputError(
                "expected a JSON object with the app's own names of the keys, found \(tree.noun)",
                line: tree.line)
        }
        var keys: [String: String] = [:]
        for member in members {
            guard Launch.Config.keys.contains(member.key) else {
                let known = Launch.Config.keys.sorted().joined(separator: ", ")
                throw InputError(
                    "the config key '\(member.key.prefix(60))' is unknown; known keys: \(known)",
                    line: member.value.line, field: member.key)
            }
            guard case .text(let own) = member.value.content, !own.isEmpty else {
                throw InputError(
                    "expected the app's own name of the key, as a text, found \(member.value.noun)",
                    line: member.value.line, field: member.key)
            }
            if let other = keys.first(where: { $0.value == own })?.key {
                throw InputError(
                    "expected a name that no other key has, found '\(own)', which is the name of "
                        + "'\(other)'",
                    line: member.value.line, field: member.key)
            }
            keys[member.key] = rules.normalise(own)
        }
        return keys
    }
}
