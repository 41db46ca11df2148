import Daybook

extension Shop {
    /// Finds errors in carts, orders and payments that were recorded without a command's checks.
    struct ShopAudit: Audit {
        static let description = AuditDescription(
            "shop",
            [
                AuditRule("O1", "An order changed in a way that its life cycle does not allow"),
                AuditRule("O2", "A payment changed in a way that its life cycle does not allow"),
                AuditRule("O3", "An order was approved before its payment was verified"),
                AuditRule("O4", "A payment differs from its order in amount or currency"),
                AuditRule("O5", "A dish has another currency than its cart"),
                AuditRule("O6", "An order's total differs from the sum of its lines"),
                AuditRule(
                    "O7",
                    "A cancelled order was paid, or its verified payment has no recorded refund"),
            ]
        ) { ShopAudit($0) }

        /// Orders with their payments, by order id.
        private var orders: [String: State] = [:]
        /// Carts by device id.
        private var carts: [String: Cart.State] = [:]
        /// Log position at which each refund that is not recorded yet became due, by order id.
        private var dueRefunds: [String: Int64] = [:]
        /// Findings about orders and payments.
        private var orderFindings: EntityFindings
        private var cartFindings: EntityFindings
        private let reader = KindReader<Event>()

        init(_ context: AuditContext) {
            orderFindings = EntityFindings("order", context)
            cartFindings = EntityFindings("device", context)
        }

        func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard let known = try reader.read(event) else { return }
            let position = Int64(clamping: event.position.rawValue)
            switch known {
            case .orderPlaced(let placed):
                if let status = orders[placed.orderId]?.order?.status {
                    orderFindings.add(
                        "O1", position, placed.orderId, expected: "a step from \(status.name)",
                        found: "placed again")
                }
                let total = placed.lines.reduce(0) { $0 + $1.totalMinor }
                if total != placed.totalMinor {
                    orderFindings.add(
                        "O6", position, placed.orderId, expected: "\(total)",
                        found: "\(placed.totalMinor)")
                }
            case .orderStatusChanged(let changed):
                check(changed, position)
                let payment = orders[changed.orderId]?.payment?.state ?? .unpaid
                if changed.to == .cancelled, payment == .verified {
                    dueRefunds[changed.orderId] = position
                }
                if changed.to == .approved, payment != .verified {
                    orderFindings.add(
                        "O3", position, changed.orderId, expected: "verified", found: payment.name)
                }
            case .paymentMade(let made):
                checkPaymentEvent(PaymentMade.self, made.orderId, position)
                check(made, position)
            case .paymentVerified(let verified):
                checkPaymentEvent(PaymentVerified.self, verified.orderId, position)
                if orders[verified.orderId]?.order?.status == .cancelled {
                    dueRefunds[verified.orderId] = position
                }
            case .refundDue(let due):
                checkPaymentEvent(RefundDue.self, due.orderId, position)
                dueRefunds[due.orderId] = nil
            case .paymentFailed(let failed):
                checkPaymentEvent(PaymentFailed.self, failed.orderId, position)
            case .cartItemAdded(let added): check(added, position)
            case .cartItemQuantityChanged, .cartCleared, .signedIn, .signedOut:
                break
            }
            fold(known, event)
        }

        /// Checks rule O1: an order changes its status only as its life cycle allows.
        private mutating func check(_ changed: OrderStatusChanged, _ position: Int64) {
            let status = orders[changed.orderId]?.order?.status
            let isLegal = Order.lifecycle.allows(
                OrderStatusChanged.self, from: status, to: changed.to)
            guard !isLegal || changed.from != status else { return }
            orderFindings.add(
                "O1", position, changed.orderId,
                expected: "a step from \(status?.name ?? "no order")",
                found: "\(changed.from.name) to \(changed.to.name)")
        }

        /// Checks rule O2: a payment changes its state only as its life cycle allows.
        private mutating func checkPaymentEvent(
            _ payload: (some EventPayload).Type, _ orderId: String, _ position: Int64
        ) {
            let state = orders[orderId]?.payment?.state
            guard !Payment.lifecycle.allows(payload, in: state) else { return }
            orderFindings.add(
                "O2", position, orderId, expected: "no \(payload.kind.stem)",
                found: state?.name ?? "no order")
        }

        /// Checks a payment by rules O4 (amount and currency of the order) and O7 (order not
        /// cancelled).
        private mutating func check(_ made: PaymentMade, _ position: Int64) {
            if orders[made.orderId]?.order?.status == .cancelled {
                orderFindings.add(
                    "O7", position, made.orderId, expected: "no payment", found: "paid")
            }
            guard let order = orders[made.orderId]?.order,
                order.totalMinor != made.amountMinor || order.currency != made.currency
            else { return }
            orderFindings.add(
                "O4", position, made.orderId, expected: "\(order.totalMinor) \(order.currency)",
                found: "\(made.amountMinor) \(made.currency)")
        }

        /// Checks rule O5: a dish has the currency of its cart.
        private mutating func check(_ added: CartItemAdded, _ position: Int64) {
            guard let currency = carts[added.device]?.currency, currency != added.currency else {
                return
            }
            cartFindings.add(
                "O5", position, added.device, expected: currency, found: added.currency)
        }

        /// Applies an event to the order or the cart that it concerns.
        private mutating func fold(_ known: Event, _ event: RecordedEvent) {
            for tag in event.tags where tag.noun == "order" {
                Shop.evolve(&orders[String(tag.id), default: .blank], with: known, event.envelope)
            }
            for tag in event.tags where tag.noun == "device" && Shop.cartKinds.contains(event.kind)
            {
                var state = State.blank
                state.cart = carts[String(tag.id)] ?? .blank
                Shop.evolve(&state, with: known, event.envelope)
                carts[String(tag.id)] = state.cart
            }
        }

        mutating func finish() -> AuditResult {
            for (orderId, position) in dueRefunds.sorted(by: { $0.value < $1.value }) {
                orderFindings.add(
                    "O7", position, orderId, expected: "refundDue", found: "cancelled and verified")
            }
            return AuditResult(findings: orderFindings.found + cartFindings.found)
        }
    }
}
