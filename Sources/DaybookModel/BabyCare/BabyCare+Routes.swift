package import Daybook

extension BabyCare {
    /// HTTP endpoints; from the router of 2026-02-21 (S4) and what its document lists besides.
    package static let routes: [RouteDescription] = [
        .v1(.post, "events/voice", .command(ParseVoiceClip.name)),
        .v1(.post, "events/confirm", .command(ConfirmVoiceClip.name)),
        .v1(.post, "events/manual", .command(RecordEntry.name)),
        .v1(.post, "events/start", .command(Start.name)),
        RouteDescription(
            .patch, "/api/v1/events/:event_id", in: "S4", serves: .command(Edit.name),
            .command(Restore.name), drift: .notDescribed,
            remark: "with metadata.undo_delete it restores"),
        .v1(.patch, "events/:event_id/complete", .command(Complete.name)),
        .v1(.patch, "events/:event_id/cancel", .command(Cancel.name)),
        .v1(.get, "events/open", .projection("open-entries")),
        .v1(.get, "quick/last-poo-time", .report("last")),
        .v1(.get, "quick/next-feeding-eta", .report("next-feeding")),
        .v1(.get, "quick/today-summary", .report("today")),
        .v1(.get, "quick/landing-snapshot", .report("landing")),
        .v1(.get, "quick/last-feeding", .report("last"), drift: .notRouted),
        .v1(.get, "quick/recent-sleep", .report("last"), drift: .notRouted),
        .v1(.get, "quick/last-diaper", .report("last"), drift: .notRouted),
        .v1(.get, "quick/last-medication", .report("last"), drift: .notRouted),
        .v1(.get, "reports/daily", .report("daily")),
        .v1(.get, "reports/weekly", .report("weekly")),
        .v1(
            .get, "reports/monthly", .report("monthly"), drift: .notRouted,
            remark: "the document lists it; the server has it from 8d90141 on"),
    ]
}
