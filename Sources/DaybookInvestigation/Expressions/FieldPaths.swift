// Paths of fields, as `FlatFields` writes them.
extension String {
    /// True if this path is `path`, or the path of a field within `path`.
    func isWithin(_ path: String) -> Bool {
        guard hasPrefix(path) else { return false }
        let rest = dropFirst(path.count)
        return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
    }

    /// The top-level field of a path: `pending` for `pending[3].status`.
    var topLevelField: String { String(prefix { $0 != "." && $0 != "[" }) }

    /// Returns the path without element indices and without keys of `maps`: `runs.*.days[].m`.
    func generalized(_ maps: Set<String>) -> String {
        // Most paths are names of fields.
        guard utf8.contains(where: { ".[]".utf8.contains($0) }) else { return self }
        var path = ""
        for part in withoutIndices.split(separator: ".", omittingEmptySubsequences: false) {
            let isMember = maps.contains(path)
            path += (path.isEmpty ? "" : ".") + (isMember ? "*" : String(part))
        }
        return path
    }

    /// The path with each index padded to ten digits, so that sorted paths follow the order of list
    /// elements.
    var sortKey: String {
        var text = ""
        for (index, part) in split(separator: "[", omittingEmptySubsequences: false).enumerated() {
            let digits = part.prefix { $0 != "]" }
            if index > 0 { text += "[" + String(repeating: "0", count: max(0, 10 - digits.count)) }
            text += part
        }
        return text
    }

    /// The path without element indices: `rows[].scoreM`.
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
