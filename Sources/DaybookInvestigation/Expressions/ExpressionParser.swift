import Daybook

/// A recursive-descent parser of expressions. The operators in the order of rising precedence:
/// `||`, `&&`, `!`, comparisons.
struct ExpressionParser {
    private let characters: [Character]
    /// Index of the next character to parse.
    private var index = 0
    private let fields: [FieldDescription]
    /// Name of the projection, which may precede a field.
    private let name: String

    init(_ text: String, _ fields: [FieldDescription], _ name: String) {
        characters = Array(text)
        self.fields = fields
        self.name = name
    }

    mutating func parse() throws(ExpressionError) -> Expression.Node {
        let node = try or(depth: 0)
        skipSpaces()
        guard index == characters.count else {
            throw error("expected '&&', '||' or the end of the expression, found '\(upcomingText)'")
        }
        return node
    }

    /// Parses terms joined by `||`; `depth` counts the open parentheses, at most 63.
    private mutating func or(depth: Int) throws(ExpressionError) -> Expression.Node {
        guard depth < 64 else { throw error("parentheses are nested more than 63 levels deep") }
        var node = try and(depth: depth)
        while consume("||") { node = .or(node, try and(depth: depth)) }
        return node
    }

    /// Parses terms joined by `&&`.
    private mutating func and(depth: Int) throws(ExpressionError) -> Expression.Node {
        var node = try not(depth: depth)
        while consume("&&") { node = .and(node, try not(depth: depth)) }
        return node
    }

    /// Parses a comparison or an expression in parentheses, with any number of `!` before it.
    private mutating func not(depth: Int) throws(ExpressionError) -> Expression.Node {
        var isNegated = false
        while !isNext("!="), consume("!") { isNegated.toggle() }
        let node: Expression.Node
        if consume("(") {
            node = try or(depth: depth + 1)
            guard consume(")") else { throw error("expected ')', found '\(upcomingText)'") }
        } else {
            node = try comparison()
        }
        return isNegated ? .not(node) : node
    }

    /// Parses a comparison, or a boolean field alone.
    private mutating func comparison() throws(ExpressionError) -> Expression.Node {
        let start = index
        let left = try operand(beside: nil)
        guard let comparison = comparisonOperator() else {
            guard case .field(let path) = left.operand, left.form == "boolean" else {
                throw error("expected a comparison like \(spelling(left.operand)) == …", at: start)
            }
            return .isTrue(path)
        }
        skipSpaces()
        let place = index
        let right = try operand(beside: left.form)
        try check(left.form, comparison, right, at: place)
        return .compare(left.operand, comparison, right.operand)
    }

    /// Parses a comparison operator such as `==`; `nil` if none comes next.
    private mutating func comparisonOperator() -> Expression.Comparison? {
        for text in ["==", "!=", "<=", ">=", "<", ">"] where consume(text) {
            return Expression.Comparison(rawValue: text)
        }
        return nil
    }

    /// An operand with the form of its values, such as `integer` or `one of open, closed`.
    private struct TypedOperand {
        var operand: Expression.Operand
        /// Form of the values of the field, or the form to which the literal belongs.
        var form: String
    }

    /// Parses a field or a literal; a word that `form`, that of the left operand, offers is a
    /// literal.
    private mutating func operand(beside form: String?) throws(ExpressionError) -> TypedOperand {
        skipSpaces()
        let start = index
        guard index < characters.count else {
            throw error("expected a field, found the end of the expression")
        }
        if let quote = ["\"", "'"].first(where: { characters[index] == Character($0) }) {
            return TypedOperand(
                operand: .value(.text(try quotedText(Character(quote)))), form: "text")
        }
        let word = word()
        guard !word.isEmpty else {
            throw error("expected a field or a value, found '\(upcomingText)'")
        }
        switch word {
        case "null": return TypedOperand(operand: .value(.null), form: "null")
        case "true": return TypedOperand(operand: .value(.boolean(true)), form: "boolean")
        case "false": return TypedOperand(operand: .value(.boolean(false)), form: "boolean")
        default: break
        }
        if let number = Expression.Value(number: word) {
            return TypedOperand(operand: .value(number), form: "integer")
        }
        if let time = Timestamp.parse(word) {
            return TypedOperand(
                operand: .value(.number(Int128(time.instant.microseconds) * Expression.billion)),
                form: "integer")
        }
        if let form, form.hasPrefix("one of "), form.choices.contains(word) {
            return TypedOperand(operand: .value(.text(word)), form: form)
        }
        return try field(word, beside: form, at: start)
    }

    /// Resolves a word as a field, or as the length of a list or map; throws for an unknown word.
    ///
    /// - Parameter form: form of the left operand; `nil` if the word belongs to it.
    private func field(
        _ word: String, beside form: String?, at start: Int
    ) throws(ExpressionError) -> TypedOperand {
        var path = word
        let prefix = name + "."
        if path.hasPrefix(prefix), self.form(of: word) == nil {
            path = String(path.dropFirst(prefix.count))
        }
        // Takes precedence over a member named `count`.
        if path.hasSuffix(".count"), let form = self.form(of: String(path.dropLast(6))),
            form.hasPrefix("[") || form.hasPrefix("{")
        {
            return TypedOperand(operand: .count(String(path.dropLast(6))), form: "integer")
        }
        if let form = self.form(of: path) {
            return TypedOperand(operand: .field(path), form: form.withoutQuestionMark)
        }
        if let form, form.hasPrefix("one of ") {
            throw error("expected \(form), found '\(word)'", at: start)
        }
        if word.first?.isNumber == true {
            throw error(
                "'\(word)' is neither a number nor a time like 2026-03-20T00:00:00Z", at: start)
        }
        let unknown = UnknownField(path, in: fields)
        let isText = form.map(Self.isTextual) ?? false
        let hint = isText ? "; a text is written in quotes" : unknown.hint
        var failure = error(
            "\(name) has no field '\(path)'; \(unknown.knownClause)\(hint)", at: start)
        if !isText { failure.unknownField = path }
        throw failure
    }

