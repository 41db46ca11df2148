public import Daybook

extension Launch {
    /// Route of the config.
    ///
    /// Source: S0, endpoints.
    public static let routes = [
        RouteDescription(
            .get, "/api/config", in: "S0", serves: .flow("launch.start"),
            .command(RemoteConfigFetched.name), .command(RemoteConfigFetchFailed.name))
    ]
}
