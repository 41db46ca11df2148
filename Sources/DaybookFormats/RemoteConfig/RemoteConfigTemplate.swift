import Daybook

/// A template of Remote Config: parameters with a default value and conditional values.
///
/// Source: Firebase Remote Config REST API, `RemoteConfig` and `RemoteConfigParameter`.
struct RemoteConfigTemplate {
    private let tree: Tree
    /// Parameters with their paths, including parameters of groups.
    private let parameters: [(path: String, key: String, value: Tree)]
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

    private static func members(_ tree: Tree?) -> [Tree.Member] {
        guard case .map(let members) = tree?.content else { return [] }
        return members
    }

    /// Returns the flat config under the given conditions.
    ///
    /// - Parameters:
    ///   - holding: the conditions that hold, in any order; `nil` if unknown.
    ///   - keys: the parameters whose values must be certain; otherwise an error is thrown.
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
        return try RemoteConfigSettings.opened(Tree(.map(members), line: tree.line), keys: keys)
    }

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

    /// Returns the value of a parameter; `nil` if the app's built-in default applies.
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

    /// Returns all values that a device may get: plain, of a rollout, or of an experiment.
    private static func possibleValues(_ chosen: Tree) -> [Tree] {
        var values = [chosen["value"], chosen["rolloutValue"]?["value"]]
        if case .list(let variants) = chosen["experimentValue"]?["variantValue"]?.content {
            values += variants.map { $0["value"] }
        }
        return values.compactMap(\.self)
    }

    /// True for an object, or an object as JSON text, with a known key.
    private static func holdsSettings(_ value: Tree, _ keys: Set<String>) -> Bool {
        let alone = Tree(.map([Tree.Member(key: "", value: value)]), line: value.line)
        do throws(InputError) {
            return try RemoteConfigSettings.opened(alone, keys: keys)[""] == nil
        } catch {
            return true
        }
    }

    /// Returns the reason why the template does not determine a value.
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
