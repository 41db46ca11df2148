import EventSourcing

/// A template of Remote Config: parameters with a default value and values under conditions.
///
/// Source: Firebase Remote Config REST API, `RemoteConfig` and `RemoteConfigParameter`.
struct RemoteConfigTemplate {
    private let tree: Tree
    /// Parameters, those of groups included, with their paths.
    private let parameters: [(path: String, key: String, value: Tree)]
    private let conditions: [String]

    /// `nil` for a tree of another form.
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

    /// The flat config where one condition holds, or none does.
    ///
    /// - Parameter keys: parameters whose values have to be certain.
    func values(under condition: String?, ofKeys keys: Set<String>) throws(InputError) -> Tree {
        if let condition, !allConditions.contains(condition) {
            let known = allConditions.map { "'\($0)'" }.joined(separator: ", ")
            throw InputError(
                "has no condition '\(condition)'; there are \(known.isEmpty ? "none" : known)",
                line: tree.line)
        }
        var members: [Tree.Member] = []
        for parameter in parameters {
            let value = try value(
                of: parameter.value, parameter.path, under: condition,
                isUsed: keys.contains(parameter.key))
            if let value { members.append(Tree.Member(key: parameter.key, value: value)) }
        }
        return Tree(.map(members), line: tree.line)
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

    /// `nil` for a parameter whose value is the app's own default.
    private func value(
        of parameter: Tree, _ path: String, under condition: String?, isUsed: Bool
    ) throws(InputError) -> Tree? {
        let conditional = Self.members(parameter["conditionalValues"])
        if condition == nil, isUsed, !conditional.isEmpty {
            let names = conditional.map { "'\($0.key)'" }.joined(separator: ", ")
            throw InputError(
                "has other values under \(names); name the condition that holds with --condition",
                line: parameter.line, field: path)
        }
        let own = conditional.first { $0.key == condition }?.value
        guard let chosen = own ?? parameter["defaultValue"] else { return nil }
        if case .boolean(true) = chosen["useInAppDefault"]?.content { return nil }
        guard let value = chosen["value"] else {
            guard isUsed else { return nil }
            throw InputError(
                "expected a value with 'value' or 'useInAppDefault', found \(chosen.noun)",
                line: chosen.line, field: path)
        }
        return value
    }
}
