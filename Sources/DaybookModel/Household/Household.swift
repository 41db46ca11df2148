public import Daybook

/// Who belongs to a household, which babies it has, and how each one's days are counted.
///
/// The first member of a household is its owner. Owners and parents manage members; only an owner
/// makes or removes an owner, and the last one stays. A baby made offline keeps its entries when
/// the server gives it another id.
///
/// Source: S4 (onboarding, members, consents, profile).
public enum Household: Area, Projection {
    public static let name = "household"
    public static let commands = [
        CommandDescription(Onboarded.self), CommandDescription(IdReplaced.self),
        CommandDescription(ConsentChanged.self), CommandDescription(MemberRoleChanged.self),
        CommandDescription(BabyProfileChanged.self), CommandDescription(ProfileRestored.self),
        CommandDescription(StartSync.self), CommandDescription(RecordSync.self),
        CommandDescription(RecordSyncFailure.self),
    ]
    public static let events =
        Event.kinds.map(\.description) + DeviceOnboarding.ownKinds.map(\.description)
    public static let projections = [
        ProjectionDescription(
            "household", noun: "household", following: ["profile"],
            "Who belongs to a household, in which role, and its babies", Household.self),
        ProjectionDescription(
            "profile", noun: "profile", following: ["household"],
            "What is known of a baby: zone, night, day and week start, weight", BabyProfile.self),
        ProjectionDescription(
            "onboarding", noun: "device",
            "How far a device has come with its baby: on it alone, being synced, or linked",
            DeviceOnboarding.self),
        ProjectionDescription(
            "consents", noun: "user", "What a user agreed to, and to which text", Consents.self),
    ]
    public static let people: PersonNouns = ["profile": "baby", "user": "user"]
    public static let audits = [
        AuditDescription("household", RoleAudit.rules, actors: [MemberRoleChanged.kind]) {
            RoleAudit($0)
        }
    ]

    public static let machines = [DeviceOnboarding.lifecycle.machine]
    public static let flows = [FlowDescription("household", OnboardingFlow.self)]

    public enum Event: DecidedEvents {
        case onboarded(Onboarded)
        case idReplaced(IdReplaced)
        case consentChanged(ConsentChanged)
        case memberRoleChanged(MemberRoleChanged)
        case babyProfileChanged(BabyProfileChanged)

        public static let kinds = [
            StoredKind(onboarded), StoredKind(idReplaced), StoredKind(consentChanged),
            StoredKind(memberRoleChanged), StoredKind(babyProfileChanged),
        ]
    }

    static func tag(_ householdId: String) -> Tag { Tag("household", householdId) }
    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func profileTag(_ babyId: String) -> Tag { Tag("profile", babyId) }

    /// The kinds that tell who a baby is and who may write about it.
    public static let profileKinds: Set<EventKind> = [
        Onboarded.kind, IdReplaced.kind, BabyProfileChanged.kind,
    ]
    /// The events that tell who a baby is, which they do for all time.
    static let bookkeeping = ReportQuery.Bookkeeping(
        noun: "profile", introducing: [Onboarded.kind, BabyProfileChanged.kind],
        renaming: [IdReplaced.kind])

    static let memberKinds: Set<EventKind> = [IdReplaced.kind, MemberRoleChanged.kind]
}

/// A command of the household. Each asks for what the log then says, field by field, and is
/// therefore the payload of its event.
protocol HouseholdCommand: Command where Model == Household {}
