import Daybook

/// A Firebase template of a remote config: parameters with default and conditional values.
///
/// Source: Firebase Remote Config REST API, `RemoteConfig` and `RemoteConfigParameter`.
struct RemoteConfigTemplate {
    private let tree: Tree
    /// All parameters, including those in groups, each with its path in the JSON.
    private let parameters: [(path: String, key: String, value: Tree)]
    /// Names of the conditions that the template declares, in descending order of priority.
    private let conditions: [String]

    /// Creates a template from JSON; `nil` if the JSON has neither parameters nor groups of them.
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

    /// Returns the members of a JSON object; returns no members for any other value.
    private static func members(_ tree: Tree?) -> [Tree.Member] {
        guard case .map(let members) = tree?.content else { return [] }
        return members
    }

    /// Returns the config that a device gets if the given conditions hold.
    ///
    /// - Parameters:
    ///   - holding: the conditions that hold, in any order; `nil` if unknown.
    ///   - keys: the known keys of a config.
    ///   - leftKeys: gets the parameters with known keys that the template leaves to the app.
    /// - Throws: an error for an unknown condition, or if the value of a known key is uncertain.
    func flatConfig(
        under holding: [String]?, keys: Set<String>, leftKeys: inout [RemoteConfig.LeftKey]
    ) throws(InputError) -> Tree {
        let all = allConditions
        for condition in holding ?? [] where !all.contains(condition) {
            let known = all.map { "'\($0)'" }.joined(separator: ", ")
            throw InputError(
                "the template has no condition '\(condition)'; known conditions: "
                    + (known.isEmpty ? "none" : known),
                line: tree.line)
        }
        // The template lists its conditions by descending priority.
        let holding = holding.map { names in all.filter(names.contains) }
        var members: [Tree.Member] = []
        for parameter in parameters {
            let value = try value(of: parameter, under: holding, keys, &leftKeys)
            if let value { members.append(Tree.Member(key: parameter.key, value: value)) }
        }
        return try NestedConfigKeys.flattened(Tree(.map(members), line: tree.line), keys: keys)
    }

    /// Names of the declared conditions, then of undeclared conditions that parameters use.
    private var allConditions: [String] {
        var all = conditions
        for parameter in parameters {
            for member in Self.members(parameter.value["conditionalValues"])
            where !all.contains(member.key) { all.append(member.key) }
        }
        return all
    }

    /// Returns the value that a device gets for a parameter if the given conditions hold.
    ///
    /// Returns `nil` if the app's own default applies, or for an unknown key whose value is
    /// uncertain.
    ///
    /// - Parameters:
    ///   - holding: the conditions that hold, in descending order of priority; `nil` if unknown.
    ///   - leftKeys: gets the parameter if it has a known key and the app's own default applies.
    private func value(
        of parameter: (path: String, key: String, value: Tree), under holding: [String]?,
        _ keys: Set<String>, _ leftKeys: inout [RemoteConfig.LeftKey]
    ) throws(InputError) -> Tree? {
        let conditional = Self.members(parameter.value["conditionalValues"])
        let candidates =
            conditional.map(\.value) + [parameter.value["defaultValue"]].compactMap(\.self)
        let isUsed =
            keys.contains(parameter.key)
            || candidates.flatMap(Self.possibleValues).contains { Self.hasNestedSettings($0, keys) }
        if holding == nil, isUsed, !conditional.isEmpty {
            let names = conditional.map { "'\($0.key)'" }.joined(separator: ", ")
            throw InputError(
                "the value of the parameter depends on the conditions \(names); name those that "
                    + "hold with --condition, or use --no-condition",
                line: parameter.value.line, field: parameter.path)
        }
        let own = (holding ?? []).lazy.compactMap { name in
            conditional.first { $0.key == name }?.value
        }.first
        // Without any value for a device, Firebase leaves the app's own default in place.
        let chosen = own ?? parameter.value["defaultValue"]
        let isInApp = chosen.map { $0["useInAppDefault"]?.content == .boolean(true) } ?? true
        guard let chosen, !isInApp else {
            if isUsed {
                leftKeys.append(
                    RemoteConfig.LeftKey(
                        key: parameter.key, path: parameter.path,
                        line: (chosen ?? parameter.value).line))
            }
            return nil
        }
        guard let value = chosen["value"] else {
            guard isUsed else { return nil }
            throw InputError(
                Self.uncertaintyReason(of: chosen), line: chosen.line, field: parameter.path)
        }
        return NestedConfigKeys.asText(value)
    }

    /// Returns all values that devices may get from one conditional or default value. A rollout or
    /// an experiment gives devices different values.
    private static func possibleValues(_ chosen: Tree) -> [Tree] {
        var values = [chosen["value"], chosen["rolloutValue"]?["value"]]
        if case .list(let variants) = chosen["experimentValue"]?["variantValue"]?.content {
            values += variants.map { $0["value"] }
        }
        return values.compactMap(\.self)
    }

    /// True if the value is an object with a known key, or a text with such an object as JSON.
    private static func hasNestedSettings(_ value: Tree, _ keys: Set<String>) -> Bool {
        let alone = Tree(.map([Tree.Member(key: "", value: value)]), line: value.line)
        do throws(InputError) {
            return try NestedConfigKeys.flattened(alone, keys: keys)[""] == nil
        } catch {
            return true
        }
    }

    /// Returns a message that says why the template alone does not tell which value a device gets.
    /// Source: `RemoteConfigParameterValue`, a union of `value`, `useInAppDefault`,
    /// `personalizationValue`, `rolloutValue` and `experimentValue`.
    private static func uncertaintyReason(of chosen: Tree) -> String {
        if chosen["rolloutValue"] != nil {
            return "the value is rolled out to a part of the devices (rolloutValue); the template "
                + "does not tell which value a device has"
        }
        if chosen["experimentValue"] != nil {
            return "the value is part of an experiment (experimentValue); the template does not "
                + "tell which variant a device has"
        }
        if chosen["personalizationValue"] != nil {
            return "the value is personalised (personalizationValue); the template does not tell "
                + "which value Firebase chooses for a user"
        }
        guard case .map(let members) = chosen.content else {
            return "expected an object with 'value' or 'useInAppDefault', found \(chosen.noun)"
        }
        let names = members.map { "'\($0.key)'" }.joined(separator: ", ")
        return "expected an object with 'value' or 'useInAppDefault', found "
            + (names.isEmpty ? "an empty object" : "one with \(names)")
    }
}
