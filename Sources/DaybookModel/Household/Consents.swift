package import Daybook

extension Household {
    /// The subjects to which a user can consent.
    package enum Consent: UInt8, StoredEnum {
        case terms, privacy, dataProcessing, communityUpload, adTargeting
        /// Consent to services that use the location.
        case locationBased
        case photoShare
    }

    /// Records that a user gave or withdrew a consent.
    package struct ConsentChanged: EventPayload, HouseholdCommand {
        package static let kind: EventKind = "household.consent-changed.v1"
        package static let name = "household.change-consent"
        package var userId = ""
        /// Subject of the consent, such as the terms of use.
        package var kind = Consent.terms
        /// True if the user gave the consent, false if the user withdrew it.
        var isGranted = false
        /// Version of the text that the user answered.
        package var version = ""
        package var tags: [Tag] { [Tag("user", userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "kind", &kind, "granted", &isGranted, "version", &version)
        }

        package func sentence(_ wording: Wording) -> String {
            "consent to \(wording.words(kind)) \(isGranted ? "given" : "withdrawn"), "
                + "version \(version)"
        }

        package var query: Query { .any(of: [Self.kind], Tag("user", userId)) }

        package func decide(_ state: State, now: Instant) -> [Event] {
            let known = state.consents["\(userId)/\(kind.name)"]
            let isKnown = known.map { $0.isGranted == isGranted && $0.version == version } ?? false
            return isKnown ? [] : [.consentChanged(self)]
        }
    }

    /// A user's latest answer to a request for consent.
    package struct ConsentAnswer: PlainRecord {
        var isGranted = false
        package var version = ""
        /// Time of the answer, by the device's clock.
        package var changed = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("granted", &isGranted, "version", &version, "changedUs", &changed)
        }
    }

    /// The projection of a user's consents.
    enum Consents: Projection {
        enum Event: EventSet {
            case consentChanged(ConsentChanged)
            static let kinds = [StoredKind(consentChanged)]
        }

        struct State: PlainRecord {
            /// Answers by the name of their subject, such as `terms`.
            var consents: [String: ConsentAnswer] = [:]
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("consents", &consents)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
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
