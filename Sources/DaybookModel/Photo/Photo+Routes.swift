import Daybook

extension Photo {
    /// HTTP endpoints of photos, and the commands or projection that serve each.
    ///
    /// Source: S4, the router of 2026-02-21 and the differences that its document lists.
    static let routes: [RouteDescription] = [
        RouteDescription(
            .post, "/api/v1/photos/upload-url", in: "S4", serves: .command(StartUpload.name)),
        RouteDescription(
            .post, "/api/v1/photos/complete", in: "S4", serves: .command(CompleteUpload.name)),
        RouteDescription(
            .post, "/api/v1/photos/upload", in: "S4", serves: .command(StartUpload.name),
            .command(CompleteUpload.name), drift: .notRouted,
            remark: "the server has two steps in its place"),
        RouteDescription(
            .get, "/api/v1/photos/recent", in: "S4", serves: .projection("album"),
            drift: .notRouted),
    ]
}
