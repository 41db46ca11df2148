package import Daybook

extension Chat {
    /// HTTP endpoints; from the router of 2026-02-21 (S4) and what its document lists besides.
    package static let routes: [RouteDescription] = [
        RouteDescription(
            .post, "/api/v1/ai/query", in: "S4", serves: .command(OpenSession.name),
            .command(Account.ReserveCredits.name), .command(RecordAnswer.name),
            .command(FailAnswer.name), remark: "it finds the open session or opens one"),
        RouteDescription(
            .post, "/api/v1/chat/query", in: "S4", serves: .command(Account.ReserveCredits.name),
            .command(RecordAnswer.name), .command(FailAnswer.name), drift: .notDescribed),
        .v1(.post, "chat/sessions", .command(OpenSession.name), drift: .notDescribed),
        .v1(.get, "chat/sessions", .report(SessionsReport.name), drift: .notDescribed),
        .v1(
            .post, "chat/sessions/:session_id/messages", .command(AddSessionMessage.name),
            drift: .notDescribed),
        .v1(
            .get, "chat/sessions/:session_id/messages", .report(SessionReport.name),
            drift: .notDescribed),
    ]
}
