import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s3-colour-ignored, s3-cart-total, s3-one-currency, s3-order-states, s3-payment-amount
/// Carts and orders: what is refused, and what any order of additions keeps true.
@Suite("Carts and orders") struct ShopTests {
    private typealias Sentence = CommandExample<Shop>

    private static func added(
        _ color: String, _ quantity: Int64 = 1, price: Int64 = 4_500, currency: String = "KRW"
    ) -> Shop.CartItemAdded {
        Shop.CartItemAdded(
            device: "d", menuId: "tee", size: "M", color: color, quantity: quantity,
            unitPriceMinor: price, currency: currency)
    }

    private static func add(_ currency: String) -> Shop.AddCartItem {
        Shop.AddCartItem(
            device: "d", menuId: "tee", size: "M", color: "red", unitPriceMinor: 4_500,
            currency: currency)
    }

    private static let placed = Shop.OrderPlaced(
        orderId: "o", userId: "kim", device: "d",
        lines: [
            Shop.Line(
                menuId: "tee", size: "M", color: "red", quantity: 2, unitPriceMinor: 4_500)
        ], totalMinor: 9_000, currency: "KRW")
    private static let made = Shop.PaymentMade(
        orderId: "o", userId: "kim", impUid: "imp_1", amountMinor: 9_000, currency: "KRW")
    private static let verified = Shop.PaymentVerified(
        orderId: "o", userId: "kim", impUid: "imp_1")

    private static func changed(
        _ from: Shop.OrderStatus, _ to: Shop.OrderStatus
    ) -> Shop.OrderStatusChanged {
        Shop.OrderStatusChanged(orderId: "o", userId: "kim", from: from, to: to)
    }

    @Test(arguments: [
        Sentence(
            "One of a dish is added where no number is said", when: add("KRW"),
            then: .events([.cartItemAdded(added("red"))])),
        Sentence(
            "A dish in another currency than the cart's is refused",
            given: [.cartItemAdded(added("red", currency: "USD"))], when: add("KRW"),
            then: .refused(
                "otherCurrency",
                "the cart has prices in USD, but the dish has a price in KRW")),
        Sentence(
            "An empty cart takes any currency",
            given: [
                .cartItemAdded(added("red", currency: "USD")),
                .cartCleared(Shop.CartCleared(device: "d", reason: .user)),
            ], when: add("KRW"), then: .events([.cartItemAdded(added("red"))])),
        Sentence(
            "A word that is no currency is refused", when: add("won"),
            then: .refused("noCurrency", "currency is 'won'; expected a code like KRW")),
        Sentence(
            "A quantity below one removes the line",
            given: [.cartItemAdded(added("red", 3))],
            when: Shop.ChangeQuantity(
                device: "d", menuId: "tee", size: "M", color: "red", quantity: -2),
            then: .events([
                .cartItemQuantityChanged(
                    Shop.CartItemQuantityChanged(
                        device: "d", menuId: "tee", size: "M", color: "red", quantity: 0))
            ])),
        Sentence(
            "A line of another colour is another line",
            given: [.cartItemAdded(added("red"))],
            when: Shop.ChangeQuantity(
                device: "d", menuId: "tee", size: "M", color: "blue", quantity: 2),
            then: .refused("lineNotFound")),
        Sentence(
            "An empty cart is not cleared again", when: Shop.ClearCart(device: "d"),
            then: .events([])),
    ])
    private func fills(_ example: Sentence) { example.check() }

