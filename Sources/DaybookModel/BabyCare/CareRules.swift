public import Daybook

extension BabyCare {
    /// The rule set that a command or a report about a baby follows.
    public enum Rules: UInt8, StoredEnum {
        /// Daybook's own rules: the source document's, except where they give wrong results.
        case standard
        /// The rules of the app at the document's date, including its known errors.
        case source
        /// The rules of the app's later code: a sleep or feed counts in full on every day it
        /// touches.
        case laterSource

        public static let names = ["standard", "source", "source-eab2a79"]

        /// Standard rules, for an input that names no rules.
        public static var absent: Rules? { .standard }

        public init(_ rules: RuleSet) { self = Rules(name: rules.name) ?? .standard }

        public var ruleSet: RuleSet { RuleSet(name) }

        /// True for the rules of either version of the app.
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
