import Daybook

extension RouteDescription {
    /// Creates the description of an endpoint under `/api/v1/` of the original server (S4).
    static func v1(
        _ method: Method, _ path: String, _ service: Service, drift: Drift? = nil,
        remark: String? = nil
    ) -> RouteDescription {
        RouteDescription(
            method, "/api/v1/\(path)", in: "S4", serves: service, drift: drift, remark: remark)
    }
}
