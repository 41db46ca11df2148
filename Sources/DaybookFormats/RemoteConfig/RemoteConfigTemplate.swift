import Daybook

/// A Firebase template of a remote config: parameters with default and conditional values.
///
/// Source: Firebase Remote Config REST API, `RemoteConfig` and `RemoteConfigParameter`.
struct RemoteConfigTemplate {
    /// The JSON of the template.
    private let tree: Tree
    /// Parameters, also those in groups, each with its path in the JSON.
    private let parameters: [(path: String, key: String, value: Tree)]
    /// Names of the declared conditions, by descending priority.
    private let conditions: [String]

    /// Creates a template from JSON; `nil` if the JSON is not a template.
    init?(_ tree: Tree) {
        let groups = Self.members(tree["parameterGroups"])
        guard tree["parameters"] != nil || !groups.isEmpty else { return nil }
        self.tree = tree
        let own = Self.members(tree["parameters"]).map { ("parameters.\($0.key)", $0) }
        let grouped = groups.flatMap { group in
            Self.members(group.value["parameters"]).map {
                ("parameterGroups.\(group.key).parameters.\($0.key)", $0)
            }
        }
        parameters = (own + grouped).map { ($0, $1.key, $1.value) }
        var conditions: [String] = []
        if case .list(let all) = tree["conditions"]?.content {
            conditions = all.compactMap { condition in
                guard case .text(let name)? = condition["name"]?.content else { return nil }
                return name
            }
        }
        self.conditions = conditions
    }

    /// Returns the members of a JSON object; empty for any other value.
    private static func members(_ tree: Tree?) -> [Tree.Member] {
        guard case .map(let members) = tree?.content else { return [] }
        return members
    }

    /// Returns the flat config that results under the given conditions.
    ///
    /// - Parameters:
    ///   - holding: the conditions that hold, in any order; `nil` if unknown.
    ///   - keys: the known keys; an error is thrown if one of their values is uncertain.
    func values(under holding: [String]?, ofKeys keys: Set<String>) throws(InputError) -> Tree {
        let all = allConditions
        for condition in holding ?? [] where !all.contains(condition) {
            let known = all.map { "'\($0)'" }.joined(separator: ", ")
            throw InputError(
                "has no condition '\(condition)'; known conditions: "
                    + (known.isEmpty ? "none" : known),
                line: tree.line)
        }
        // The template lists its conditions by descending priority.
        let holding = holding.map { names in all.filter(names.contains) }
        var members: [Tree.Member] = []
        for parameter in parameters {
            let value = try value(of: parameter, under: holding, keys)
            if let value { members.append(Tree.Member(key: parameter.key, value: value)) }
        }
        return try RemoteConfigSettings.flattened(Tree(.map(members), line: tree.line), keys: keys)
    }

    /// Names of the declared conditions, then of others that parameters use.
    private var allConditions: [String] {
        var all = conditions
        for parameter in parameters {
            for member in Self.members(parameter.value["conditionalValues"])
            where !all.contains(member.key) {
                all.append(member.key)
            }
        }
        return all
    }

    /// Returns the value of a parameter under the conditions.
    ///
    /// Returns `nil` if the app's built-in default applies, or for an unknown key whose value is
    /// uncertain.
    private func value(
        of parameter: (path: String, key: String, value: Tree), under holding: [String]?,
        _ keys: Set<String>
    ) throws(InputError) -> Tree? {
        let conditional = Self.members(parameter.value["conditionalValues"])
        let candidates =
            conditional.map(\.value) + [parameter.value["defaultValue"]].compactMap(\.self)
        let isUsed =
            keys.contains(parameter.key)
            || candidates.flatMap(Self.possibleValues).contains { Self.holdsSettings($0, keys) }
        if holding == nil, isUsed, !conditional.isEmpty {
            let names = conditional.map { "'\($0.key)'" }.joined(separator: ", ")
            throw InputError(
                "has other values under \(names); give each condition that holds with "
                    + "--condition, or use --no-condition",
                line: parameter.value.line, field: parameter.path)
        }
        let own = (holding ?? []).lazy.compactMap { name in
            conditional.first { $0.key == name }?.value
        }.first
        guard let chosen = own ?? parameter.value["defaultValue"] else { return nil }
        if case .boolean(true) = chosen["useInAppDefault"]?.content { return nil }
        guard let value = chosen["value"] else {
            guard isUsed else { return nil }
            throw InputError(Self.reason(of: chosen), line: chosen.line, field: parameter.path)
        }
        return RemoteConfigSettings.asText(value)
    }

    /// Returns all values that devices may get from a plain value, a rollout or an experiment.
    private static func possibleValues(_ chosen: Tree) -> [Tree] {
        var values = [chosen["value"], chosen["rolloutValue"]?["value"]]
        if case .list(let variants) = chosen["experimentValue"]?["variantValue"]?.content {
            values += variants.map { $0["value"] }
        }
        return values.compactMap(\.self)
    }

    /// True if the value is an object, or a JSON object in a text, with a known key.
    private static func holdsSettings(_ value: Tree, _ keys: Set<String>) -> Bool {
        let alone = Tree(.map([Tree.Member(key: "", value: value)]), line: value.line)
        do throws(InputError) {
            return try RemoteConfigSettings.flattened(alone, keys: keys)[""] == nil
        } catch {
            return true
        }
    }

    /// Returns the reason why the template does not determine a value on a device.
    ///
    /// Source: `RemoteConfigParameterValue`, a union of `value`, `useInAppDefault`,
    /// `personalizationValue`, `rolloutValue` and `experimentValue`.
    private static func reason(of chosen: Tree) -> String {
        if chosen["rolloutValue"] != nil {
            return "is rolled out to a part of the devices (rolloutValue); which value a device "
                + "has is not in the template"
        }
        if chosen["experimentValue"] != nil {
            return "is part of an experiment (experimentValue); which variant a device has is not "
                + "in the template"
        }
        if chosen["personalizationValue"] != nil {
            return "is personalised (personalizationValue); the value that Firebase chooses for a "
                + "user is not in the template"
        }
        guard case .map(let members) = chosen.content else {
            return "expected a value with 'value' or 'useInAppDefault', found \(chosen.noun)"
        }
        let names = members.map { "'\($0.key)'" }.joined(separator: ", ")
        return "expected a value with 'value' or 'useInAppDefault', found "
            + (names.isEmpty ? "an empty object" : "one with \(names)")
    }
}
