import Daybook

/// An object of a scenario file, whose possible keys are known.
struct Section {
    let tree: Tree
    let path: String

    /// - Throws: if `tree` is not an object, or has a key outside `keys`.
    init(_ tree: Tree, _ path: String, keys: [String]) throws(InputError) {
        guard case .map(let members) = tree.content else {
            throw InputError.expected("an object", tree, path)
        }
        self.tree = tree
        self.path = path
        for member in members where !keys.contains(member.key) {
            throw InputError(
                "is an unknown key; expected one of \(keys.joined(separator: ", "))",
                line: member.value.line, field: field(member.key))
        }
    }

    func field(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func has(_ key: String) -> Bool { tree[key] != nil }

    func missing(_ key: String) -> InputError {
        InputError("is missing", line: tree.line, field: field(key))
    }

    func required(_ key: String) throws(InputError) -> Tree {
        guard let child = tree[key] else { throw missing(key) }
        return child
    }

    func text(_ key: String) throws(InputError) -> String? {
        guard let child = tree[key] else { return nil }
        return try child.text(field(key))
    }

    func requiredText(_ key: String) throws(InputError) -> String {
        try required(key).text(field(key))
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(InputError) -> Int64? {
        guard let child = tree[key] else { return nil }
        guard case .integer(let value) = child.content, range.contains(value) else {
            throw .expected(
                "a whole number from \(range.lowerBound) to \(range.upperBound)", child,
                field(key))
        }
        return value
    }

    func boolean(_ key: String) throws(InputError) -> Bool? {
        guard let child = tree[key] else { return nil }
        guard case .boolean(let value) = child.content else {
            throw .expected("true or false", child, field(key))
        }
        return value
    }

    /// Returns the elements of a list with their paths; empty if the key is missing.
    func list(_ key: String) throws(InputError) -> [(tree: Tree, path: String)] {
        guard let child = tree[key] else { return [] }
        return try child.elements(field(key))
    }

    /// Returns the only one of `keys` that the section has; throws if it has none or several.
    func one(of keys: [String]) throws(InputError) -> String {
        let found = keys.filter(has)
        guard found.count == 1, let key = found.first else {
            let what = found.isEmpty ? "none" : found.joined(separator: " and ")
            throw InputError(
                "expected one of \(keys.joined(separator: ", ")), found \(what)",
                line: tree.line, field: path)
        }
        return key
    }
}

extension Tree {
    func text(_ field: String) throws(InputError) -> String {
        if case .text(let text) = content { return text }
        if let plain, content != .null { return plain }
        throw .expected("a text", self, field)
    }

    func elements(_ field: String) throws(InputError) -> [(tree: Tree, path: String)] {
        guard case .list(let elements) = content else { throw .expected("a list", self, field) }
        return elements.enumerated().map { ($0.element, "\(field)[\($0.offset)]") }
    }

    func members(_ field: String) throws(InputError) -> [Member] {
        guard case .map(let members) = content else {
            throw .expected("an object", self, field)
        }
        return members
    }
}

extension InputError {
    static func expected(_ what: String, _ tree: Tree, _ field: String) -> InputError {
        InputError("expected \(what), found \(tree.noun)", line: tree.line, field: field)
    }
}
