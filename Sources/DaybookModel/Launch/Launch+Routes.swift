package import Daybook

extension Launch {
    /// HTTP endpoint of the config, and the flow and commands that serve it.
    ///
    /// Source: S0, endpoints.
    package static let routes = [
        RouteDescription(
            .get, "/api/config", in: "S0", serves: .flow("launch.start"),
            .command(RemoteConfigFetched.name), .command(RemoteConfigFetchFailed.name))
    ]
}
