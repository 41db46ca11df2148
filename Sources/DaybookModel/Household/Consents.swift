public import Daybook

extension Household {
    public enum Consent: UInt8, StoredEnum {
        case terms
        case privacy
        case dataProcessing
        case communityUpload
        case adTargeting
        case locationBased
        case photoShare
    }

    /// Records that a user gave or withdrew a consent.
    public struct ConsentChanged: EventPayload, HouseholdCommand {
        public static let kind: EventKind = "household.consent-changed.v1"
        public static let name = "household.change-consent"
        public var userId = ""
        public var kind = Consent.terms
        public var granted = false
        /// The version of the text that was agreed to.
        public var version = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [Tag("user", userId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "kind", &kind, "granted", &granted, "version", &version)
        }

        public var query: Query { .any(of: [Self.kind], Tag("user", userId)) }

        public func decide(_ state: State, now: Instant) -> [Event] {
            let known = state.consents["\(userId)/\(kind.name)"]
            let isKnown = known.map { $0.granted == granted && $0.version == version } ?? false
            return isKnown ? [] : [.consentChanged(self)]
        }
    }

    /// A user's answer to a consent.
    public struct Consented: Record {
        public var granted = false
        public var version = ""
        public var changed = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("granted", &granted, "version", &version, "changedUs", &changed)
        }
    }

    /// The consents of a user.
    public enum Consents: Projection {
        public enum Event: EventSet {
            case consentChanged(ConsentChanged)

            public static let kinds = [StoredKind(consentChanged)]
        }

        public struct State: Record {
            /// Answers by the name of the consent.
            public var consents: [String: Consented] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("consents", &consents)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .consentChanged(let changed) = event else { return }
            state.consents[changed.kind.name] = Consented(changed, envelope)
        }
    }
}

extension Household.Consented {
    init(_ changed: Household.ConsentChanged, _ envelope: Envelope) {
        self.init(
            granted: changed.granted, version: changed.version, changed: envelope.occurredAt)
    }
}
