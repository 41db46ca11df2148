public import Daybook

extension Running {
    /// Source: S0, endpoints.
    public static let routes = [
        RouteDescription(.get, "/api/users/{id}", in: "S0", serves: .report("runner")),
        RouteDescription(.get, "/api/ranking/weekly", in: "S0", serves: .report("ranking")),
    ]
}
