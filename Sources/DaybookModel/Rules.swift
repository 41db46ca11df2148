public import Daybook

/// The rule set of Daybook's areas that a command asks for or an event followed.
public enum Rules: UInt8, StoredEnum {
    /// Daybook's own: the source documents wherever they state a rule that holds.
    case standard
    /// The source documents to the letter, their traps included.
    case source

    /// An input that names no rules means the standard ones.
    public static var absent: Rules? { .standard }

    public init(_ rules: RuleSet) { self = rules == .source ? .source : .standard }

    public var ruleSet: RuleSet { self == .source ? .source : .standard }
}

extension RuleSet {
    /// The source documents to the letter, their traps included.
    public static let source: RuleSet = "source"
}
