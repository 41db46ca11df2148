public import Daybook

/// The rule set of an area that a command requests or an event followed.
public enum Rules: UInt8, StoredEnum {
    /// Daybook's own rules: the rules of the source documents, except the faulty ones.
    case standard
    /// The rules of the source documents to the letter, including their faults.
    case source

    /// Rules of an input that names none: the standard rules.
    public static var absent: Rules? { .standard }

    /// Creates the rules with the name of a rule set; the standard rules for an unknown name.
    public init(_ rules: RuleSet) { self = rules == .source ? .source : .standard }

    /// Rule set with the same name.
    public var ruleSet: RuleSet { self == .source ? .source : .standard }
}

extension RuleSet {
    /// The rules of the source documents to the letter, including their faults.
    public static let source: RuleSet = "source"
}
