public import Daybook

extension Household {
    /// The subjects to which a user can consent.
    public enum Consent: UInt8, StoredEnum {
        case terms
        case privacy
        case dataProcessing
        /// Consent to uploads to the community.
        case communityUpload
        /// Consent to targeted advertising.
        case adTargeting
        /// Consent to services that use the location.
        case locationBased
        /// Consent to sharing photos.
        case photoShare
    }

    /// Records that a user gave or withdrew a consent.
    public struct ConsentChanged: EventPayload, HouseholdCommand {
        public static let kind: EventKind = "household.consent-changed.v1"
        public static let name = "household.change-consent"
        public var userId = ""
        /// Subject of the consent, such as the terms of use.
        public var kind = Consent.terms
        /// True if the user gave the consent, false if the user withdrew it.
        public var isGranted = false
        /// Version of the text that the user answered.
        public var version = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [Tag("user", userId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "kind", &kind, "granted", &isGranted, "version", &version)
        }

        public var query: Query { .any(of: [Self.kind], Tag("user", userId)) }

        public func decide(_ state: State, now: Instant) -> [Event] {
            let known = state.consents["\(userId)/\(kind.name)"]
            let isKnown = known.map { $0.isGranted == isGranted && $0.version == version } ?? false
            return isKnown ? [] : [.consentChanged(self)]
        }
    }

    /// A user's latest answer to a request for consent.
    public struct ConsentAnswer: Record {
        /// True if the user gave the consent, false if the user withdrew it.
        public var isGranted = false
        /// Version of the text that the user answered.
        public var version = ""
        /// Time of the answer, by the device's clock.
        public var changed = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("granted", &isGranted, "version", &version, "changedUs", &changed)
        }
    }

    /// The projection of a user's consents.
    public enum Consents: Projection {
        /// Events that change the consents of a user.
        public enum Event: EventSet {
            case consentChanged(ConsentChanged)

            public static let kinds = [StoredKind(consentChanged)]
        }

        /// The latest answers of a user to requests for consent.
        public struct State: Record {
            /// Answers by the name of their subject, such as `terms`.
            public var consents: [String: ConsentAnswer] = [:]
            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("consents", &consents)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .consentChanged(let changed) = event else { return }
            state.consents[changed.kind.name] = ConsentAnswer(changed, envelope)
        }
    }
}

extension Household.ConsentAnswer {
    /// Creates the answer that an event records.
    init(_ changed: Household.ConsentChanged, _ envelope: Envelope) {
        self.init(
            isGranted: changed.isGranted, version: changed.version, changed: envelope.occurredAt)
    }
}