    @Test(arguments: [
        Sentence(
            "An order takes the lines of the cart, which is empty then",
            given: [.cartItemAdded(added("red", 2))],
            when: Shop.PlaceOrder(orderId: "o", userId: "kim", device: "d"),
            then: .events([
                .orderPlaced(placed),
                .cartCleared(Shop.CartCleared(device: "d", reason: .ordered)),
            ])),
        Sentence(
            "An order of an empty cart is refused",
            when: Shop.PlaceOrder(orderId: "o", userId: "kim", device: "d"),
            then: .refused("emptyCart")),
        Sentence(
            "An id stands for one order",
            given: [.orderPlaced(placed), .cartItemAdded(added("red"))],
            when: Shop.PlaceOrder(orderId: "o", userId: "kim", device: "d"),
            then: .refused("orderExists")),
        Sentence(
            "A payment of another amount is refused", given: [.orderPlaced(placed)],
            when: Shop.PayOrder(
                orderId: "o", impUid: "imp_1", amountMinor: 8_999, currency: "KRW"),
            then: .refused(
                "otherAmount",
                "the order 'o' costs 9000 minor units of KRW, but 8999 of KRW were paid")),
        Sentence(
            "A payment in another currency is refused", given: [.orderPlaced(placed)],
            when: Shop.PayOrder(
                orderId: "o", impUid: "imp_1", amountMinor: 9_000, currency: "USD"),
            then: .refused("otherAmount")),
        Sentence(
            "A payment of the total is taken", given: [.orderPlaced(placed)],
            when: Shop.PayOrder(
                orderId: "o", impUid: "imp_1", amountMinor: 9_000, currency: "KRW"),
            then: .events([.paymentMade(made)])),
        Sentence(
            "An order is paid once", given: [.orderPlaced(placed), .paymentMade(made)],
            when: Shop.PayOrder(
                orderId: "o", impUid: "imp_2", amountMinor: 9_000, currency: "KRW"),
            then: .refused("illegalStep")),
        Sentence(
            "An order that was cancelled is not paid",
            given: [
                .orderPlaced(placed), .orderStatusChanged(changed(.pendingApproval, .cancelled)),
            ],
            when: Shop.PayOrder(
                orderId: "o", impUid: "imp_1", amountMinor: 9_000, currency: "KRW"),
            then: .refused("illegalStep")),
        Sentence(
            "Another payment than the one made is not verified",
            given: [.orderPlaced(placed), .paymentMade(made)],
            when: Shop.VerifyPayment(orderId: "o", impUid: "imp_2"),
            then: .refused("otherPayment")),
        Sentence(
            "A payment that was not made is not verified", given: [.orderPlaced(placed)],
            when: Shop.VerifyPayment(orderId: "o", impUid: "imp_1"),
            then: .refused("illegalStep")),
        Sentence(
            "A payment that is verified does not fail",
            given: [.orderPlaced(placed), .paymentMade(made), .paymentVerified(verified)],
            when: Shop.FailPayment(orderId: "o", noResponse: true),
            then: .refused("illegalStep")),
        Sentence(
            "A failure without an id of its own is that of the payment made",
            given: [.orderPlaced(placed), .paymentMade(made)],
            when: Shop.FailPayment(orderId: "o", noResponse: true),
            then: .events([
                .paymentFailed(
                    Shop.PaymentFailed(
                        orderId: "o", userId: "kim", impUid: "imp_1", noResponse: true))
            ])),
        Sentence(
            "An unknown order is not paid",
            when: Shop.PayOrder(orderId: "o", impUid: "i", amountMinor: 0, currency: "KRW"),
            then: .refused("orderNotFound")),
    ])
    private func orders(_ example: Sentence) { example.check() }

