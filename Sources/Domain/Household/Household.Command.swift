public import EventSourcing

extension Household {
    // What these commands ask for is what the log then says, field by field.

    /// Add a baby to a household, which is made if it is new.
    public typealias Onboard = Onboarded
    /// Take over the id a server gave.
    public typealias ReplaceId = IdReplaced
    /// Record that a user gave or withdrew a consent.
    public typealias ChangeConsent = ConsentChanged
    /// Let a user into a household, out of it, or do more or less in it.
    public typealias ChangeRole = MemberRoleChanged
    /// Change what is known of a baby; the first change makes it known.
    public typealias ChangeProfile = BabyProfileChanged

    /// What can be asked of a household.
    public enum Command: Sendable {
        case onboard(Onboard)
        case replaceId(ReplaceId)
        case changeConsent(ChangeConsent)
        case changeRole(ChangeRole)
        case changeProfile(ChangeProfile)
    }

    public enum Refusal: RefusalReason {
        case babyExists(String)
        case insufficientRole(userId: String, role: Role)
        case noMember(userId: String)
        case lastOwner(userId: String)
        case sameId(String)
        case idReplacedBefore(String, by: String)
        case nothingToUpdate
        case unreadableDate(String)
        case noZone(String)
        case outOfRange(field: String, value: Int64, range: String)

        public var code: String {
            switch self {
            case .babyExists: "babyExists"
            case .insufficientRole: "insufficientRole"
            case .noMember: "accessDenied"
            case .lastOwner: "lastOwner"
            case .sameId: "sameId"
            case .idReplacedBefore: "idReplacedBefore"
            case .nothingToUpdate: "nothingToUpdate"
            case .unreadableDate: "unreadableDate"
            case .noZone: "noZone"
            case .outOfRange: "outOfRange"
            }
        }

        public var message: String {
            switch self {
            case .babyExists(let babyId):
                "there is a baby '\(babyId)' already"
            case .insufficientRole(let userId, let role):
                "Insufficient role for this action: '\(userId)' is \(role.name)"
            case .noMember(let userId):
                "Household access denied: '\(userId)' is no member"
            case .lastOwner(let userId):
                "'\(userId)' is the last owner, and a household needs one"
            case .sameId(let id):
                "'\(id)' cannot replace itself"
            case .idReplacedBefore(let id, let other):
                "'\(id)' was replaced by '\(other)' before"
            case .nothingToUpdate:
                "at least one field must be provided for update"
            case .unreadableDate(let text):
                "expected a date like 2026-02-01, found '\(text)'"
            case .noZone(let text):
                "expected the name of a zone like Asia/Seoul, found '\(text.prefix(60))'"
            case .outOfRange(let field, let value, let range):
                "\(field) is \(value); expected \(range)"
            }
        }
    }

    public static func query(for command: Command) -> Query {
        switch command {
        case .onboard(let body):
            Query(
                Query.Item(kinds: profileKinds, tags: [profileTag(body.babyId)]),
                Query.Item(
                    kinds: memberKinds.union(profileKinds), tags: [tag(body.householdId)]))
        case .replaceId(let body):
            Query(
                Query.Item(
                    kinds: [IdReplaced.kind],
                    tags: [IdReplaced.tag(body.kind, body.localId)]))
        case .changeConsent(let body):
            Query(Query.Item(kinds: [ConsentChanged.kind], tags: [Tag("user", body.userId)]))
        case .changeRole(let body):
            Query(Query.Item(kinds: memberKinds, tags: [tag(body.householdId)]))
        case .changeProfile(let body):
            Query(Query.Item(kinds: profileKinds, tags: [profileTag(body.babyId)]))
        }
    }

    /// The household of a baby, once its onboarding has told it.
    public static func query(for command: Command, knowing state: State) -> Query {
        var items = query(for: command).items ?? []
        switch command {
        case .changeProfile(let body):
            let profile = state.profile(body.babyId)
            items += profile.items
            if let householdId = profile.householdId {
                items.append(Query.Item(kinds: memberKinds, tags: [tag(householdId)]))
            }
        case .replaceId(let body):
            // The new id may have been replaced itself, over and over, by the old one at last.
            var id = body.remoteId
            for _ in 0...state.replaced.count {
                items.append(
                    Query.Item(kinds: [IdReplaced.kind], tags: [IdReplaced.tag(body.kind, id)]))
                guard let newer = state.replaced[id] else { break }
                id = newer
            }
        case .changeRole(let body):
            let former = state.replaced.filter { $0.value == body.householdId }.keys.sorted()
            items += former.map { Query.Item(kinds: memberKinds, tags: [tag($0)]) }
        default: break
        }
        return Query(items: items) ?? query(for: command)
    }
}
