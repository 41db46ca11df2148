import Daybook

/// An object in a scenario file, with methods that read the values of its keys.
struct Section {
    /// The object itself.
    let tree: Tree
    /// Path of the object in the file, such as `when[2]`; empty for the whole file.
    let path: String

    /// Checks that a value is an object with allowed keys only.
    ///
    /// - Throws: `InputError` if `tree` is not an object, or has a key that is not in `keys`.
    init(_ tree: Tree, _ path: String, keys: [String]) throws(InputError) {
        guard case .map(let members) = tree.content else {
            throw InputError.expected("an object", tree, path)
        }
        self.tree = tree
        self.path = path
        for member in members where !keys.contains(member.key) {
            throw InputError(
                "the key '\(member.key)' is unknown; expected one of "
                    + keys.joined(separator: ", "),
                line: member.value.line, field: field(member.key))
        }
    }

    func field(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
    func has(_ key: String) -> Bool { tree[key] != nil }

    func missingKeyError(_ key: String) -> InputError {
        InputError("the key '\(key)' is missing", line: tree.line, field: field(key))
    }

    /// Returns the value of a key; throws if the object does not have the key.
    func required(_ key: String) throws(InputError) -> Tree {
        guard let child = tree[key] else { throw missingKeyError(key) }
        return child
    }

    /// Returns the value of a key as text; `nil` if the object does not have the key. Throws if the
    /// value is null, a list or an object.
    func text(_ key: String) throws(InputError) -> String? {
        guard let child = tree[key] else { return nil }
        return try child.text(field(key))
    }

    /// Returns the value of a key as text; throws if the object does not have the key, or if the
    /// value is null, a list or an object.
    func requiredText(_ key: String) throws(InputError) -> String {
        try required(key).text(field(key))
    }

    /// Returns the value of a key as an integer; `nil` if the object does not have the key. Throws
    /// if the value is not an integer in the range.
    func integer(_ key: String, in range: ClosedRange<Int64>) throws(InputError) -> Int64? {
        guard let child = tree[key] else { return nil }
        guard case .integer(let value) = child.content, range.contains(value) else {
            throw .expected(
                "a whole number from \(range.lowerBound) to \(range.upperBound)", child, field(key))
        }
        return value
    }

    /// Returns the value of a key as a Boolean; `nil` if the object does not have the key. Throws
    /// if the value is not a Boolean.
    func boolean(_ key: String) throws(InputError) -> Bool? {
        guard let child = tree[key] else { return nil }
        guard case .boolean(let value) = child.content else {
            throw .expected("true or false", child, field(key))
        }
        return value
    }

    /// Returns the elements of the list under a key, with their paths; empty if the object does not
    /// have the key. Throws if the value is not a list.
    func list(_ key: String) throws(InputError) -> [(tree: Tree, path: String)] {
        guard let child = tree[key] else { return [] }
        return try child.elements(field(key))
    }

    /// Returns the only one of `keys` that the object has; throws if the object has none or several
    /// of them.
    func onlyKey(of keys: [String]) throws(InputError) -> String {
        let found = keys.filter(has)
        guard found.count == 1, let key = found.first else {
            let what = found.isEmpty ? "none" : found.joined(separator: " and ")
            throw InputError(
                "expected exactly one of the keys \(keys.joined(separator: ", ")), found \(what)",
                line: tree.line, field: path)
        }
        return key
    }
}

extension Tree {
    /// Returns the value as text, also if it is an unquoted scalar such as `5`; throws for null,
    /// lists and objects.
    func text(_ field: String) throws(InputError) -> String {
        if case .text(let text) = content { return text }
        if let plain, content != .null { return plain }
        throw .expected("a text", self, field)
    }

    /// Returns the elements of the list, with their paths; throws if the value is not a list.
    func elements(_ field: String) throws(InputError) -> [(tree: Tree, path: String)] {
        guard case .list(let elements) = content else { throw .expected("a list", self, field) }
        return elements.enumerated().map { ($0.element, "\(field)[\($0.offset)]") }
    }

    /// Returns the members of the object; throws if the value is not an object.
    func members(_ field: String) throws(InputError) -> [Member] {
        guard case .map(let members) = content else { throw .expected("an object", self, field) }
        return members
    }
}

extension InputError {
    /// Returns the error "expected …, found …" for a value that is not the expected one.
    static func expected(_ what: String, _ tree: Tree, _ field: String) -> InputError {
        InputError("expected \(what), found \(tree.noun)", line: tree.line, field: field)
    }
}
