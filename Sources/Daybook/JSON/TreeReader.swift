/// The rules by which texts of an input become values, and by which the values are checked.
public struct InputRules: Sendable {
    /// Returns the digest stored for a text: the first 8 bytes of its SHA-256, a big-endian number.
    public var digest: @Sendable (String) -> UInt64
    /// Returns a text in Unicode normalisation form C.
    public var normalise: @Sendable (String) -> String
    /// True if values must lie within the limits of their fields; false for recorded values.
    public var checksLimits: Bool
    /// True if a missing field takes the default that its record declares, as in commands.
    public var fillsDefaults = false
    /// The time zones in which zone names are looked up; `nil` to accept any name.
    public var zones: ZoneSource?

    public init(
        digest: @escaping @Sendable (String) -> UInt64,
        normalise: @escaping @Sendable (String) -> String, checksLimits: Bool = true
    ) {
        self.digest = digest
        self.normalise = normalise
        self.checksLimits = checksLimits
    }

    /// Returns a copy under which zone names are looked up in `zones`.
    public func lookingUpZones(in zones: ZoneSource?) -> InputRules {
        var rules = self
        rules.zones = zones
        return rules
    }

    /// A copy under which a missing field takes the default that its record declares.
    var fillingDefaults: InputRules {
        var rules = self
        rules.fillsDefaults = true
        return rules
    }

    /// A copy for recorded values, under which limits are not checked and defaults not filled in.
    public var ofHistory: InputRules {
        var rules = self
        rules.checksLimits = false
        rules.fillsDefaults = false
        return rules
    }
}

extension Record {
    /// Reads a record from JSON or YAML, such as the answer to a flow's effect.
    ///
    /// An unknown field is an error, and so is a missing one that is not optional, a list or a map.
    public init(from tree: Tree, rules: InputRules) throws(InputError) {
        self = try TreeReader.read(from: tree, rules: rules)
    }
}

