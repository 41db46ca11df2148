public import EventSourcing

/// Who belongs to a household, which babies it has, and how each one's days are counted.
///
/// The first member of a household is its owner. Owners and parents manage members; only an owner
/// makes or removes an owner, and the last one stays. A baby made offline keeps its entries when
/// the server gives it another id.
///
/// Source: S4 (onboarding, members, consents, profile).
public enum Household: Area, Decider {
    public static let name = "household"

    public static let events = [
        EventDescription(Onboarded.self),
        EventDescription(IdReplaced.self),
        EventDescription(ConsentChanged.self),
        EventDescription(MemberRoleChanged.self),
        EventDescription(BabyProfileChanged.self),
    ]

    public static let commands = [
        CommandDescription("household.onboard", of: Self.self, Command.onboard),
        CommandDescription("household.replace-id", of: Self.self, Command.replaceId),
        CommandDescription("household.change-consent", of: Self.self, Command.changeConsent),
        CommandDescription("household.change-role", of: Self.self, Command.changeRole),
        CommandDescription("household.change-profile", of: Self.self, Command.changeProfile),
    ]

    public static let projections = [
        ProjectionDescription(
            "household", noun: "household",
            "Who belongs to a household, in which role, and its babies", Household.self),
        ProjectionDescription(
            "profile", noun: "profile",
            "What is known of a baby: zone, night, day and week start, weight", BabyProfile.self),
        ProjectionDescription(
            "consents", noun: "user", "What a user agreed to, and to which text", Consents.self),
    ]

    public static let people: PersonNouns = ["profile": "baby", "user": "user"]

    public static let audits = [
        AuditDescription("household", RoleAudit.rules, actors: [MemberRoleChanged.kind]) {
            RoleAudit($0)
        }
    ]

    /// Weights of babies at birth, in grams.
    static let birthWeightsG: ClosedRange<Int64> = 100...20_000
    /// Weights of babies, in grams.
    static let weightsG: ClosedRange<Int64> = 100...50_000

    static func tag(_ householdId: String) -> Tag { Tag("household", householdId) }
    static func profileTag(_ babyId: String) -> Tag { Tag("profile", babyId) }

    /// The kinds that tell who a baby is and who may write about it.
    public static let profileKinds: Set<EventKind> = [
        Onboarded.kind, IdReplaced.kind, BabyProfileChanged.kind,
    ]
    static let memberKinds: Set<EventKind> = [IdReplaced.kind, MemberRoleChanged.kind]
}
