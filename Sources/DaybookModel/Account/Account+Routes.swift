package import Daybook

extension Account {
    /// HTTP routes for settings and subscriptions, with the commands and reports that serve them.
    ///
    /// Source: S4, the router of 2026-02-21.
    package static let routes: [RouteDescription] = [
        RouteDescription(.get, "/api/v1/settings/me", in: "S4", serves: .projection("settings")),
        RouteDescription(
            .patch, "/api/v1/settings/me", in: "S4", serves: .command(ChangeSettings.name),
            remark: "the server's answer fills a map of tiles or menu entries with defaults; the "
                + "stored settings are correct"),
        RouteDescription(
            .get, "/api/v1/subscription/me", in: "S4", serves: .projection("subscription"),
            .report(FeatureGate.name)),
        RouteDescription(
            .post, "/api/v1/subscription/checkout", in: "S4", serves: .command(CheckOut.name)),
    ]
}
