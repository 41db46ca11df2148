import Daybook

/// A replacement of placeholders such as `${name}` by values.
///
/// A text that consists of a single placeholder becomes the value itself, of any type.
struct Placeholders {
    /// Names whose values are known only while a scenario runs.
    static let late: Set<String> = ["i", "nowMs", "id", "detail", "delayMs"]

    private let values: [String: Tree]
    private let keepsLate: Bool

    /// - Parameter keepsLate: `true` to leave the placeholders of `late` unchanged.
    init(_ values: [String: Tree], keepsLate: Bool) {
        self.values = values
        self.keepsLate = keepsLate
    }

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

    private func fill(_ text: String, _ tree: Tree, _ path: String) throws(InputError) -> Tree {
        guard text.contains("${") else { return tree }
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                throw InputError("'${' has no '}'", line: tree.line, field: path)
            }
            let name = String(rest[start.upperBound..<end])
            let after = rest.index(after: end)
            if let value = values[name] {
                if result.isEmpty, start.lowerBound == text.startIndex, after == text.endIndex {
                    return Tree(value.content, line: tree.line, plain: value.plain)
                }
                result += try value.text("\(path) ${\(name)}")
            } else if keepsLate, Self.late.contains(name) {
                result += rest[start.lowerBound..<after]
            } else {
                let known = values.keys.sorted().joined(separator: ", ")
                throw InputError(
                    "there is no value '\(name)' for '${\(name)}' here; "
                        + "expected \(known.isEmpty ? "none" : known)",
                    line: tree.line, field: path)
            }
            rest = rest[after...]
        }
        return Tree(.text(result + rest), line: tree.line)
    }
}

extension Tree {
    static func plain(_ value: Int64) -> Tree {
        Tree(.integer(value), line: 0, plain: String(value))
    }

    static func text(_ value: String) -> Tree { Tree(.text(value), line: 0) }
}
