import Daybook

/// Replaces placeholders such as `${name}` in the texts of a scenario by their values.
///
/// A text that is nothing but one placeholder becomes the value itself, with the value's type.
struct Placeholders {
    /// Names of the built-in placeholders, whose values are known only while a scenario runs.
    static let runTimeNames: Set<String> = ["i", "nowMs", "id", "detail", "delayMs"]
    private let values: [String: Tree]
    /// True if built-in placeholders without a value are left unchanged.
    private let keepsRunTimeNames: Bool

    /// Creates placeholders with the given values, by name.
    ///
    /// - Parameter keepsRunTimeNames: `true` to leave built-in placeholders without a value
    ///   unchanged; otherwise they are errors.
    init(_ values: [String: Tree], keepsRunTimeNames: Bool) {
        self.values = values
        self.keepsRunTimeNames = keepsRunTimeNames
    }

    /// Returns a value with the placeholders in all its texts replaced; throws if a placeholder has
    /// no value.
    func fill(_ tree: Tree, _ path: String) throws(InputError) -> Tree {
        var filled = tree
        switch tree.content {
        case .text(let text):
            filled = try fill(text, tree, path)
        case .list(let elements):
            var list: [Tree] = []
            for (index, element) in elements.enumerated() {
                list.append(try fill(element, "\(path)[\(index)]"))
            }
            filled.content = .list(list)
        case .map(let members):
            var map: [Tree.Member] = []
            for member in members {
                let path = path.isEmpty ? member.key : "\(path).\(member.key)"
                map.append(Tree.Member(key: member.key, value: try fill(member.value, path)))
            }
            filled.content = .map(map)
        case .null, .boolean, .integer, .number: break
        }
        return filled
    }

    /// Returns the value that a text becomes when its placeholders are replaced.
    private func fill(_ text: String, _ tree: Tree, _ path: String) throws(InputError) -> Tree {
        guard text.contains("${") else { return tree }
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                throw InputError(
                    "the placeholder that begins with '${' has no closing '}'", line: tree.line,
                    field: path)
            }
            let name = String(rest[start.upperBound..<end])
            let after = rest.index(after: end)
            if let value = values[name] {
                if result.isEmpty, start.lowerBound == text.startIndex, after == text.endIndex {
                    return Tree(value.content, line: tree.line, plain: value.plain)
                }
                result += try value.text("\(path) ${\(name)}")
            } else if keepsRunTimeNames, Self.runTimeNames.contains(name) {
                result += rest[start.lowerBound..<after]
            } else {
                let known = values.keys.sorted().joined(separator: ", ")
                throw InputError(
                    "the placeholder '${\(name)}' has no value; "
                        + (known.isEmpty
                            ? "no placeholder has one" : "placeholders with a value: \(known)"),
                    line: tree.line, field: path)
            }
            rest = rest[after...]
        }
        return Tree(.text(result + rest), line: tree.line)
    }
}

extension Tree {
    /// Creates an integer, as if it were written as an unquoted scalar.
    static func plain(_ value: Int64) -> Tree {
        Tree(.integer(value), line: 0, plain: String(value))
    }

    /// Creates a text, as if it were written as a quoted scalar.
    static func text(_ value: String) -> Tree { Tree(.text(value), line: 0) }
}
