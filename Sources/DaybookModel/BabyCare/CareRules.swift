package import Daybook

extension BabyCare {
    /// The rule sets that a command or a report about a baby can follow.
    package enum Rules: UInt8, StoredEnum {
        /// Daybook's own rules: those of the original app's documentation, without known errors.
        case standard
        /// The rules of the original app at the date of its documentation, including known errors.
        case source
        /// The rules of the original app's later code, in which every day that an entry touches
        /// includes the whole entry.
        case laterSource
        package static let names = ["standard", "source", "source-eab2a79"]

        /// Rules of a command or event that names none: the standard rules.
        package static var absent: Rules? { .standard }

        /// Creates the rules named like the rule set; the standard rules if the name is unknown.
        package init(_ rules: RuleSet) { self = Rules(name: rules.name) ?? .standard }

        /// These rules as a `RuleSet`, which has the same name.
        var ruleSet: RuleSet { RuleSet(name) }

        /// True if the rules are those of the original app, in either version.
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

extension Household.Profile {
    /// Returns a copy with the settings that reports under a rule set use. A day of the original
    /// app always starts at midnight. Minutes from an invalid event are clamped to valid values.
    func settings(under rules: BabyCare.Rules) -> Household.Profile {
        var profile = withValidMinutes
        if rules.isOfSource { profile.dayStartMin = 0 }
        return profile
    }
}

extension RuleSet {
    /// Rules of the original app at a later commit than the one that its documentation describes.
    package static let laterSource: RuleSet = "source-eab2a79"
}
