public import Daybook
import DaybookInput

extension TraceComparison {
    /// Parses a YAML list of expected differences: `[{field: sum, reason: rounded}]`.
    public static func expectations(of text: String) throws(InputError) -> [Expectation] {
        let tree = try YAMLParser.parse(text)
        guard case .list(let elements) = tree.content else {
            throw InputError("expected a list of differences, found \(tree.noun)", line: tree.line)
        }
        var expectations: [Expectation] = []
        for (index, element) in elements.enumerated() {
            guard case .map(let members) = element.content else {
                throw InputError(
                    "expected an object that describes a difference, found \(element.noun)",
                    line: element.line, field: "[\(index)]")
            }
            for member in members where !["field", "kind", "key", "reason"].contains(member.key) {
                throw InputError(
                    "expected the key 'field', 'kind', 'key' or 'reason', found '\(member.key)'",
                    line: member.value.line, field: "[\(index)]")
            }
            expectations.append(
                Expectation(
                    field: try member("field", of: element, index),
                    kind: element["kind"] == nil ? nil : try member("kind", of: element, index),
                    key: element["key"] == nil ? nil : try member("key", of: element, index),
                    reason: try member("reason", of: element, index)))
        }
        return expectations
    }

    /// Returns a member of the expectation with an index as text; throws if it is missing.
    private static func member(
        _ name: String, of tree: Tree, _ index: Int
    ) throws(InputError) -> String {
        guard let member = tree[name] else {
            throw InputError(
                "the description of the difference has no key '\(name)'", line: tree.line,
                field: "[\(index)].\(name)")
        }
        if let plain = member.plain { return plain }
        guard case .text(let text) = member.content else {
            throw InputError(
                "expected a text in '\(name)', found \(member.noun)", line: member.line,
                field: "[\(index)].\(name)")
        }
        return text
    }
}
