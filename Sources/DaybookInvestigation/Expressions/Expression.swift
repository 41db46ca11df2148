public import Daybook

/// A condition on a state, such as `state == forceUpdate && !storeOpened`.
///
/// A field is written as a path (`notice.startUs`, `pending[0]`), which may begin with the name of
/// the projection. `.count` after a list or a map is its length. Literals are numbers, words that a
/// field offers as a choice, quoted texts, times, `true`, `false` and `null`. Parsing throws for
/// fields and words that the schema does not have.
public struct Expression: Equatable, Sendable, CustomStringConvertible {
    /// A node of the parsed expression.
    indirect enum Node: Equatable, Sendable {
        case or(Node, Node)
        case and(Node, Node)
        case not(Node)
        case compare(Operand, Comparison, Operand)
        /// A boolean field that must be true.
        case isTrue(String)
    }

    /// A side of a comparison.
    enum Operand: Equatable, Sendable {
        case field(String)
        /// The length of the list or object at a path.
        case count(String)
        case value(Value)
    }

    /// An operator that compares two values.
    enum Comparison: String, Equatable, Sendable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// The value of a field or a literal.
    enum Value: Equatable, Sendable {
        case null
        case boolean(Bool)
        /// A number, counted in billionths, so that every number of a state is exact.
        case number(Int128)
        case text(String)
    }

    /// The expression as written by the user.
    public let description: String
    let root: Node
    /// Names of the top-level fields whose values the expression needs.
    private let fields: [String]
    /// Names of the top-level lists and maps whose length the expression uses.
    private let countedFields: Set<String>

    /// Parses an expression over the fields of a state; the projection's `name` may precede each
    /// field.
    package init(
        _ text: String, over fields: [FieldDescription], named name: String
    ) throws(ExpressionError) {
        description = text
        var parser = ExpressionParser(text, fields, name)
        root = try parser.parse()
        let parts = Set(
            fields.filter { $0.form.hasPrefix("[") || $0.form.hasPrefix("{") }.map(\.name))
        let operands = root.operands
        countedFields = parts.intersection(operands.compactMap(\.countPath))
        let counted = countedFields
        let valued = operands.compactMap { operand in
            operand.valuePath ?? operand.countPath.flatMap { counted.contains($0) ? nil : $0 }
        }
        self.fields = Set(valued.map(\.topLevelField)).sorted()
    }

    /// True if the expression holds for a folded state.
    public func isTrue(for fold: Fold) -> Bool {
        Self.isTrue(
            root, ExpressionState(fold.leaves(only: fields), fold.counts(of: countedFields)))
    }

    /// Names of the top-level fields of which the expression needs values or lengths.
    var topLevelFields: [String] { fields + countedFields.subtracting(fields).sorted() }

    /// True if the expression holds for a payload of which these are values.
    func isTrue(for values: [PayloadValue]) -> Bool {
        Self.isTrue(root, ExpressionState(values))
    }

    /// True if the expression holds for a state, given as paths and values.
    package func isTrue(for leaves: [FlatFields.Leaf]) -> Bool {
        let state = ExpressionState(leaves)
        return Self.isTrue(root, state)
    }

    private static func isTrue(_ node: Node, _ state: ExpressionState) -> Bool {
        switch node {
        case .or(let a, let b): isTrue(a, state) || isTrue(b, state)
        case .and(let a, let b): isTrue(a, state) && isTrue(b, state)
        case .not(let inner): !isTrue(inner, state)
        case .isTrue(let path): state.value(at: path) == .boolean(true)
        case .compare(let a, let comparison, let b):
            compare(value(a, state), comparison, value(b, state))
        }
    }

    private static func value(_ operand: Operand, _ state: ExpressionState) -> Value {
        switch operand {
        case .field(let path): state.value(at: path)
        case .count(let path): .number(Int128(state.count(at: path)) * billion)
        case .value(let value): value
        }
    }

    /// Compares two values; null is neither less nor greater than any value.
    private static func compare(_ a: Value, _ comparison: Comparison, _ b: Value) -> Bool {
        switch (comparison, a, b) {
        case (.equal, _, _): a == b
        case (.unequal, _, _): a != b
        case (.less, .number(let a), .number(let b)): a < b
        case (.lessOrEqual, .number(let a), .number(let b)): a <= b
        case (.greater, .number(let a), .number(let b)): a > b
        case (.greaterOrEqual, .number(let a), .number(let b)): a >= b
        default: false
        }
    }

