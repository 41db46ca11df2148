public import Daybook

extension BabyCare {
    /// The rule sets that a command or a report about a baby can follow.
    public enum Rules: UInt8, StoredEnum {
        /// Daybook's own rules: the source document's, except where they give wrong results.
        case standard
        /// The rules of the app at the document's date, including its known errors.
        case source
        /// The rules of the app's later code: a sleep or feed counts in full on every day it
        /// touches.
        case laterSource

        public static let names = ["standard", "source", "source-eab2a79"]

        /// Rules of an input that names none: the standard rules.
        public static var absent: Rules? { .standard }

        /// Creates the rules with the name of a rule set; the standard rules for an unknown name.
        public init(_ rules: RuleSet) { self = Rules(name: rules.name) ?? .standard }

        /// Rule set with the same name.
        public var ruleSet: RuleSet { RuleSet(name) }

        /// True for the rules of the app, in either version.
        var isOfSource: Bool { self != .standard }

        /// Name and version of the rules as reports state them, such as `standard.v2`.
        var version: String {
            switch self {
            case .standard, .source: "\(name).v2"
            case .laterSource: "\(name).v1"
            }
        }
    }
}

extension RuleSet {
    /// Rules of a later commit of the app that the baby-care document describes.
    public static let laterSource: RuleSet = "source-eab2a79"
}
