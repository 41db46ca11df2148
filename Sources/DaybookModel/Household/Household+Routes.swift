package import Daybook

extension Household {
    /// HTTP routes for onboarding and baby profiles, with the commands and reports that serve them.
    ///
    /// Source: S4, the router of 2026-02-21.
    package static let routes = [
        RouteDescription(
            .post, "/api/v1/onboarding/parent", in: "S4", serves: .command(Onboarded.name),
            .command(ConsentChanged.name), .command(StartSync.name), .command(RecordSync.name),
            remark: "a baby created offline is sent after the sign-in"),
        RouteDescription(
            .get, "/api/v1/babies/profile", in: "S4", serves: .projection("profile"),
            .report("recommendation")),
        RouteDescription(
            .patch, "/api/v1/babies/profile", in: "S4", serves: .command(BabyProfileChanged.name)),
    ]
}
