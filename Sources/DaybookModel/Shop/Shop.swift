import Daybook

/// The area of orders for pickup: the cart of a device, and its orders and payments.
///
/// A line of a cart is a dish in one size and colour. A cart has one currency, and is cleared by an
/// order and by signing out. An order proceeds from the store's approval to the pickup, and can be
/// approved once its payment is verified. A verified payment of a cancelled order has to be
/// refunded, whether the verification or the cancellation is recorded first.
///
/// Source: S3 (CartManager, IamportManager); its code for the states of an order.
enum Shop: Area, Projection {
    static let name = "shop"
    static let rules: [RuleSet] = [.source]

    /// The events from which commands about a cart or an order decide.
    enum Event: DecidedEvents {
        case cartItemAdded(CartItemAdded), cartItemQuantityChanged(CartItemQuantityChanged)
        case cartCleared(CartCleared), orderPlaced(OrderPlaced)
        case orderStatusChanged(OrderStatusChanged), paymentMade(PaymentMade)
        case paymentVerified(PaymentVerified), paymentFailed(PaymentFailed), refundDue(RefundDue)
        case signedIn(Session.SignedIn), signedOut(Session.SignedOut)

        static let kinds = [
            StoredKind(cartItemAdded), StoredKind(cartItemQuantityChanged),
            StoredKind(cartCleared), StoredKind(orderPlaced), StoredKind(orderStatusChanged),
            StoredKind(paymentMade), StoredKind(paymentVerified), StoredKind(paymentFailed),
            StoredKind(refundDue), StoredKind(signedIn), StoredKind(signedOut),
        ]
    }

    /// The cart of a device, and one order with its payment.
    struct State: PlainRecord {
        var cart = Cart.State()
        /// Order that the command concerns; `nil` before it is placed.
        var order: Order.State?
        /// Payment of the order; `nil` before the order is placed.
        var payment: Payment.State?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("cart", &cart, "order", &order, "payment", &payment)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .cartItemAdded(let added): state.cart.apply(.cartItemAdded(added), .standard)
        case .cartItemQuantityChanged(let changed):
            state.cart.apply(.cartItemQuantityChanged(changed), .standard)
        case .cartCleared(let cleared): state.cart.apply(.cartCleared(cleared), .standard)
        case .signedIn(let signedIn): state.cart.apply(.signedIn(signedIn), .standard)
        case .signedOut(let signedOut): state.cart.apply(.signedOut(signedOut), .standard)
        case .orderPlaced(let placed):
            state.order = state.order ?? Order.State(placed)
            state.payment = state.payment ?? Payment.State(placed)
        case .orderStatusChanged(let changed): state.order?.status = changed.to
        case .paymentMade(let made): state.payment?.apply(.paymentMade(made))
        case .paymentVerified(let verified): state.payment?.apply(.paymentVerified(verified))
        case .paymentFailed(let failed): state.payment?.apply(.paymentFailed(failed))
        case .refundDue(let due): state.payment?.apply(.refundDue(due))
        }
    }

    static let commands = [
        CommandDescription(AddCartItem.self), CommandDescription(ChangeQuantity.self),
        CommandDescription(ClearCart.self), CommandDescription(PlaceOrder.self),
        CommandDescription(ChangeOrderStatus.self), CommandDescription(PayOrder.self),
        CommandDescription(VerifyPayment.self), CommandDescription(FailPayment.self),
    ]
    static let projections = [
        ProjectionDescription(
            "cart", noun: "device", "The lines of a device's cart, and their total", Cart.self,
            under: .source, SourceCart.self),
        ProjectionDescription(
            "order", noun: "order", "An order: its lines, total and status", Order.self),
        ProjectionDescription("payment", noun: "order", "The payment of an order", Payment.self),
    ]
    static let machines = [Order.lifecycle.machine, Payment.lifecycle.machine]
    /// HTTP endpoints; from the code of S3.
    static let routes: [RouteDescription] = [
        RouteDescription(.post, "/orders", in: "S3", serves: .command(PlaceOrder.name)),
        RouteDescription(
            .post, "/payments/validation", in: "S3", serves: .command(VerifyPayment.name),
            .command(FailPayment.name)),
    ]
    static let audits = [ShopAudit.description]
    static let people: PersonNouns = ["user": "user"]
    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func userTag(_ userId: String) -> Tag { Tag("user", userId) }
    static func orderTag(_ orderId: String) -> Tag { Tag("order", orderId) }

    /// Kinds of the events that determine a device's cart.
    static let cartKinds: Set<EventKind> = [
        CartItemAdded.kind, CartItemQuantityChanged.kind, CartCleared.kind, Session.SignedIn.kind,
        Session.SignedOut.kind,
    ]

    /// Kinds of the events of an order and its payment.
    static let orderKinds: Set<EventKind> = [
        OrderPlaced.kind, OrderStatusChanged.kind, PaymentMade.kind, PaymentVerified.kind,
        PaymentFailed.kind, RefundDue.kind,
    ]
}

/// A command on the cart of one device.
protocol CartCommand: Command, PlainRecord where Model == Shop {
    var device: String { get }
}

extension CartCommand {
    var query: Query { .any(of: Shop.cartKinds, Shop.deviceTag(device)) }
}

/// A command on one order.
protocol OrderCommand: Command, PlainRecord where Model == Shop {
    var orderId: String { get }
}

extension OrderCommand {
    var query: Query { .any(of: Shop.orderKinds, Shop.orderTag(orderId)) }

    /// Returns the order and its payment; throws a refusal if no order with this id was placed.
    func placed(_ shop: Shop.State) throws(Refusal) -> (Shop.Order.State, Shop.Payment.State) {
        guard let order = shop.order, let payment = shop.payment else {
            throw Refusal("orderNotFound", "there is no order '\(orderId)'")
        }
        return (order, payment)
    }
}

extension Limit {
    /// Accepted prices in minor units of a currency, such as cents.
    static let minorUnits = Limit(values: 0...1_000_000_000_000)

    /// Accepted numbers of dishes in one addition to a cart.
    static let quantity = Limit(values: 1...1_000_000)
}
