package import Daybook

extension Assistant {
    /// HTTP routes for Siri and Bixby, each with the report that serves it.
    ///
    /// Source: S4, the router of 2026-02-21 and the differences that its document lists.
    package static let routes: [RouteDescription] =
        ["GetLastPooTime", "GetNextFeedingEta", "GetTodaySummary"].map { intent in
            RouteDescription(
                .post, "/api/v1/assistants/siri/\(intent)", in: "S4",
                serves: .report(SiriReport.name), drift: .notDescribed)
        } + [
            RouteDescription(
                .post, "/api/v1/assistants/siri/:intent_name", in: "S4",
                serves: .report(SiriReport.name)),
            RouteDescription(
                .post, "/api/v1/assistants/bixby/query", in: "S4",
                serves: .report(BixbyReport.name)),
        ]
}
