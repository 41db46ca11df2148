import Daybook

extension Shop {
    /// The status of an order, from waiting for approval to pickup.
    enum OrderStatus: UInt8, StoredEnum {
        case cancelled
        /// Placed, and not yet approved by the store.
        case pendingApproval
        case approved, inProgress, readyForPickup, pickedUp

        /// Status to which the store moves the order next; `nil` for a final status.
        var next: OrderStatus? {
            switch self {
            case .pendingApproval: .approved
            case .approved: .inProgress
            case .inProgress: .readyForPickup
            case .readyForPickup: .pickedUp
            case .cancelled, .pickedUp: nil
            }
        }
    }

    /// The status of an order changed.
    struct OrderStatusChanged: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.order-status-changed.v1"
        var orderId = ""
        var userId = ""
        var from = OrderStatus.pendingApproval
        var to = OrderStatus.approved
        var tags: [Tag] { [orderTag(orderId), userTag(userId)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "from", &from, "to", &to)
        }

        func sentence(_ wording: Wording) -> String {
            "order \(wording.words(to)), was \(wording.words(from))"
        }
    }

    /// Moves an order to its next status, or cancels it.
    ///
    /// An order can be approved once its payment is verified. If an order with a verified payment
    /// is cancelled, a refund becomes due.
    struct ChangeOrderStatus: OrderCommand {
        static let name = "shop.change-order-status"
        var orderId = ""
        /// New status.
        var to = OrderStatus.cancelled
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "to", &to)
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            let (order, payment) = try placed(shop)
            guard order.status != to else { return [] }
            guard Order.lifecycle.allows(OrderStatusChanged.self, from: order.status, to: to) else {
                throw Refusal(
                    "illegalStep",
                    "the order '\(orderId)' cannot change from \(order.status.name) to \(to.name)")
            }
            guard to != .approved || payment.state == .verified else {
                throw Refusal(
                    "notPaid",
                    "the order '\(orderId)' cannot be approved: its payment is "
                        + "\(payment.state.name), not verified")
            }
            let changed = Event.orderStatusChanged(
                OrderStatusChanged(
                    orderId: orderId, userId: order.userId, from: order.status, to: to))
            return to == .cancelled && payment.state == .verified
                ? [changed, .refundDue(payment.refund(of: order))] : [changed]
        }
    }

    /// The projection of one order: its lines, total and status.
    enum Order: Projection {
        enum Event: EventSet {
            case orderPlaced(OrderPlaced), orderStatusChanged(OrderStatusChanged)
            static let kinds = [StoredKind(orderPlaced), StoredKind(orderStatusChanged)]
        }

        struct State: PlainRecord {
            var orderId = ""
            var userId = ""
            var storeId: String?
            var status = OrderStatus.pendingApproval
            var lines: [Line] = []
            var totalMinor: Int64 = 0
            var currency = ""
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field.unlessBlank("orderId", &orderId)
                try field.unlessBlank("userId", &userId)
                try field("storeId", &storeId, "status", &status, "lines", &lines)
                try field("totalMinor", &totalMinor, .any)
                try field.unlessBlank("currency", &currency)
            }

            init(_ placed: OrderPlaced) {
                orderId = placed.orderId
                userId = placed.userId
                storeId = placed.storeId
                lines = placed.lines
                totalMinor = placed.totalMinor
                currency = placed.currency
            }

            init() {}
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .orderPlaced(let placed): state = State(placed)
            case .orderStatusChanged(let changed): state.status = changed.to
            }
        }

        static let lifecycle = Lifecycle<OrderStatus>(
            "order", field: "status",
            [.begins(OrderPlaced.self, .pendingApproval)]
                + OrderStatus.allCases.compactMap { status in
                    status.next.map {
                        .step(OrderStatusChanged.self, from: status, to: $0, .cancelled)
                    }
                })
    }
}
