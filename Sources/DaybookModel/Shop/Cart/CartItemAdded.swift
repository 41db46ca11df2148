import Daybook

extension Shop {
    /// A dish was added to the cart.
    struct CartItemAdded: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.cart-item-added.v1"
        var device = ""
        var menuId = ""
        var size = ""
        var color = ""
        var quantity: Int64 = 1
        /// Price of one dish, in minor units of the currency, such as cents.
        var unitPriceMinor: Int64 = 0
        /// ISO 4217 code of the currency, such as `KRW`.
        var currency = ""
        var tags: [Tag] { [deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .quantity)
            try field("unitPriceMinor", &unitPriceMinor, .minorUnits)
            try field("currency", &currency)
        }

        func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "\(quantity) × \(menuId) added to the cart", size, color,
                FieldUnit.minorUnits.text(unitPriceMinor, currency: currency) + " each")
        }
    }

    /// Adds a dish to the cart; rejected if its currency differs from the cart's.
    struct AddCartItem: CartCommand {
        static let name = "shop.add-cart-item"
        var device = ""
        var menuId = ""
        var size = ""
        var color = ""
        /// Number of dishes to add; `nil` means 1.
        var quantity: Int64?
        var unitPriceMinor: Int64 = 0
        var currency = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .quantity)
            try field("unitPriceMinor", &unitPriceMinor, .minorUnits)
            try field("currency", &currency)
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            guard currency.utf8.count == 3,
                currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
            else {
                throw Refusal(
                    "noCurrency", "currency is '\(currency.prefix(60))'; expected a code like KRW")
            }
            if let own = shop.cart.currency, own != currency {
                throw Refusal(
                    "otherCurrency",
                    "the cart has prices in \(own), but the dish has a price in \(currency)")
            }
            let added = CartItemAdded(
                device: device, menuId: menuId, size: size, color: color,
                quantity: quantity ?? 1, unitPriceMinor: unitPriceMinor, currency: currency)
            return [.cartItemAdded(added)]
        }
    }
}
