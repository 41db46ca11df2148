package import Daybook

extension Running {
    /// HTTP endpoints of the running app, and the report that answers each.
    ///
    /// Source: S0, endpoints.
    package static let routes = [
        RouteDescription(.get, "/api/users/{id}", in: "S0", serves: .report("runner")),
        RouteDescription(.get, "/api/ranking/weekly", in: "S0", serves: .report("ranking")),
    ]
}
