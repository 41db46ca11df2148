import Daybook

extension Shop {
    /// The number of dishes in a line was changed, or the line was removed.
    struct CartItemQuantityChanged: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.cart-item-quantity-changed.v1"
        var device = ""
        var menuId = ""
        var size = ""
        var color = ""
        /// New number of dishes; 0 if the line was removed.
        var quantity: Int64 = 0
        var tags: [Tag] { [deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .values(0...1_000_000))
        }

        func sentence(_ wording: Wording) -> String {
            let dish = wording.list(menuId, size, color)
            return quantity == 0
                ? "\(dish) removed from the cart" : "\(quantity) × \(dish) now in the cart"
        }
    }

    /// The reason why a cart was cleared.
    enum ClearReason: UInt8, StoredEnum { case user, ordered, signedOut }

    /// All lines of a cart were removed.
    struct CartCleared: EventPayload, PlainRecord {
        static let kind: EventKind = "shop.cart-cleared.v1"
        var device = ""
        var reason = ClearReason.user
        var tags: [Tag] { [deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "reason", &reason)
        }

        func sentence(_ wording: Wording) -> String {
            switch reason {
            case .user: "cart cleared"
            case .ordered: "cart cleared: ordered"
            case .signedOut: "cart cleared: signed out"
            }
        }
    }

    /// Changes the number of dishes in a line; 0 or a negative number removes the line.
    struct ChangeQuantity: CartCommand {
        static let name = "shop.change-quantity"
        var device = ""
        var menuId = ""
        var size = ""
        var color = ""
        /// New number of dishes.
        var quantity: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .values(-1_000_000...1_000_000))
        }

        func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            let line = shop.cart.lines.first {
                $0.menuId == menuId && $0.size == size && $0.color == color
            }
            guard let line else {
                throw Refusal(
                    "lineNotFound",
                    "the cart has no dish '\(menuId)' in size '\(size)' and colour '\(color)'")
            }
            guard line.quantity != quantity else { return [] }
            let changed = CartItemQuantityChanged(
                device: device, menuId: menuId, size: size, color: color,
                quantity: max(0, quantity))
            return [.cartItemQuantityChanged(changed)]
        }
    }

    /// Removes all lines of a cart.
    struct ClearCart: CartCommand {
        static let name = "shop.clear-cart"
        var device = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        func decide(_ shop: State, now: Instant) -> [Event] {
            shop.cart.lines.isEmpty
                ? [] : [.cartCleared(CartCleared(device: device, reason: .user))]
        }
    }
}
