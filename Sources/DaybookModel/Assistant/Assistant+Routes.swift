package import Daybook

extension Assistant {
    /// HTTP endpoints; from the router of 2026-02-21 (S4) and what its document lists besides.
    package static let routes: [RouteDescription] =
        ["GetLastPooTime", "GetNextFeedingEta", "GetTodaySummary"].map { intent in
            RouteDescription.v1(
                .post, "assistants/siri/\(intent)", .report(SiriReport.name), drift: .notDescribed)
        } + [
            .v1(.post, "assistants/siri/:intent_name", .report(SiriReport.name)),
            .v1(.post, "assistants/bixby/query", .report(BixbyReport.name)),
        ]
}
