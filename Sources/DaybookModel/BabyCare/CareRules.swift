public import Daybook

extension BabyCare {
    /// The rule sets that a command or a report about a baby can follow.
    public enum Rules: UInt8, StoredEnum {
        /// Daybook's own rules: those of the source document, without its known errors.
        case standard
        /// The rules of the source app at the date of its document, including known errors.
        case source
        /// The rules of the source app's later code, in which an entry counts in full on every day
        /// that it touches.
        case laterSource

        public static let names = ["standard", "source", "source-eab2a79"]

        /// Rules of a command or event that names none: the standard rules.
        public static var absent: Rules? { .standard }

        /// Creates the rules named like the rule set; the standard rules if the name is unknown.
        public init(_ rules: RuleSet) { self = Rules(name: rules.name) ?? .standard }

        /// The rule set with the name of these rules.
        public var ruleSet: RuleSet { RuleSet(name) }

        /// True if the rules are those of the source app, in either version.
        var isOfSource: Bool { self != .standard }

        /// Name and version of the rules, as reports state them, such as `standard.v2`.
        var version: String {
            switch self {
            case .standard, .source: "\(name).v2"
            case .laterSource: "\(name).v1"
            }
        }
    }
}

extension RuleSet {
    /// Rules of the source app at a later commit than its document describes.
    public static let laterSource: RuleSet = "source-eab2a79"
}
