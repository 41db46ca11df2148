package import Daybook

/// Households: their members, consents and babies, and the profiles of the babies.
///
/// The first member of a household is its owner. Owners and parents manage members; only an owner
/// appoints or removes an owner, and the last owner cannot leave. A baby created offline keeps its
/// entries when the server assigns another id.
///
/// Source: S4 (onboarding, members, consents, profile).
package enum Household: Area, Projection {
    package static let name = "household"

    /// Events of a household, its members and its babies.
    package enum Event: DecidedEvents {
        case onboarded(Onboarded), idReplaced(IdReplaced), consentChanged(ConsentChanged)
        case memberRoleChanged(MemberRoleChanged), babyProfileChanged(BabyProfileChanged)

        package static let kinds = [
            StoredKind(onboarded), StoredKind(idReplaced), StoredKind(consentChanged),
            StoredKind(memberRoleChanged), StoredKind(babyProfileChanged),
        ]
    }

    package static let events =
        Event.kinds.map(\.description) + DeviceOnboarding.ownKinds.map(\.description)
    package static let commands = [
        CommandDescription(Onboarded.self), CommandDescription(IdReplaced.self),
        CommandDescription(ConsentChanged.self), CommandDescription(MemberRoleChanged.self),
        CommandDescription(BabyProfileChanged.self), CommandDescription(ProfileRestored.self),
        CommandDescription(StartSync.self), CommandDescription(RecordSync.self),
        CommandDescription(RecordSyncFailure.self),
    ]
    package static let projections = [
        ProjectionDescription(
            "household", noun: "household", following: ["profile"],
            "Who belongs to a household, in which role, and its babies", Household.self),
        ProjectionDescription(
            "profile", noun: "profile", following: ["household"],
            "What is known of a baby: zone, night, day and week start, weight", BabyProfile.self),
        ProjectionDescription(
            "onboarding", noun: "device",
            "Progress of registering a device's baby with the server: local, syncing or linked",
            DeviceOnboarding.self),
        ProjectionDescription(
            "consents", noun: "user", "What a user agreed to, and to which text", Consents.self),
    ]

    /// Life cycle of the registration of a device's baby with the server.
    package static let machines = [DeviceOnboarding.lifecycle.machine]
    package static let flows = [FlowDescription("household", OnboardingFlow.self)]
    /// HTTP endpoints; from the router of 2026-02-21 (S4).
    package static let routes: [RouteDescription] = [
        RouteDescription(
            .post, "/api/v1/onboarding/parent", in: "S4", serves: .command(Onboarded.name),
            .command(ConsentChanged.name), .command(StartSync.name), .command(RecordSync.name),
            remark: "a baby created offline is sent after the sign-in"),
        RouteDescription(
            .get, "/api/v1/babies/profile", in: "S4", serves: .projection("profile"),
            .report("recommendation")),
        .v1(.patch, "babies/profile", .command(BabyProfileChanged.name)),
    ]
    package static let audits = [
        AuditDescription(
            "household", RoleAudit.rules, kindsNeedingActor: [MemberRoleChanged.kind]
        ) { RoleAudit($0) }
    ]
    /// Tags such as `profile:7`, which names the baby `baby:7`, and `user:7` name people.
    package static let people: PersonNouns = ["profile": "baby", "user": "user"]
    static func tag(_ householdId: String) -> Tag { Tag("household", householdId) }
    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func profileTag(_ babyId: String) -> Tag { Tag("profile", babyId) }

    /// Kinds of the events that determine a baby's profile.
    static let profileKinds: Set<EventKind> = [
        Onboarded.kind, IdReplaced.kind, BabyProfileChanged.kind,
    ]

    /// Returns the events that introduce a baby or replace its id.
    ///
    /// Every report reads these events, even if they are later than the time that it is about.
    ///
    /// - Parameter babyId: the id by which the report names the baby.
    static func bookkeeping(of babyId: String) -> ReportQuery.Bookkeeping {
        ReportQuery.Bookkeeping(
            noun: "profile", introducing: [Onboarded.kind, BabyProfileChanged.kind],
            renaming: [IdReplaced.kind], id: babyId)
    }

    static let memberKinds: Set<EventKind> = [IdReplaced.kind, MemberRoleChanged.kind]
}

/// A command about a household that is also the payload of the event it records.
///
/// The log records the fields of the command; only `Onboarded` fills in assumed values.
protocol HouseholdCommand: Command, PlainRecord where Model == Household {}
