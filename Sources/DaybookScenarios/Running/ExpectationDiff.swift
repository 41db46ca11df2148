import Daybook
import DaybookInput

/// Collects the differences between expected values and actual values.
///
/// An actual object may have more fields than expected.
struct ExpectationDiff {
    /// An expected value that differs from the actual value.
    struct Mismatch {
        /// Path of the field that differs; empty for the whole value.
        var field: String
        /// Line of the expected value in the scenario file.
        var line: Int
        /// Key of the expected value in its object; `nil` for an element of a list or for the whole
        /// value.
        var key: String?
        /// The expected value, with points in time as RFC 3339 texts instead of integers.
        var expected: Tree
        /// The actual value, with points in time as RFC 3339 texts; `nil` if the actual object
        /// lacks the field.
        var actual: Tree?
        /// The expected value as the scenario states it.
        var statedValue: Tree
    }

    /// Descriptions of the fields of the values, which show which integers are points in time.
    private let fields: [FieldDescription]

    /// Creates a comparison of values that have the given fields.
    init(over fields: [FieldDescription]) { self.fields = fields }

    /// The mismatches found so far.
    private(set) var mismatches: [Mismatch] = []

    /// Compares an expected value with an actual value, and collects the mismatches. An object may
    /// have more members than expected, but a list must have exactly the expected elements. `{}`
    /// expects an object without members.
    mutating func compare(
        _ expected: Tree, with actual: Tree?, _ field: String, key: String? = nil
    ) {
        guard let actual else {
            if expected.content != .null { addMismatch(field, key, expected, nil) }
            return
        }
        switch (expected.content, actual.content) {
        case (.map(let members), .map) where !members.isEmpty:
            for member in members {
                let path = field.isEmpty ? member.key : "\(field).\(member.key)"
                compare(member.value, with: actual[member.key], path, key: member.key)
            }
        case (.list(let left), .list(let right)):
            guard left.count == right.count else {
                return addMismatch(field, key, expected, actual)
            }
            for (index, element) in left.enumerated() {
                compare(element, with: right[index], "\(field)[\(index)]")
            }
        default:
            if !matches(expected, actual, field) { addMismatch(field, key, expected, actual) }
        }
    }

    /// Adds a mismatch of the value at the path `field`.
    private mutating func addMismatch(
        _ field: String, _ key: String?, _ expected: Tree, _ actual: Tree?
    ) {
        mismatches.append(
            Mismatch(
                field: field, line: expected.line, key: key,
                expected: expected.writingMoments(of: fields, at: field),
                actual: actual?.writingMoments(of: fields, at: field), statedValue: expected))
    }

    /// True if an actual value is the expected value, or a form in which the expected value is
    /// stored. An expected text also matches its digest; an expected RFC 3339 time also matches a
    /// point in time stored as an integer.
    private func matches(_ expected: Tree, _ actual: Tree, _ field: String) -> Bool {
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