    /// Each pair of statuses, and the answer: a step, nothing to do, or a refusal.
    @Test("An order goes on by one status at a time, and is cancelled from any but the last")
    func statuses() throws {
        let order: [Shop.OrderStatus] = [
            .pendingApproval, .approved, .inProgress, .readyForPickup, .pickedUp,
        ]
        for (index, from) in order.enumerated() {
            for to in Shop.OrderStatus.allCases {
                var log = DecidedLog()
                log.keep(Self.placed, at: .epoch)
                log.keep(Self.made, at: .epoch)
                log.keep(Self.verified, at: .epoch)
                for step in 0..<index {
                    log.keep(Self.changed(order[step], order[step + 1]), at: .epoch)
                }
                let refusal = try log.refusal(
                    of: Shop.ChangeOrderStatus(orderId: "o", to: to), at: .epoch)
                let isNext = index + 1 < order.count && order[index + 1] == to
                let isCancelling = to == .cancelled && from != .pickedUp
                let isLegal = isNext || isCancelling || to == from
                #expect(
                    refusal == (isLegal ? nil : "illegalStep"), "\(from.name) to \(to.name)")
            }
        }
    }

    @Test("The money of a cancelled order is to be given back, whichever step comes first")
    func refunds() throws {
        for isVerifiedFirst in [true, false] {
            var log = DecidedLog()
            log.keep(Self.placed, at: .epoch)
            log.keep(Self.made, at: .epoch)
            let cancel = Shop.ChangeOrderStatus(orderId: "o", to: .cancelled)
            let verify = Shop.VerifyPayment(orderId: "o", impUid: "imp_1")
            if isVerifiedFirst { try log.give(verify, at: .epoch) }
            try log.give(cancel, at: .epoch)
            if !isVerifiedFirst { try log.give(verify, at: .epoch) }
            let payment = try log.state(of: Shop.Payment.self)
            #expect(payment.state == .refundDue && payment.amountMinor == 9_000)
            #expect(try log.findings(of: Shop.self).isEmpty)
            try expect(log.refusal(of: verify, at: .epoch), equals: "illegalStep")
        }
        var unpaid = DecidedLog()
        unpaid.keep(Self.placed, at: .epoch)
        try unpaid.give(Shop.ChangeOrderStatus(orderId: "o", to: .cancelled), at: .epoch)
        try expect(unpaid.state(of: Shop.Payment.self).state, equals: .unpaid)
    }

    /// Each pair of statuses as a fact, and that the audit finds exactly the steps that a command
    /// would refuse.
    @Test("A recorded step that skips a status, goes back or begins elsewhere is found")
    func recordedSteps() throws {
        for from in Shop.OrderStatus.allCases {
            for to in Shop.OrderStatus.allCases {
                var log = DecidedLog()
                log.keep(Self.placed, at: .epoch)
                log.keep(Self.made, at: .epoch)
                log.keep(Self.verified, at: .epoch)
                log.keep(Self.changed(from, to), at: .epoch)
                let isLegal = from == .pendingApproval && [.approved, .cancelled].contains(to)
                let found = try log.findings(of: Shop.self).map(\.rule)
                let expected = (isLegal ? [] : ["O1"]) + (to == .cancelled ? ["O7"] : [])
                expect(found, equals: expected, "\(from.name) to \(to.name)")
            }
        }
        var twice = DecidedLog()
        twice.keep(Self.placed, at: .epoch)
        twice.keep(Self.placed, at: .epoch)
        try expect(twice.findings(of: Shop.self).map(\.rule), equals: ["O1"])
        var unknown = DecidedLog()
        unknown.keep(Self.verified, at: .epoch)
        try expect(unknown.findings(of: Shop.self).map(\.rule), equals: ["O2"])
    }

    @Test("An order is approved once its payment is verified, and not before")
    func approval() throws {
        var log = DecidedLog()
        let approve = Shop.ChangeOrderStatus(orderId: "o", to: .approved)
        log.keep(Self.placed, at: .epoch)
        try expect(log.refusal(of: approve, at: .epoch), equals: "notPaid")
        log.keep(Self.made, at: .epoch)
        try expect(log.refusal(of: approve, at: .epoch), equals: "notPaid")
        log.keep(Self.verified, at: .epoch)
        #expect(try log.refusal(of: approve, at: .epoch) == nil)
    }

    @Test(
        "A cart's total is that of its lines, each of which stands once",
        arguments: Cases.sample(0..<100 as Range<UInt64>))
    func totals(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = DecidedLog()
        var expected: [String: (quantity: Int64, price: Int64)] = [:]
        for _ in 0..<60 {
            let color = ["red", "blue", "green"].randomElement(using: &random) ?? "red"
            let number = Int64.random(in: -1...4, using: &random)
            if Bool.random(using: &random) {
                let price = 100 * Int64.random(in: 1...9, using: &random)
                let (quantity, before) = (max(1, number), expected[color]?.quantity ?? 0)
                expected[color] = (before + quantity, price)
                try log.give(
                    Shop.AddCartItem(
                        device: "d", menuId: "tee", size: "M", color: color,
                        quantity: quantity, unitPriceMinor: price, currency: "KRW"), at: .epoch)
            } else if expected[color] != nil {
                expected[color]?.quantity = number
                if number <= 0 { expected[color] = nil }
                try log.give(
                    Shop.ChangeQuantity(
                        device: "d", menuId: "tee", size: "M", color: color, quantity: number),
                    at: .epoch)
            }
            let cart = try log.state(of: Shop.Cart.self)
            let total = expected.values.reduce(0) { $0 + $1.quantity * $1.price }
            expect(cart.totalMinor, equals: total, "seed \(seed)")
            expect(cart.lines.count, equals: expected.count, "seed \(seed)")
            expect(Set(cart.lines.map(\.color)), equals: Set(expected.keys), "seed \(seed)")
            #expect((cart.currency == nil) == expected.isEmpty, "seed \(seed)")
            let source = try log.state(of: Shop.SourceCart.self)
            #expect(source.lines.count <= 1, "seed \(seed)")
        }
    }

    @Test("No layout of a shop's events changes without a new version of its kind")
    func layouts() throws {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        try LayoutPins(of: Shop.self).check(heldIn: "\(path)/layouts.txt")
    }
}
