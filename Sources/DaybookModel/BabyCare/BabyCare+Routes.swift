package import Daybook

extension BabyCare {
    /// HTTP routes of the baby-care app, each with the command, projection or report that serves
    /// it.
    ///
    /// Source: S4, the router of 2026-02-21 and the differences that its document lists.
    package static let routes: [RouteDescription] = [
        sourceRoute(.post, "events/voice", .command(ParseVoiceClip.name)),
        sourceRoute(.post, "events/confirm", .command(ConfirmVoiceClip.name)),
        sourceRoute(.post, "events/manual", .command(RecordEntry.name)),
        sourceRoute(.post, "events/start", .command(Start.name)),
        RouteDescription(
            .patch, "/api/v1/events/:event_id", in: "S4", serves: .command(Edit.name),
            .command(Restore.name), drift: .notDescribed,
            remark: "with metadata.undo_delete it restores"),
        sourceRoute(.patch, "events/:event_id/complete", .command(Complete.name)),
        sourceRoute(.patch, "events/:event_id/cancel", .command(Cancel.name)),
        sourceRoute(.get, "events/open", .projection("open-entries")),
        sourceRoute(.get, "quick/last-poo-time", .report("last")),
        sourceRoute(.get, "quick/next-feeding-eta", .report("next-feeding")),
        sourceRoute(.get, "quick/today-summary", .report("today")),
        sourceRoute(.get, "quick/landing-snapshot", .report("landing")),
        sourceRoute(.get, "quick/last-feeding", .report("last"), drift: .notRouted),
        sourceRoute(.get, "quick/recent-sleep", .report("last"), drift: .notRouted),
        sourceRoute(.get, "quick/last-diaper", .report("last"), drift: .notRouted),
        sourceRoute(.get, "quick/last-medication", .report("last"), drift: .notRouted),
        sourceRoute(.get, "reports/daily", .report("daily")),
        sourceRoute(.get, "reports/weekly", .report("weekly")),
        RouteDescription(
            .get, "/api/v1/reports/monthly", in: "S4", serves: .report("monthly"),
            drift: .notRouted, remark: "the document lists it; the server has it from 8d90141 on"),
    ]

    /// Returns the description of a route of the original app under `/api/v1/`.
    private static func sourceRoute(
        _ method: RouteDescription.Method, _ path: String, _ service: RouteDescription.Service,
        drift: RouteDescription.Drift? = nil
    ) -> RouteDescription {
        RouteDescription(method, "/api/v1/\(path)", in: "S4", serves: service, drift: drift)
    }
}
