public import EventSourcing

extension Household {
    /// What can happen to a household.
    public enum Event: DecidedEvents {
        case onboarded(Onboarded)
        case idReplaced(IdReplaced)
        case consentChanged(ConsentChanged)
        case memberRoleChanged(MemberRoleChanged)
        case babyProfileChanged(BabyProfileChanged)

        public static let kinds: [StoredKind<Event>] = [
            StoredKind(Event.onboarded),
            StoredKind(Event.idReplaced),
            StoredKind(Event.consentChanged),
            StoredKind(Event.memberRoleChanged),
            StoredKind(Event.babyProfileChanged),
        ]

        public var payload: any EventPayload {
            switch self {
            case .onboarded(let payload): payload
            case .idReplaced(let payload): payload
            case .consentChanged(let payload): payload
            case .memberRoleChanged(let payload): payload
            case .babyProfileChanged(let payload): payload
            }
        }
    }
}
