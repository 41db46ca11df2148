import Daybook

extension Shop {
    /// The state of an order's payment.
    enum PaymentState: UInt8, StoredEnum {
        /// Not paid yet.
        case unpaid
        /// Paid, and not yet verified with the payment provider.
        case paid
        /// Paid, and verified with the payment provider.
        case verified
        /// The last payment failed; another may follow.
        case failed
        /// Verified, but the order was cancelled, so the amount must be refunded.
        case refundDue
    }

    /// An order was paid through the payment provider, Iamport.
    struct PaymentMade: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.payment-made.v1"
        var orderId = ""
        var userId = ""
        /// Iamport's id of the payment.
        var impUid = ""
        /// Amount in minor units of the currency, such as cents.
        var amountMinor: Int64 = 0
        var currency = ""
        var tags: [Tag] { [orderTag(orderId), userTag(userId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "impUid", &impUid)
            try field("amountMinor", &amountMinor, .orderMinorUnits)
            try field("currency", &currency)
        }

        func sentence(_ wording: Wording) -> String {
            "\(FieldUnit.minorUnits.text(amountMinor, currency: currency)) paid"
        }
    }

    /// The server verified a payment with the payment provider.
    struct PaymentVerified: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.payment-verified.v1"
        var orderId = ""
        var userId = ""
        var impUid = ""
        var tags: [Tag] { [orderTag(orderId), userTag(userId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "impUid", &impUid)
        }

        func sentence(_ wording: Wording) -> String {
            "payment verified"
        }
    }

    /// A verified payment must be refunded, because its order was cancelled.
    struct RefundDue: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.refund-due.v1"
        var orderId = ""
        var userId = ""
        var impUid = ""
        /// Amount to refund, in minor units of the currency.
        var amountMinor: Int64 = 0
        var currency = ""
        var tags: [Tag] { [orderTag(orderId), userTag(userId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "impUid", &impUid)
            try field("amountMinor", &amountMinor, .orderMinorUnits)
            try field("currency", &currency)
        }

        func sentence(_ wording: Wording) -> String {
            "refund due: \(FieldUnit.minorUnits.text(amountMinor, currency: currency))"
        }
    }

