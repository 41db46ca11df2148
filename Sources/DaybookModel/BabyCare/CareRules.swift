public import Daybook

extension BabyCare {
    /// The rule set that a command or a report about a baby follows.
    public enum Rules: UInt8, StoredEnum {
        /// Daybook's own: the source document wherever it states a rule that holds.
        case standard
        /// The app of the document's date, its traps included.
        case source
        /// The app's later code: a sleep or feed counts in full on every day it touches.
        case laterSource

        public static let names = ["standard", "source", "source-eab2a79"]

        /// An input that names no rules means the standard ones.
        public static var absent: Rules? { .standard }

        public init(_ rules: RuleSet) { self = Rules(name: rules.name) ?? .standard }

        public var ruleSet: RuleSet { RuleSet(name) }

        /// True for the rules of either version of the app.
        var isOfSource: Bool { self != .standard }

        /// The name that reports give, with the version of these rules.
        var version: String {
            switch self {
            case .standard, .source: "\(name).v2"
            case .laterSource: "\(name).v1"
            }
        }
    }
}

extension RuleSet {
    /// The later code of the app behind the baby-care document.
    public static let laterSource: RuleSet = "source-eab2a79"
}
