/// The name of a set of rules by which states are folded and questions are answered.
///
/// Every area has the rule set `standard`; an area declares further rule sets in `Area.rules`. A
/// tool refuses the name of a rule set that its catalogue does not list.
public struct RuleSet: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as a text, such as `standard`.
    public let name: String

    /// The rule set of each area's own rules, which apply if no other rule set is named.
    public static let standard: RuleSet = "standard"

    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.init(name) }

    public var description: String { name }
}

extension RuleSet: FieldValue {
    public static var blank: RuleSet { .standard }

    /// The rule set `standard`, for an input that names no rule set.
    public static var absent: RuleSet? { .standard }

    public static func visit<Visitor: FieldVisitor>(
        _ visitor: inout Visitor, _ value: inout RuleSet
    ) throws(Visitor.Failure) {
        var name = value.name
        try visitor.text(&name)
        value = RuleSet(name)
    }
}
