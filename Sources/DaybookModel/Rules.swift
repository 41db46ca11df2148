public import Daybook

/// Rule set of Daybook's areas that a command requests or an event followed.
public enum Rules: UInt8, StoredEnum {
    /// Daybook's own rules: the rules of the source documents, except the faulty ones.
    case standard
    /// The source documents to the letter, including their faults.
    case source

    /// Rules of an input that names none: the standard rules.
    public static var absent: Rules? { .standard }

    public init(_ rules: RuleSet) { self = rules == .source ? .source : .standard }

    public var ruleSet: RuleSet { self == .source ? .source : .standard }
}

extension RuleSet {
    /// The source documents to the letter, including their faults.
    public static let source: RuleSet = "source"
}