    /// Returns the form of the field at a path; `nil` if the state has no such field.
    private func form(of path: String) -> String? {
        var known = fields
        var form: String?
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            if let map = form?.elementForm(afterOpening: "{") {
                // A map accepts any name as a key.
                form = map
            } else {
                guard let name = pieces.first, let field = known.first(where: { $0.name == name })
                else { return nil }
                form = field.form
                known = field.fields
            }
            for piece in pieces.dropFirst() {
                guard piece.hasSuffix("]"), Int(piece.dropLast()) != nil,
                    let element = form?.elementForm(afterOpening: "[")
                else { return nil }
                form = element
            }
        }
        return form
    }

    /// Throws at `place` if the right operand cannot be compared with a left operand of the form.
    private func check(
        _ form: String, _ comparison: Expression.Comparison, _ right: TypedOperand, at place: Int
    ) throws(ExpressionError) {
        let isOrder = comparison != .equal && comparison != .unequal
        let form = ["personal integer", "position"].contains(form) ? "integer" : form
        if isOrder, form != "integer", form != "number with one decimal" {
            throw error(
                "\(comparison.rawValue) compares numbers, but the left side is \(form)", at: place)
        }
        let fits =
            switch (form, right.form) {
            case (_, "null"), ("null", _): true
            case ("integer", "integer"), ("number with one decimal", "integer"): true
            case (let a, let b) where a == b: true
            case (let a, "text"): Self.isTextual(a) || a.hasPrefix("one of ")
            case ("text or number", _): true
            default: false
            }
        guard fits else {
            var hint = ""
            if form == "integer", case .value(.text(let text)) = right.operand,
                text.first?.isNumber == true
            {
                hint = "; a time is written without quotes, like 2026-03-20T00:00:00Z"
            }
            throw error("expected \(form), found \(right.form)\(hint)", at: place)
        }
        guard form.hasPrefix("one of "), case .value(.text(let text)) = right.operand,
            !form.choices.contains(text)
        else { return }
        throw error("expected \(form), found '\(text)'", at: place)
    }

    /// True if values of a form are texts, which are compared with quoted texts.
    private static func isTextual(_ form: String) -> Bool {
        [
            "text", "digest", "text or number", "personal text", "sealable text", "person",
        ].contains(form)
    }

    /// Returns a field as it is written in an expression, for errors.
    private func spelling(_ operand: Expression.Operand) -> String {
        switch operand {
        case .field(let path): path
        case .count(let path): path + ".count"
        case .value: "a field"
        }
    }
}

// Characters.
extension ExpressionParser {
    /// The next characters to parse, at most 20, for errors.
    private var upcomingText: String { String(characters[index...].prefix(20)) }

    /// Returns an error at the character with an index; by default at the next character to parse.
    private func error(_ message: String, at place: Int? = nil) -> ExpressionError {
        ExpressionError(column: (place ?? index) + 1, message: message)
    }

    private mutating func skipSpaces() {
        while index < characters.count, characters[index].isWhitespace { index += 1 }
    }

    /// True if a text comes next, after white space.
    private mutating func isNext(_ text: String) -> Bool {
        skipSpaces()
        return characters[index...].starts(with: text)
    }

    /// Skips a text if it comes next, after white space; returns `false` if it does not.
    private mutating func consume(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        index += text.count
        return true
    }

    /// Consumes the longest run of characters that a field, a number, a time or a word can have;
    /// may be empty.
    private mutating func word() -> String {
        let start = index
        while index < characters.count {
            let character = characters[index]
            guard character.isLetter || character.isNumber || "_.-+:[]/".contains(character) else {
                break
            }
            index += 1
        }
        return String(characters[start..<index])
    }

    /// Parses a text up to its closing quote; a backslash escapes the next character.
    private mutating func quotedText(_ quote: Character) throws(ExpressionError) -> String {
        let start = index
        index += 1
        var text = ""
        while index < characters.count, characters[index] != quote {
            if characters[index] == "\\", index + 1 < characters.count { index += 1 }
            text.append(characters[index])
            index += 1
        }
        guard index < characters.count else {
            throw error("the text has no closing quote", at: start)
        }
        index += 1
        return text
    }
}

extension String {
    /// The form without the `?` that marks an optional field.
    fileprivate var withoutQuestionMark: String { hasSuffix("?") ? String(dropLast()) : self }

    /// Returns the form of the elements of a list, which opens with `[`, or of the values of a map,
    /// which opens with `{`; `nil` if the form does not open with `bracket`.
    fileprivate func elementForm(afterOpening bracket: Character) -> String? {
        let form = withoutQuestionMark
        guard form.first == bracket else { return nil }
        return String(form.dropFirst().dropLast())
    }

    /// The words that a form such as `one of a, b` offers.
    fileprivate var choices: [String] {
        dropFirst("one of ".count).split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
}
