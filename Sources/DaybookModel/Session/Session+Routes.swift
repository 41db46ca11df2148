package import Daybook

extension Session {
    /// HTTP endpoints; from S0 and S3 (token refresh) and S4 (the others).
    package static let routes: [RouteDescription] = [
        RouteDescription(
            .post, "/api/auth/refresh", in: "S0", serves: .flow("session.refresh"),
            .command(RecordRefresh.name), .command(RecordRefreshFailure.name)),
        RouteDescription(
            .post, "/auth/refresh", in: "S3", serves: .flow("session.refresh"),
            .command(RecordRefresh.name), .command(RecordRefreshFailure.name)),
        RouteDescription(
            .post, "/auth/test-login", in: "S4", serves: .command(SignIn.name),
            remark: "a test account's token; 404 if it is switched off"),
        .unserved(
            .get, "/health", in: "S4", because: "reports that the server runs; records nothing"),
        .unserved(.get, "/dev/local-token", in: "S4", because: localTokenReason),
        .unserved(.post, "/dev/local-token", in: "S4", because: localTokenReason),
    ]

    /// Reason why the source server's endpoints for a developer's token (S4) are not served.
    private static let localTokenReason =
        "a developer's token; 404 unless it is switched on; users of the app never get one"
}
