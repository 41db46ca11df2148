package import Daybook

/// The rule set by which an area decides, as a command requests it or an event records it.
package enum Rules: UInt8, StoredEnum {
    /// Daybook's own rules: the rules of the source documents, except the faulty ones.
    case standard
    /// The rules of the source documents to the letter, including their faults.
    case source

    /// Rules of a command or event that names none: the standard rules.
    package static var absent: Rules? { .standard }

    /// Creates the rules named like the rule set; the standard rules if the name is unknown.
    package init(_ rules: RuleSet) { self = rules == .source ? .source : .standard }

    /// The rule set with the name of these rules.
    var ruleSet: RuleSet { self == .source ? .source : .standard }
}

extension RuleSet {
    /// The rules of the source documents to the letter, including their faults.
    package static let source: RuleSet = "source"
}
