/// One endpoint of an app's server, and the commands, reports or other services behind it.
///
/// Clients and servers change independently. Because their contract is written down beside the
/// model, tools can list and compare it, and the catalogue refuses a route that names an unknown
/// service.
public struct RouteDescription: Sendable {
    /// The method of an HTTP request.
    public enum Method: String, Sendable, Comparable {
        /// `GET`.
        case get = "GET"
        /// `POST`.
        case post = "POST"
        /// `PUT`.
        case put = "PUT"
        /// `PATCH`.
        case patch = "PATCH"
        /// `DELETE`.
        case delete = "DELETE"

        public static func < (first: Method, second: Method) -> Bool {
            first.rawValue < second.rawValue
        }
    }

    /// A command, projection, report, file format or flow that serves an endpoint, by its name.
    public enum Service: Hashable, Sendable, CustomStringConvertible {
        /// A command that records the request.
        case command(String)
        /// A projection whose state answers the request.
        case projection(String)
        /// A report that answers the request.
        case report(String)
        /// An import format that reads the request.
        case `import`(String)
        /// An export format that writes the answer.
        case export(String)
        /// An input of a flow that handles the request: `session.refresh`.
        case flow(String)

        /// The service as the command line names it: `command baby-care.record`, `state session`.
        public var description: String {
            switch self {
            case .command(let name): "command \(name)"
            case .projection(let name): "state \(name)"
            case .report(let name): "report \(name)"
            case .import(let name): "import \(name)"
            case .export(let name): "export \(name)"
            case .flow(let name): "flow \(name)"
            }
        }
    }

    /// A contradiction between the clients, the server and the interface description.
    public enum Drift: String, Sendable, CaseIterable {
        /// Clients or documents name the endpoint, but the server answers with status 404.
        case notRouted
        /// The server has the endpoint, but its machine-readable interface description does not.
        ///
        /// Code that is generated from the description lacks the call.
        case notDescribed
    }

    /// The method of the request.
    public let method: Method
    /// The path with its parameters: `/api/v1/events/:event_id`.
    public let path: String
    /// The document or program that names the endpoint.
    public let source: String
    /// The commands, reports or other services behind the endpoint; empty if there are none.
    public let serves: [Service]
    /// A remark on the endpoint; if nothing serves it, the reason why; `nil` for no remark.
    public let remark: String?
    /// The contradiction between clients, server and description; `nil` if they agree.
    public let drift: Drift?

    /// Describes an endpoint, named in `source`, that commands, reports or other services serve.
    public init(
        _ method: Method, _ path: String, in source: String, serves: Service...,
        drift: Drift? = nil, remark: String? = nil
    ) {
        self.method = method
        self.path = path
        self.source = source
        self.serves = serves
        self.drift = drift
        self.remark = remark
    }

    /// Describes an endpoint that nothing in the model serves, because of `reason`, a clause.
    public static func unserved(
        _ method: Method, _ path: String, in source: String, because reason: String,
        drift: Drift? = nil
    ) -> RouteDescription {
        RouteDescription(method, path, in: source, drift: drift, remark: reason)
    }
}
