/// The rules that turn texts of an input into values of the log.
public struct InputRules: Sendable {
    /// The first 8 bytes of the SHA-256 of a text, highest first.
    public var digest: @Sendable (String) -> UInt64
    /// Unicode normalisation form C.
    public var normalise: @Sendable (String) -> String
    /// `true` if values must keep the limits of their fields, as incoming values must and history
    /// need not.
    public var checksLimits: Bool
    /// `true` where a field that is left out has the value that its type declares, as for commands.
    public var fillsDefaults = false
    /// The zones that a name may be of; `nil` where names are not looked up.
    public var zones: ZoneSource?

    public init(
        digest: @escaping @Sendable (String) -> UInt64,
        normalise: @escaping @Sendable (String) -> String, checksLimits: Bool = true
    ) {
        self.digest = digest
        self.normalise = normalise
        self.checksLimits = checksLimits
    }

    /// The same rules with zones to look names up in.
    public func with(_ zones: ZoneSource?) -> InputRules {
        var rules = self
        rules.zones = zones
        return rules
    }

    /// The same rules for values of which each field has its declared default.
    var fillingDefaults: InputRules {
        var rules = self
        rules.fillsDefaults = true
        return rules
    }

    /// The same rules for history, which no limit refuses.
    public var ofHistory: InputRules {
        var rules = self
        rules.checksLimits = false
        rules.fillsDefaults = false
        return rules
    }
}

/// Reads a record from a `Tree`, and says by line and field what does not fit.
///
/// A field that the record does not have is an error, and so is one that is missing, unless it
/// is optional, a list or a map. A command's field may also have a declared default: a first value
/// other than the blank one of its type.
public struct TreeReader: FieldVisitor {
    public typealias Failure = InputError

    private var tree: Tree
    private var path: String
    private let rules: InputRules
    private var known: Set<String> = []
    /// The first field that has to be there and is not.
    private var missing: InputError?
    /// The limit of the value.
    private let limit: Limit

    public init(_ tree: Tree, field path: String = "", rules: InputRules) {
        self.init(tree, path, rules, .standard)
    }

    private init(_ tree: Tree, _ path: String, _ rules: InputRules, _ limit: Limit) {
        self.tree = tree
        self.path = path
        self.rules = rules
        self.limit = limit
    }

    /// The value that `tree` describes, all of it.
    public static func read<Value: FieldValue>(
        _ type: Value.Type = Value.self, from tree: Tree, field path: String = "",
        rules: InputRules
    ) throws(InputError) -> Value {
        try read(tree, path, rules, .standard)
    }

    private static func read<Value: FieldValue>(
        _ tree: Tree, _ path: String, _ rules: InputRules, _ limit: Limit
    ) throws(InputError) -> Value {
        var reader = TreeReader(tree, path, rules, limit)
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
        known.insert(name)
        guard let child = tree[name] else {
            guard let absent = Value.absent else {
                if rules.fillsDefaults, value != Value.blank { return }
                // A member that is no field, a misspelt one maybe, is named first.
                missing =
                    missing ?? error("is missing", at: path.isEmpty ? name : "\(path).\(name)")
                return
            }
            value = absent
            return
        }
        let limit = limit()
        value = try Self.read(
            child, path.isEmpty ? name : "\(path).\(name)",
            limit.holdsHistory ? rules.ofHistory : rules, limit)
    }

    public mutating func integer(_ value: inout Int64) throws(InputError) {
        guard case .integer(let integer) = tree.content else { throw expected("a whole number") }
        value = integer
        try check(limit.expectation(of: value), tree.noun)
    }

    /// Refuses what lies outside the limit of its field.
    private func check(
        _ expectation: String?, _ found: @autoclosure () -> String
    ) throws(InputError) {
        guard rules.checksLimits, let expectation else { return }
        throw error("\(expectation), found \(found())", at: path)
    }

    /// A moment may also be written as a time.
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
        value = try limited(try text("a text"))
    }

    private func limited(_ text: String) throws(InputError) -> String {
        try check(limit.expectation(of: text), "\(text.utf8.count)")
        if limit.namesZone, rules.checksLimits, rules.zones?.has(text) == false {
            throw error(
                "expected the name of a zone like Asia/Seoul, found '\(text.prefix(60))'",
                at: path)
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
        value = try limited(value)
    }

    public mutating func digest(_ value: inout Digest) throws(InputError) {
        let text = try text("a text, which is kept as its digest")
        value = Digest(text: text) ?? Digest(bits: rules.digest(text))
    }

    public mutating func personal(_ value: inout PersonalText) throws(InputError) {
        value = PersonalText(try limited(try text("a text")))
    }

    /// A place that a log no longer knows comes in as `null`.
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
        let names = Value.names.joined(separator: ", ")
        guard let choice = Value(name: try text("one of \(names)")) else {
            throw expected("one of \(names)")
        }
        value = choice
    }

    public mutating func optional<Value: FieldValue>(_ value: inout Value?) throws(InputError) {
        if case .null = tree.content {
            value = nil
        } else {
            value = try read(tree, path) as Value
        }
    }

    public mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(InputError) {
        guard case .list(let elements) = tree.content else { throw expected("a list") }
        try check(limit.expectation(ofElements: elements.count), "\(elements.count)")
        value = []
        for (index, element) in elements.enumerated() {
            value.append(try read(element, "\(path)[\(index)]"))
        }
    }

    public mutating func map<Value: FieldValue>(
        _ value: inout [String: Value]
    ) throws(InputError) {
        guard case .map(let members) = tree.content else { throw expected("an object") }
        try check(limit.expectation(ofElements: members.count), "\(members.count)")
        value = [:]
        for member in members {
            try check(
                limit.expectation(of: member.key), "a name of \(member.key.utf8.count)")
            value[rules.normalise(member.key)] = try read(
                member.value, path.isEmpty ? member.key : "\(path).\(member.key)")
        }
    }

    public mutating func record<Value: Record>(_ value: inout Value) throws(InputError) {
        guard case .map(let members) = tree.content else { throw expected("an object") }
        try value.fields(&self)
        for member in members where !known.contains(member.key) {
            let names = known.sorted().joined(separator: ", ")
            throw InputError(
                "is no field here; expected \(names.isEmpty ? "none" : names)",
                line: member.value.line,
                field: path.isEmpty ? member.key : "\(path).\(member.key)")
        }
        if let missing { throw missing }
    }

    private func read<Value: FieldValue>(
        _ tree: Tree, _ path: String
    ) throws(InputError) -> Value {
        try Self.read(tree, path, rules, limit)
    }

    private func text(_ expectation: String) throws(InputError) -> String {
        if case .text(let text) = tree.content { return rules.normalise(text) }
        if let plain = tree.plain, tree.content != .null { return rules.normalise(plain) }
        throw expected(expectation)
    }

    private func expected(_ what: String) -> InputError {
        error("expected \(what), found \(tree.noun)", at: path)
    }

    private func error(_ message: String, at path: String) -> InputError {
        InputError(message, line: tree.line, field: path)
    }
}
