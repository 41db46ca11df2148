package import Daybook

extension Chat {
    /// HTTP endpoints of the chats with the AI, and the commands or reports that serve each.
    ///
    /// Source: S4, the router of 2026-02-21 and the differences that its document lists.
    package static let routes: [RouteDescription] = [
        RouteDescription(
            .post, "/api/v1/ai/query", in: "S4", serves: .command(OpenSession.name),
            .command(Account.ReserveCredits.name), .command(RecordAnswer.name),
            .command(FailAnswer.name), remark: "it finds the open session or opens one"),
        RouteDescription(
            .post, "/api/v1/chat/query", in: "S4", serves: .command(Account.ReserveCredits.name),
            .command(RecordAnswer.name), .command(FailAnswer.name), drift: .notDescribed),
        endpoint(.post, "chat/sessions", .command(OpenSession.name)),
        endpoint(.get, "chat/sessions", .report(SessionsReport.name)),
        endpoint(.post, "chat/sessions/:session_id/messages", .command(AddSessionMessage.name)),
        endpoint(.get, "chat/sessions/:session_id/messages", .report(SessionReport.name)),
    ]

    /// Returns a chat endpoint of the original server (S4), whose OpenAPI description omits it.
    private static func endpoint(
        _ method: RouteDescription.Method, _ path: String, _ service: RouteDescription.Service
    ) -> RouteDescription {
        RouteDescription(method, "/api/v1/\(path)", in: "S4", serves: service, drift: .notDescribed)
    }
}
