import Daybook

extension Shop {
    /// A line of a cart or an order: a dish in one size and colour.
    struct Line: PlainRecord {
        var menuId = ""
        var size = ""
        var color = ""
        var quantity: Int64 = 0
        var unitPriceMinor: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("menuId", &menuId, "size", &size, "color", &color)
            try field("qty", &quantity, .count)
            try field("unitPriceMinor", &unitPriceMinor, .minorUnits)
        }

        /// Price of all dishes of the line, in minor units of the currency.
        var totalMinor: Int64 { quantity * unitPriceMinor }
    }

    /// The projection of a device's cart, with one line for each dish, size and colour.
    ///
    /// The price of a line is that of the latest addition to it.
    enum Cart: Projection {
        enum Event: EventSet {
            case cartItemAdded(CartItemAdded), cartItemQuantityChanged(CartItemQuantityChanged)
            case cartCleared(CartCleared), signedIn(Session.SignedIn), signedOut(Session.SignedOut)

            static let kinds = [
                StoredKind(cartItemAdded), StoredKind(cartItemQuantityChanged),
                StoredKind(cartCleared), StoredKind(signedIn), StoredKind(signedOut),
            ]
        }

        struct State: PlainRecord {
            /// Lines in the order in which they were first added.
            var lines: [Line] = []
            /// Number of dishes in all lines.
            var quantity: Int64 = 0
            /// Price of all lines, in minor units of the currency.
            var totalMinor: Int64 = 0
            /// ISO 4217 code of the currency of all lines, such as `KRW`; `nil` for an empty cart.
            var currency: String?
            /// Reason why the cart was last cleared; `nil` if it never was.
            var lastClearReason: ClearReason?
            /// Number of additions since the cart was last empty. The code in the original app's
            /// document (S3) would show this many lines, because it appends a line at each
            /// addition.
            var additionCount: Int64 = 0
            /// User who signed in last; a sign-in of another user clears the cart.
            var userId: String?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("lines", &lines, "qty", &quantity, "totalMinor", &totalMinor)
                try field("currency", &currency, "lastCleared", &lastClearReason)
                try field("additions", &additionCount)
                try field.internalField("userId", &userId)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            state.apply(event, .standard)
        }
    }

    /// The projection of a cart as in the original app (S3), with one line for each dish and size.
    ///
    /// A line keeps the colour and the price of its first addition.
    enum SourceCart: Projection {
        static func evolve(
            _ state: inout Cart.State, with event: Cart.Event, _ envelope: Envelope
        ) { state.apply(event, .source) }
    }
}

extension Shop.Cart.State {
    mutating func apply(_ event: Shop.Cart.Event, _ rules: Rules) {
        switch event {
        case .cartItemAdded(let added): add(added, rules)
        case .cartItemQuantityChanged(let changed): change(changed, rules)
        case .cartCleared(let cleared): clear(cleared.reason)
        case .signedIn(let signedIn):
            if let userId, userId != signedIn.userId { clear(.signedOut) }
            userId = signedIn.userId
        case .signedOut: clear(.signedOut)
        }
        quantity = lines.reduce(0) { $0 + $1.quantity }
        totalMinor = lines.reduce(0) { $0 + $1.totalMinor }
        if lines.isEmpty {
            currency = nil
            additionCount = 0
        }
    }

    /// Returns the index of the line for a dish; `nil` if the cart has no such line. Under `rules:
    /// source` the colour is ignored.
    private func index(_ menuId: String, _ size: String, _ color: String, _ rules: Rules) -> Int? {
        lines.firstIndex {
            $0.menuId == menuId && $0.size == size && (rules == .source || $0.color == color)
        }
    }

    /// Adds dishes to their line, or to a new line.
    private mutating func add(_ added: Shop.CartItemAdded, _ rules: Rules) {
        currency = currency ?? added.currency
        additionCount += 1
        guard let index = index(added.menuId, added.size, added.color, rules) else {
            lines.append(
                Shop.Line(
                    menuId: added.menuId, size: added.size, color: added.color,
                    quantity: added.quantity, unitPriceMinor: added.unitPriceMinor))
            return
        }
        lines[index].quantity += added.quantity
        if rules == .standard { lines[index].unitPriceMinor = added.unitPriceMinor }
    }

    /// Sets the number of dishes of a line; removes the line at 0.
    private mutating func change(_ changed: Shop.CartItemQuantityChanged, _ rules: Rules) {
        guard let index = index(changed.menuId, changed.size, changed.color, rules) else { return }
        if changed.quantity > 0 {
            lines[index].quantity = changed.quantity
        } else {
            lines.remove(at: index)
        }
    }

    /// Removes all lines of the cart; records the reason if the cart had lines.
    private mutating func clear(_ reason: Shop.ClearReason) {
        if !lines.isEmpty { lastClearReason = reason }
        lines = []
    }
}
