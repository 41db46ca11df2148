import Daybook

extension Shop {
    /// HTTP endpoints of orders and payments, and the commands that serve each.
    ///
    /// Source: S3, its code.
    static let routes: [RouteDescription] = [
        RouteDescription(.post, "/orders", in: "S3", serves: .command(PlaceOrder.name)),
        RouteDescription(
            .post, "/payments/validation", in: "S3", serves: .command(VerifyPayment.name),
            .command(FailPayment.name)),
    ]
}