    /// The factor between a number and its stored form in `Value`.
    static let billion: Int128 = 1_000_000_000
}

/// The reason why a text is not a valid expression.
public struct ExpressionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Column of the offending character, counted from 1.
    public var column: Int
    public var message: String
    /// Path of the field that does not exist; `nil` for another reason.
    var unknownField: String?

    public var description: String { "column \(column): \(message)" }
}

/// The values of a state by path, for evaluating an expression.
struct ExpressionState {
    /// A value of a state.
    private enum Stored {
        case json(String)
        case value(Expression.Value)
    }

    /// The values by path.
    private var values: [String: Stored] = [:]
    private let paths: [String]
    /// Lengths of the top-level lists and maps that were counted in advance, by path.
    private let counts: [String: Int]

    init(_ leaves: [FlatFields.Leaf], _ counts: [String: Int] = [:]) {
        for leaf in leaves { values[leaf.path] = .json(leaf.value) }
        paths = leaves.map(\.path)
        self.counts = counts
    }

    init(_ payload: [PayloadValue]) {
        for value in payload { values[value.path] = .value(Expression.Value(value.content)) }
        paths = payload.map(\.path)
        counts = [:]
    }

    /// Returns the value at a path; null if the state has none, or an empty list or object.
    func value(at path: String) -> Expression.Value {
        switch values[path] {
        case .json(let json): Self.value(ofJSON: json)
        case .value(let value): value
        case nil: .null
        }
    }

    private static func value(ofJSON json: String) -> Expression.Value {
        switch json {
        case "null", "[]", "{}": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if let number = Scalar(json).billionths { return .number(number) }
        guard case .text(let text)? = Tree.parsedJSON(json)?.content else { return .text(json) }
        return .text(text)
    }

    /// Returns the number of elements of the list at a path, or of members of the object at the
    /// path.
    func count(at path: String) -> Int {
        if let count = counts[path] { return count }
        var names: Set<Substring> = []
        for known in paths where known.utf8.count > path.utf8.count && known.hasPrefix(path) {
            let rest = known.dropFirst(path.count)
            switch rest.first {
            case "[": names.insert(rest.prefix { $0 != "]" })
            case ".": names.insert(rest.dropFirst().prefix { $0 != "." && $0 != "[" })
            default: break
            }
        }
        return names.count
    }
}

extension Scalar {
    /// The number in billionths; `nil` if the text is not a number with at most nine decimals.
    fileprivate var billionths: Int128? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let whole = Int64(first) else {
            return nil
        }
        let isNegative = first.hasPrefix("-")
        var fraction: Int128 = 0
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].utf8.count <= 9,
                parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let digits = Int64(parts[1])
            else { return nil }
            fraction = Int128(digits)
            for _ in parts[1].utf8.count..<9 { fraction *= 10 }
        }
        return Int128(whole) * Expression.billion + (isNegative ? -fraction : fraction)
    }
}

extension Expression.Value {
    /// The value of a payload; null for an empty list or map.
    fileprivate init(_ content: Tree.Content) {
        self =
            switch content {
            case .boolean(let isSet): .boolean(isSet)
            case .integer(let number): .number(Int128(number) * Expression.billion)
            case .number(let text): Self(number: text) ?? .null
            case .text(let text): .text(text)
            case .null, .list, .map: .null
            }
    }

    init?(number text: String) {
        guard let value = Scalar(text).billionths else { return nil }
        self = .number(value)
    }
}

extension Tree {
    /// Parses JSON; `nil` if it is malformed.
    fileprivate static func parsedJSON(_ json: String) -> Tree? {
        do throws(InputError) { return try JSONParser.parse(json.utf8) } catch { return nil }
    }
}

extension Expression.Node {
    /// The operands of all comparisons.
    fileprivate var operands: [Expression.Operand] {
        switch self {
        case .or(let a, let b), .and(let a, let b): a.operands + b.operands
        case .not(let inner): inner.operands
        case .isTrue(let path): [.field(path)]
        case .compare(let a, _, let b): [a, b]
        }
    }
}

extension Expression.Operand {
    /// Path of the field whose value the operand is; `nil` for a literal or a length.
    fileprivate var valuePath: String? { if case .field(let path) = self { path } else { nil } }
    /// Path of the list or object whose length the operand is; `nil` for any other operand.
    fileprivate var countPath: String? { if case .count(let path) = self { path } else { nil } }
}
