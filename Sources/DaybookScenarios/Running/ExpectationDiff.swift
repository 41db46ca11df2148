import Daybook

/// The differences between an expectation and a value, which may have additional fields.
struct ExpectationDiff {
    struct Mismatch {
        var field: String
        var line: Int
        var key: String?
        /// The expected value, with moments written as times.
        var expected: Tree
        /// The actual value, with moments written as times; `nil` if the field is missing.
        var actual: Tree?
        /// The expectation as written in the scenario.
        var old: Tree
    }

    /// Descriptions of the value's fields, which show which integers are moments.
    private let fields: [FieldDescription]

    init(over fields: [FieldDescription]) {
        self.fields = fields
    }

    private(set) var mismatches: [Mismatch] = []

    /// Collects the mismatches of a value.
    ///
    /// An object may have more members than expected, but a list must have exactly the expected
    /// elements. `{}` expects an object without members.
    mutating func compare(
        _ expected: Tree, with actual: Tree?, _ field: String, key: String? = nil
    ) {
        guard let actual else {
            if expected.content != .null { miss(field, key, expected, nil) }
            return
        }
        switch (expected.content, actual.content) {
        case (.map(let members), .map) where !members.isEmpty:
            for member in members {
                let path = field.isEmpty ? member.key : "\(field).\(member.key)"
                compare(member.value, with: actual[member.key], path, key: member.key)
            }
        case (.list(let left), .list(let right)):
            guard left.count == right.count else { return miss(field, key, expected, actual) }
            for (index, element) in left.enumerated() {
                compare(element, with: right[index], "\(field)[\(index)]")
            }
        default:
            if !equal(expected, actual, field) { miss(field, key, expected, actual) }
        }
    }

    private mutating func miss(
        _ field: String, _ key: String?, _ expected: Tree, _ actual: Tree?
    ) {
        mismatches.append(
            Mismatch(
                field: field, line: expected.line, key: key,
                expected: expected.writingMoments(of: fields, at: field),
                actual: actual?.writingMoments(of: fields, at: field), old: expected))
    }

    /// True if a value equals an expected value.
    ///
    /// A digest also equals the text from which it was computed, and a moment equals its time as
    /// RFC 3339 text.
    private func equal(_ expected: Tree, _ actual: Tree, _ field: String) -> Bool {
        if expected.content == actual.content { return true }
        switch actual.content {
        case .text(let actual):
            var text = expected.plain
            if case .null = expected.content { text = nil }
            if case .text(let expected) = expected.content { text = expected }
            guard let text else { return false }
            let normal = InputRules.standard.normalise(text)
            if normal == actual { return true }
            guard let digest = Digest(text: actual) else { return false }
            return digest.bits == InputRules.standard.digest(normal)
        case .integer(let actual):
            guard case .text(let text) = expected.content, let time = Timestamp.parse(text),
                fields.hasMoment(at: field)
            else { return false }
            return time.instant.microseconds == actual
        default: return false
        }
    }
}
