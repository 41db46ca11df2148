public import Daybook
import DaybookInput

/// A parsed scenario file: one story, in one or more variants.
public struct ScenarioFile: Sendable {
    /// Path of the file, as the user named it.
    public let path: String
    /// Title of the story.
    public let title: String
    /// The variants: one scenario for each combination of a table row and a rule set.
    public let scenarios: [Scenario]
    let text: String

    /// Returns the path of a file, given its name relative to the folder of the scenario at `path`.
    package static func path(of name: String, beside path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }

    /// Parses a scenario in YAML, or in JSON if the path ends in `.json`.
    ///
    /// - Parameter recorded: returns the text of a file with recorded events, given its path
    ///   relative to the scenario's folder.
    public static func parse(
        _ text: String, path: String, catalogue: Catalogue,
        recorded: @escaping (String) throws(InputError) -> String = { (path) throws(InputError) in
            throw InputError(
                "the file '\(path)' cannot be read: this program reads no files of recorded events")
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
                        file: path, catalogue: catalogue, readRecordedFile: recorded)
                    scenarios.append(try reader.scenario(filled, variant, rule))
                }
            }
            return ScenarioFile(path: path, title: title, scenarios: scenarios, text: text)
        } catch {
            throw error.file == nil ? error.inFile(path) : error
        }
    }

    /// Returns the rows of the table, each with its label; without a table, a single row that is
    /// `nil`.
    private static func rows(
        _ section: Section
    ) throws(InputError) -> [(row: Tree?, label: String)] {
        guard section.has("table") else { return [(nil, "")] }
        var rows: [(Tree?, String)] = []
        for (row, path) in try section.list("table") {
            let members = try row.members(path)
            for member in members where Placeholders.runTimeNames.contains(member.key) {
                throw InputError(
                    "'${\(member.key)}' is a built-in placeholder; no column can have its name",
                    line: member.value.line, field: "\(path).\(member.key)")
            }
            let label = row["case"].map(\.label) ?? members.map(\.label).joined(separator: ", ")
            rows.append((row, label))
        }
        guard !rows.isEmpty else {
            throw .expected("a list of rows", try section.required("table"), "table")
        }
        return rows
    }

    /// Returns the scenario with its placeholders replaced by the values of a table row.
    private static func fill(_ tree: Tree, with row: Tree) throws(InputError) -> Tree {
        let values = Dictionary(
            try row.members("table").map { ($0.key, $0.value) }, uniquingKeysWith: { a, _ in a })
        let members = try tree.members("").filter { $0.key != "table" }
        return try Placeholders(values, keepsRunTimeNames: true)
            .fill(Tree(.map(members), line: tree.line), "")
    }

    /// Returns the rule sets under which the scenario runs; the standard rules if the scenario
    /// names no rule set.
    private static func rules(_ tree: Tree, _ known: [RuleSet]) throws(InputError) -> [RuleSet] {
        guard let rules = tree["rules"] else { return [.standard] }
        var texts = [(rules, "rules")]
        if case .list = rules.content { texts = try rules.elements("rules") }
        var sets: [RuleSet] = []
        for (text, field) in texts {
            let set = RuleSet(try text.text(field))
            guard known.contains(set), !sets.contains(set) else {
                let names = known.map(\.name).joined(separator: " or ")
                throw .expected("the rule set \(names), which may be listed only once", text, field)
            }
            sets.append(set)
        }
        guard !sets.isEmpty else { throw .expected("a rule set", rules, "rules") }
        return sets
    }
}

extension Tree {
    /// The value as text, in the label of a variant.
    fileprivate var label: String {
        if case .text(let text) = content { return text }
        return plain ?? json
    }
}

extension Tree.Member {
    /// The key and the value as text, in the label of a variant.
    fileprivate var label: String { "\(key) \(value.label.isEmpty ? "\"\"" : value.label)" }
}
