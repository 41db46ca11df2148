package import Daybook

extension Assistant {
    /// HTTP routes for Siri and Bixby, each with the report that serves it. Source: S4, the router
    /// of 2026-02-21 and the differences that its document lists.
    package static let routes: [RouteDescription] =
        ["GetLastPooTime", "GetNextFeedingEta", "GetTodaySummary"].map { intent in
            RouteDescription.v1(
                .post, "assistants/siri/\(intent)", .report(SiriReport.name), drift: .notDescribed)
        } + [
            .v1(.post, "assistants/siri/:intent_name", .report(SiriReport.name)),
            .v1(.post, "assistants/bixby/query", .report(BixbyReport.name)),
        ]
}