/// A reader of records from a `Tree`, whose errors name the line and the field.
///
/// An unknown field is an error. A missing field is an error unless it is optional, a list or a
/// map. Under `InputRules.fillsDefaults`, a field with a declared default may also be missing: a
/// field whose initial value differs from the blank value of its type.
package struct TreeReader: FieldVisitor {
    public typealias Failure = InputError

    /// A part of a path in the input.
    private enum Step {
        /// The name of a member of an object.
        case name(String)
        /// The index of an element of a list.
        case index(Int)
    }

    /// The tree that is read now: the whole, and in turn each of its parts.
    private var tree: Tree
    /// The path of the whole tree in the input, for errors; empty for the root.
    private let start: String
    /// The steps from the whole tree to the tree that is read now.
    private var steps: [Step] = []
    private var rules: InputRules
    private var limit: Limit
    /// The number of members of the object for which its record has a field, so far.
    private var foundCount = 0
    /// The error for the first missing field that is required; `nil` if none is missing so far.
    private var missingFieldError: InputError?

    private init(_ tree: Tree, field start: String, rules: InputRules, _ limit: Limit) {
        self.tree = tree
        self.start = start
        self.rules = rules
        self.limit = limit
    }

    /// Reads a value from the whole of a tree at a path in the input, as the reader does.
    public static func read<Value: FieldValue>(
        _ type: Value.Type = Value.self, from tree: Tree, field path: String = "",
        rules: InputRules, _ limit: Limit = .standard
    ) throws(InputError) -> Value {
        var reader = TreeReader(tree, field: path, rules: rules, limit)
        var value = Value.blank
        try Value.visit(&reader, &value)
        return value
    }

    public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(InputError) {
        try field(name, &value, limit: Value.limit)
    }

    public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) throws(InputError) {
        guard let child = tree[name] else { return fill(&value, missing: name) }
        foundCount += 1
        let outer = self.limit
        self.limit = limit()
        if self.limit.holdsHistory {
            let rules = rules
            self.rules = rules.ofHistory
            try read(&value, from: child, at: .name(name))
            self.rules = rules
        } else {
            try read(&value, from: child, at: .name(name))
        }
        self.limit = outer
    }

    /// Fills a field that the input omits, or records the error if it is required.
    ///
    /// Apart from `field`, which would look up the type of the optional value for each field.
    @inline(never)
    private mutating func fill<Value: FieldValue>(_ value: inout Value, missing name: String) {
        guard let absent = Value.absent else {
            if rules.fillsDefaults, value != Value.blank { return }
            // Thrown last, so that an unknown and perhaps misspelt field is reported first.
            missingFieldError =
                missingFieldError ?? error("the field is missing", at: .name(name))
            return
        }
        value = absent
    }

    /// Reads a value from a part of the tree, one step away, under the same rules and limit.
    private mutating func read<Value: FieldValue>(
        _ value: inout Value, from part: Tree, at step: Step
    ) throws(InputError) {
        var outer = part
        swap(&tree, &outer)
        steps.append(step)
        value = Value.blank
        try Value.visit(&self, &value)
        steps.removeLast()
        tree = outer
    }

    /// The path of the tree that is read now, for errors.
    private var path: String {
        steps.reduce(start) { path, step in
            switch step {
            case .name(let name): path.isEmpty ? name : "\(path).\(name)"
            case .index(let index): "\(path)[\(index)]"
            }
        }
    }

    public mutating func integer(_ value: inout Int64) throws(InputError) {
        guard case .integer(let integer) = tree.content else { throw expected("a whole number") }
        value = integer
        try check(limit.expectation(of: value), tree.noun)
    }

    /// Throws an error for a violated limit (`expectation`), if any, unless limits are not checked.
    private func check(
        _ expectation: String?, _ found: @autoclosure () -> String
    ) throws(InputError) {
        guard rules.checksLimits, let expectation else { return }
        throw error("\(expectation), found \(found())")
    }

    /// Reads a point in time, given as microseconds since 1970 or as RFC 3339 text.
    public mutating func moment(_ value: inout Int64) throws(InputError) {
        if case .integer(let integer) = tree.content {
            value = integer
        } else if case .text(let text) = tree.content, let time = Timestamp.parse(text) {
            value = time.instant.microseconds
        } else {
            throw expected("microseconds since 1970, or a time like 2026-07-12T12:00:00Z")
        }
        try check(limit.expectation(of: value), tree.noun)
    }

    public mutating func boolean(_ value: inout Bool) throws(InputError) {
        guard case .boolean(let boolean) = tree.content else { throw expected("true or false") }
        value = boolean
    }

    public mutating func text(_ value: inout String) throws(InputError) {
        value = try checkedText(try text("a text"))
    }

    /// Returns the text; throws an error if it is too long, or if it must name a zone but does not.
    private func checkedText(_ text: String) throws(InputError) -> String {
        try check(limit.expectation(of: text), "\(text.utf8.count)")
        if limit.namesZone, rules.checksLimits, rules.zones?.has(text) == false {
            throw error(
                "expected the name of a time zone like Asia/Seoul, found '\(text.prefix(60))'")
        }
        return text
    }

    public mutating func scalar(_ value: inout String) throws(InputError) {
        switch tree.content {
        case .integer(let integer) where tree.plain == nil: value = "\(integer)"
        case .number(let text) where tree.plain == nil: value = text
        case .boolean(let boolean): value = boolean ? "true" : "false"
        default: value = try text("a text or a number")
        }
        value = try checkedText(value)
    }

    public mutating func digest(_ value: inout Digest) throws(InputError) {
        let text = try text("a text, of which only the digest is stored")
        value = Digest(text: text) ?? Digest(bits: rules.digest(text))
    }

    public mutating func personal(_ value: inout PersonalText) throws(InputError) {
        value = PersonalText(try checkedText(try text("a text")))
    }

    /// Reads an integer about a person; `null` means that the integer was erased.
    public mutating func personalInteger(_ value: inout PersonalInteger) throws(InputError) {
        guard tree.content != .null else {
            value = .erased
            return
        }
        var integer: Int64 = 0
        try self.integer(&integer)
        value = PersonalInteger(integer)
    }

    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) throws(InputError) {
        guard let name = givenText, let choice = Value(name: name) else {
            throw expected("one of \(Value.names.joined(separator: ", "))")
        }
        value = choice
    }

    public mutating func optional<Value: FieldValue>(_ value: inout Value?) throws(InputError) {
        if case .null = tree.content {
            value = nil
        } else {
            var some = Value.blank
            try Value.visit(&self, &some)
            value = some
        }
    }

    public mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(InputError) {
        guard case .list(let elements) = tree.content else { throw expected("a list") }
        try check(limit.expectation(ofElements: elements.count), "\(elements.count)")
        value = []
        for (index, element) in elements.enumerated() {
            var item = Value.blank
            try read(&item, from: element, at: .index(index))
            value.append(item)
        }
    }

    public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) throws(InputError) {
        guard case .map(let members) = tree.content else { throw expected("an object") }
        try check(limit.expectation(ofElements: members.count), "\(members.count)")
        value = [:]
        for member in members {
            try check(limit.expectation(of: member.key), "a name of \(member.key.utf8.count) bytes")
            // A member that is null is left out.
            var item: Value?
            try read(&item, from: member.value, at: .name(member.key))
            value[rules.normalise(member.key)] = item
        }
    }

    public mutating func record<Value: Record>(_ value: inout Value) throws(InputError) {
        guard case .map(let members) = tree.content else { throw expected("an object") }
        let outer = (foundCount, missingFieldError)
        (foundCount, missingFieldError) = (0, nil)
        try value.fields(&self)
        if foundCount < members.count { try checkNames(of: members, &value) }
        if let missingFieldError { throw missingFieldError }
        (foundCount, missingFieldError) = outer
    }

    /// Throws an error for the first member that is not a field of the record.
    private mutating func checkNames<Value: Record>(
        of members: [Tree.Member], _ value: inout Value
    ) throws(InputError) {
        var fields = FieldNames()
        value.fields(&fields)
        for member in members where !fields.names.contains(member.key) {
            let names = fields.names.sorted().joined(separator: ", ")
            tree = member.value
            throw error(
                "the field is unknown; expected "
                    + (names.isEmpty ? "no fields" : "one of \(names)"), at: .name(member.key))
        }
    }

    /// Returns the text of a quoted or unquoted scalar; throws an error for other values.
    private func text(_ expectation: String) throws(InputError) -> String {
        guard let text = givenText else { throw expected(expectation) }
        return text
    }

    /// The text of a quoted or unquoted scalar; `nil` for other values.
    private var givenText: String? {
        if case .text(let text) = tree.content { return rules.normalise(text) }
        if let plain = tree.plain, tree.content != .null { return rules.normalise(plain) }
        return nil
    }

    /// Returns an error that says what was expected and describes the tree found instead.
    private func expected(_ what: String) -> InputError {
        error("expected \(what), found \(tree.noun)")
    }

    /// Returns an error about the tree that is read now or, with `step`, about a part of it.
    private func error(_ message: String, at step: Step? = nil) -> InputError {
        var place = self
        if let step { place.steps.append(step) }
        return InputError(message, line: tree.line, field: place.path)
    }
}

/// A visitor that collects the names of a record's fields.
private struct FieldNames: FieldListVisitor {
    private(set) var names: Set<String> = []

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        names.insert(name)
    }
}