    /// A payment failed: the provider or the server rejected it, or did not answer.
    struct PaymentFailed: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.payment-failed.v1"
        var orderId = ""
        var userId = ""
        /// Iamport's id of the payment; `nil` if the provider gave none.
        var impUid: String?
        /// True if the provider or the server did not answer.
        var noResponse = false
        var message: PersonalText?
        var tags: [Tag] { [orderTag(orderId), userTag(userId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "impUid", &impUid)
            try field("noResponse", &noResponse, "message", &message)
        }

        func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "payment failed", noResponse ? "no response" : nil, wording.quoted(message))
        }
    }

    /// Records the payment of an order; the amount must equal the order's total.
    struct PayOrder: OrderCommand {
        static let name = "shop.pay-order"
        var orderId = ""
        var impUid = ""
        var amountMinor: Int64 = 0
        var currency = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "impUid", &impUid)
            try field("amountMinor", &amountMinor, .orderMinorUnits)
            try field("currency", &currency)
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            let (order, payment) = try placed(shop)
            guard order.status == .pendingApproval else {
                throw Refusal(
                    "illegalStep",
                    "the order '\(orderId)' cannot be paid, because it is \(order.status.name); "
                        + "expected pendingApproval")
            }
            try payment.check(PaymentMade.self, orderId)
            guard amountMinor == order.totalMinor, currency == order.currency else {
                throw Refusal(
                    "otherAmount",
                    "the order '\(orderId)' costs \(order.totalMinor) minor units of "
                        + "\(order.currency), but \(amountMinor) of \(currency) were paid")
            }
            let made = PaymentMade(
                orderId: orderId, userId: order.userId, impUid: impUid,
                amountMinor: amountMinor, currency: currency)
            return [.paymentMade(made)]
        }
    }

    /// Records that the server verified a payment.
    ///
    /// If the order was cancelled in the meantime, a refund becomes due.
    struct VerifyPayment: OrderCommand {
        static let name = "shop.verify-payment"
        var orderId = ""
        var impUid = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "impUid", &impUid)
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            let (order, payment) = try placed(shop)
            try payment.check(PaymentVerified.self, orderId)
            guard payment.impUid == impUid else {
                throw Refusal(
                    "otherPayment", "'\(impUid)' is not the last payment of the order '\(orderId)'")
            }
            let verified = Event.paymentVerified(
                PaymentVerified(orderId: orderId, userId: order.userId, impUid: impUid))
            return order.status == .cancelled
                ? [verified, .refundDue(payment.refund(of: order))] : [verified]
        }
    }

    /// Records that the payment of an order failed or was not verified.
    struct FailPayment: OrderCommand {
        static let name = "shop.fail-payment"
        var orderId = ""
        var impUid: String?
        /// True if the provider or the server did not answer; `nil` means false.
        var noResponse: Bool?
        var message: PersonalText?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "impUid", &impUid, "noResponse", &noResponse)
            try field("message", &message)
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            let (order, payment) = try placed(shop)
            try payment.check(PaymentFailed.self, orderId)
            let failed = PaymentFailed(
                orderId: orderId, userId: order.userId, impUid: impUid ?? payment.impUid,
                noResponse: noResponse ?? false, message: message)
            return [.paymentFailed(failed)]
        }
    }

    /// The projection of an order's payment.
    enum Payment: Projection {
        enum Event: EventSet {
            case orderPlaced(OrderPlaced), paymentMade(PaymentMade)
            case paymentVerified(PaymentVerified), paymentFailed(PaymentFailed)
            case refundDue(RefundDue)

            static let kinds = [
                StoredKind(orderPlaced), StoredKind(paymentMade), StoredKind(paymentVerified),
                StoredKind(paymentFailed), StoredKind(refundDue),
            ]
        }

        struct State: PlainRecord {
            var state = PaymentState.unpaid
            /// Iamport's id of the last payment; `nil` before the first payment.
            var impUid: String?
            /// Amount paid, in minor units of the currency; `nil` before the first payment.
            var amountMinor: Int64?
            var currency = ""
            var failureCount: Int64 = 0
            /// True if the last failure was a missing answer; `nil` without a failure or after a
            /// payment.
            var noResponse: Bool?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("state", &state, "impUid", &impUid)
                try field("amountMinor", &amountMinor, .any)
                try field.unlessBlank("currency", &currency)
                try field("failures", &failureCount, "noResponse", &noResponse)
            }

            init(_ placed: OrderPlaced) { currency = placed.currency }
            init() {}

            mutating func apply(_ event: Event) {
                switch event {
                case .orderPlaced(let placed): self = State(placed)
                case .paymentMade(let made):
                    (state, noResponse) = (.paid, nil)
                    (impUid, amountMinor, currency) = (made.impUid, made.amountMinor, made.currency)
                case .paymentVerified(let verified): (state, impUid) = (.verified, verified.impUid)
                case .paymentFailed(let failed):
                    (state, noResponse) = (.failed, failed.noResponse)
                    impUid = failed.impUid ?? impUid
                    failureCount += 1
                case .refundDue(let due): (state, impUid) = (.refundDue, due.impUid)
                }
            }

            /// Returns the event that records that the payment of an order must be refunded.
            func refund(of order: Order.State) -> RefundDue {
                RefundDue(
                    orderId: order.orderId, userId: order.userId, impUid: impUid ?? "",
                    amountMinor: amountMinor ?? order.totalMinor, currency: currency)
            }

            /// Throws a refusal if the state of the payment does not allow this kind of event.
            func check(_ payload: (some EventPayload).Type, _ orderId: String) throws(Refusal) {
                guard !lifecycle.allows(payload, in: state) else { return }
                throw Refusal(
                    "illegalStep",
                    "the payment of the order '\(orderId)' is \(state.name), which does not allow "
                        + "the event \(payload.kind.stem)")
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            state.apply(event)
        }

        static let lifecycle = Lifecycle<PaymentState>(
            "payment", field: "state",
            [
                .begins(OrderPlaced.self, .unpaid),
                .step(PaymentMade.self, from: .unpaid, .failed, to: .paid),
                .step(PaymentVerified.self, from: .paid, to: .verified),
                .step(PaymentFailed.self, from: .unpaid, .paid, to: .failed),
                .step(RefundDue.self, from: .verified, to: .refundDue),
            ])
    }
}
