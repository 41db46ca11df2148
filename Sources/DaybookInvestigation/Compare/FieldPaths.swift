// Paths of fields, as `FlatFields` writes them.
extension String {
    /// `true` if this path is `path` or lies within it.
    func isWithin(_ path: String) -> Bool {
        guard hasPrefix(path) else { return false }
        let rest = dropFirst(path.count)
        return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
    }

    /// The state's own field that a path begins with: `pending` of `pending[3].status`.
    var ownField: String { String(prefix { $0 != "." && $0 != "[" }) }

    /// A path without the numbers of elements and the names of members: `runs.*.days[].m`.
    func general(_ maps: Set<String>) -> String {
        var path = ""
        for part in withoutIndices.split(separator: ".", omittingEmptySubsequences: false) {
            let isMember = maps.contains(path)
            path += (path.isEmpty ? "" : ".") + (isMember ? "*" : String(part))
        }
        return path
    }

    /// The path with numbers of elements as wide as any, which sorts as the lists do.
    var inOrder: String {
        var text = ""
        for (index, part) in split(separator: "[", omittingEmptySubsequences: false).enumerated() {
            let digits = part.prefix { $0 != "]" }
            if index > 0 { text += "[" + String(repeating: "0", count: max(0, 10 - digits.count)) }
            text += part
        }
        return text
    }

    /// A path without the numbers of elements: `rows[].scoreM`.
    var withoutIndices: String {
        var text = ""
        var isIndex = false
        for character in self {
            if character == "]" { isIndex = false }
            if !isIndex { text.append(character) }
            if character == "[" { isIndex = true }
        }
        return text
    }
}
