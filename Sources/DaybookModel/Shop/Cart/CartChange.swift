public import Daybook

extension Shop {
    /// The number of dishes in a line was changed, or the line was removed.
    public struct CartItemQuantityChanged: EventPayload {
        public static let kind: EventKind = "shop.cart-item-quantity-changed.v1"
        public var device = ""
        /// Id of the dish.
        public var menuId = ""
        public var size = ""
        public var color = ""
        /// New number of dishes; 0 if the line was removed.
        public var quantity: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { [deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .values(0...1_000_000))
        }
    }

    /// The reason why a cart was cleared.
    public enum ClearReason: UInt8, StoredEnum { case user, ordered, signedOut }

    /// All lines of a cart were removed.
    public struct CartCleared: EventPayload {
        public static let kind: EventKind = "shop.cart-cleared.v1"
        public var device = ""
        public var reason = ClearReason.user
        public static var blank: Self { Self() }
        public var tags: [Tag] { [deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "reason", &reason)
        }
    }

    /// Changes the number of dishes in a line; 0 or a negative number removes the line.
    public struct ChangeQuantity: CartCommand {
        public static let name = "shop.change-quantity"
        public var device = ""
        /// Id of the dish.
        public var menuId = ""
        public var size = ""
        public var color = ""
        /// New number of dishes.
        public var quantity: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .values(-1_000_000...1_000_000))
        }

        public func decide(_ shop: State, now: Instant) throws(Refusal) -> [Event] {
            let line = shop.cart.lines.first {
                $0.menuId == menuId && $0.size == size && $0.color == color
            }
            guard let line else {
                throw Refusal(
                    "lineNotFound",
                    "the cart has no dish '\(menuId)' in size '\(size)' and colour '\(color)'")
            }
            guard line.quantity != quantity else { return [] }
            return [
                .cartItemQuantityChanged(
                    CartItemQuantityChanged(
                        device: device, menuId: menuId, size: size, color: color,
                        quantity: max(0, quantity)))
            ]
        }
    }

    /// Removes all lines of a cart.
    public struct ClearCart: CartCommand {
        public static let name = "shop.clear-cart"
        public var device = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        public func decide(_ shop: State, now: Instant) -> [Event] {
            shop.cart.lines.isEmpty
                ? [] : [.cartCleared(CartCleared(device: device, reason: .user))]
        }
    }
}
