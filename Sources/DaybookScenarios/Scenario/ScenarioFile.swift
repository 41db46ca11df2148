public import Daybook

/// A parsed scenario file: one story in one or several variants.
public struct ScenarioFile: Sendable {
    /// Path of the file, as the user named it.
    public let path: String
    /// Title of the story.
    public let title: String
    /// The variants: one scenario for each combination of a table row and a rule set.
    public let scenarios: [Scenario]
    let text: String

    /// Returns the path of a file that a scenario names relative to the scenario's folder.
    package static func path(of name: String, beside path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// Parses a scenario in YAML, or in JSON if the path ends in `.json`.
    ///
    /// - Parameter recorded: returns the text of a file of recorded JSON lines, whose path is
    ///   relative to the scenario's folder.
    public static func parse(
        _ text: String, path: String, catalogue: Catalogue,
        recorded: @escaping (String) throws(InputError) -> String = { (path) throws(InputError) in
            throw InputError("'\(path)' cannot be read here")
        }
    ) throws(InputError) -> ScenarioFile {
        do throws(InputError) {
            let tree =
                path.hasSuffix(".json")
                ? try JSONParser.parse(text.utf8) : try YAMLParser.parse(text)
            let section = try Section(tree, "", keys: ScenarioFormat.scenario)
            let title = try section.requiredText("scenario")
            var scenarios: [Scenario] = []
            for (row, label) in try rows(section) {
                let filled =
                    try row.map { (row) throws(InputError) in try fill(tree, with: row) } ?? tree
                let rules = try self.rules(filled, catalogue.rules)
                for rule in rules {
                    let variant = [label, rules.count > 1 ? rule.name : ""]
                        .filter { !$0.isEmpty }.joined(separator: ", ")
                    var reader = ScenarioReader(
                        file: path, catalogue: catalogue, recorded: recorded)
                    scenarios.append(try reader.scenario(filled, variant, rule))
                }
            }
            return ScenarioFile(path: path, title: title, scenarios: scenarios, text: text)
        } catch {
            throw error.file == nil ? error.inFile(path) : error
        }
    }

    private static func rows(
        _ section: Section
    ) throws(InputError) -> [(row: Tree?, label: String)] {
        guard section.has("table") else { return [(nil, "")] }
        var rows: [(Tree?, String)] = []
        for (row, path) in try section.list("table") {
            let members = try row.members(path)
            for member in members where Placeholders.late.contains(member.key) {
                throw InputError(
                    "'${\(member.key)}' is a built-in placeholder", line: member.value.line,
                    field: "\(path).\(member.key)")
            }
            let label = row["case"].map(\.label) ?? members.map(\.label).joined(separator: ", ")
            rows.append((row, label))
        }
        guard !rows.isEmpty else {
            throw .expected("a list of rows", try section.required("table"), "table")
        }
        return rows
    }

    private static func fill(_ tree: Tree, with row: Tree) throws(InputError) -> Tree {
        let values = Dictionary(
            try row.members("table").map { ($0.key, $0.value) }, uniquingKeysWith: { a, _ in a })
        let members = try tree.members("").filter { $0.key != "table" }
        return try Placeholders(values, keepsLate: true)
            .fill(Tree(.map(members), line: tree.line), "")
    }

    private static func rules(_ tree: Tree, _ known: [RuleSet]) throws(InputError) -> [RuleSet] {
        guard let rules = tree["rules"] else { return [.standard] }
        var texts = [(rules, "rules")]
        if case .list = rules.content { texts = try rules.elements("rules") }
        var sets: [RuleSet] = []
        for (text, field) in texts {
            let set = RuleSet(try text.text(field))
            guard known.contains(set), !sets.contains(set) else {
                let names = known.map(\.name).joined(separator: " or ")
                throw .expected("\(names), each at most once", text, field)
            }
            sets.append(set)
        }
        guard !sets.isEmpty else { throw .expected("a rule set", rules, "rules") }
        return sets
    }
}

extension Tree {
    fileprivate var label: String {
        if case .text(let text) = content { return text }
        return plain ?? json
    }
}

extension Tree.Member {
    fileprivate var label: String { "\(key) \(value.label.isEmpty ? "\"\"" : value.label)" }
}
