package import Daybook

extension Account {
    /// The projection of a household's subscription.
    package enum Subscription: Projection {
        package enum Event: EventSet {
            case subscriptionChanged(SubscriptionChanged)
            package static let kinds = [StoredKind(subscriptionChanged)]
        }

        package struct State: PlainRecord {
            /// Plan of the household; `nil` until a subscription is recorded.
            package var plan: Plan?
            package var status = SubscriptionStatus.none
            /// True if the plan gives access to the AI.
            package var opensAI = false
            /// True if the plan gives access to the photos.
            var opensPhotos = false
            /// True if chat is open in a release build; a debug build always has chat.
            var opensChat = false
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("plan", &plan, "status", &status)
                try field("opensAI", &opensAI, "opensPhotos", &opensPhotos, "opensChat", &opensChat)
            }

            mutating func apply(_ changed: SubscriptionChanged) {
                (plan, status) = (changed.plan, changed.status)
                let isOpen = changed.plan.hasAI && changed.status.isEnabled
                (opensAI, opensPhotos, opensChat) = (isOpen, isOpen, isOpen)
            }

            /// True if the subscription may change to this status.
            func allows(_ next: SubscriptionStatus) -> Bool {
                lifecycle.allows(
                    SubscriptionChanged.self, from: plan == nil ? nil : status, to: next)
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .subscriptionChanged(let changed) = event else { return }
            state.apply(changed)
        }

        static let lifecycle = Lifecycle<SubscriptionStatus>(
            "subscription", field: "status",
            [
                .begins(SubscriptionChanged.self, .trialing, .active),
                .step(
                    SubscriptionChanged.self, from: .trialing, to: .trialing, .active, .pastDue,
                    .cancelled),
                .step(
                    SubscriptionChanged.self, from: .active, to: .trialing, .active, .pastDue,
                    .cancelled),
                .step(SubscriptionChanged.self, from: .pastDue, to: .trialing, .active, .cancelled),
                .step(SubscriptionChanged.self, from: .cancelled, to: .trialing, .active),
            ])
    }
}
