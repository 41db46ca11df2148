import Daybook

extension Shop {
    /// An order with the lines of a cart was placed.
    struct OrderPlaced: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.order-placed.v1"
        var orderId = ""
        var userId = ""
        var device = ""
        var storeId: String?
        var lines: [Line] = []
        /// Price of all lines, in minor units of the currency, such as cents.
        var totalMinor: Int64 = 0
        var currency = ""
        var tags: [Tag] { [orderTag(orderId), userTag(userId), deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "device", &device)
            try field("storeId", &storeId, "lines", &lines)
            try field("totalMinor", &totalMinor, .orderMinorUnits)
            try field("currency", &currency)
        }

        func sentence(_ wording: Wording) -> String {
            let count = lines.reduce(0 as Int64) { $0.saturatingSum($1.quantity) }
            return "order placed: \(count.counted("dish", "dishes")), "
                + FieldUnit.minorUnits.text(totalMinor, currency: currency)
        }
    }

    /// Places an order with the lines of the cart, and clears the cart.
    struct PlaceOrder: CartCommand, OrderCommand {
        static let name = "shop.place-order"
        var orderId = ""
        var userId = ""
        var device = ""
        var storeId: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("orderId", &orderId, "userId", &userId, "device", &device)
            try field("storeId", &storeId)
        }

        /// Query for the cart of the device, and for the order and its payment.
        var query: Query {
            Query.any(of: Shop.cartKinds, deviceTag(device))
                .union(.any(of: Shop.orderKinds, orderTag(orderId)))
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            guard shop.order == nil else {
                throw Refusal("orderExists", "there is an order '\(orderId)' already")
            }
            guard let currency = shop.cart.currency else {
                throw Refusal("emptyCart", "the cart of the device '\(device)' is empty")
            }
            guard shop.cart.totalMinor <= Limit.orderMinorUnits.values.upperBound else {
                throw Refusal(
                    "totalTooLarge",
                    "the cart of the device '\(device)' costs more than "
                        + "\(Limit.orderMinorUnits.values.upperBound) minor units (such as cents) "
                        + "of \(currency)"
                )
            }
            let placed = OrderPlaced(
                orderId: orderId, userId: userId, device: device, storeId: storeId,
                lines: shop.cart.lines, totalMinor: shop.cart.totalMinor, currency: currency)
            return [
                .orderPlaced(placed),
                .cartCleared(CartCleared(device: device, reason: .ordered)),
            ]
        }
    }
}

extension Limit {
    /// Accepted totals of an order, in minor units of its currency.
    static let orderMinorUnits = Limit(values: 0...1_000_000_000_000_000_000)
}
