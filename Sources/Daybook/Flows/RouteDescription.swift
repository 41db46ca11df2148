/// One endpoint of an app's server, and the part of the model that answers for it.
///
/// Clients and servers are changed apart from each other. Written down beside the model, the
/// contract between them can be listed and compared, and no line of it points at nothing.
public struct RouteDescription: Sendable {
    /// The method of an HTTP request.
    public enum Method: String, Sendable, Comparable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        public static func < (first: Method, second: Method) -> Bool {
            first.rawValue < second.rawValue
        }
    }

    /// A part of the model that answers for an endpoint, by its name in the catalogue.
    public enum Service: Hashable, Sendable, CustomStringConvertible {
        /// A command records the request.
        case command(String)
        /// A projection answers it.
        case projection(String)
        /// A report answers it.
        case report(String)
        /// An import reads it.
        case `import`(String)
        /// An export writes it.
        case export(String)
        /// An input of a flow: `session.refresh`.
        case flow(String)

        /// As the command line has it: `command baby-care.record`, `state session`.
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

    /// Where the parts of a contract contradict each other.
    public enum Drift: String, Sendable, CaseIterable {
        /// Clients or documents name it, and the server does not have it: they get a 404.
        case notRouted
        /// The server has it, and the machine-readable description of its interface does not:
        /// code that is generated from it lacks the call.
        case notDescribed
    }

    /// The method of the request.
    public let method: Method
    /// The path with its parameters: `/api/v1/events/:event_id`.
    public let path: String
    /// The document or program that has it.
    public let source: String
    /// The parts of the model that serve it.
    public let serves: [Service]
    /// The reason why nothing serves it, or a remark.
    public let remark: String?
    /// The difference between clients, server and description, if any.
    public let drift: Drift?

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

    /// An endpoint that nothing serves.
    public static func unserved(
        _ method: Method, _ path: String, in source: String, because reason: String,
        drift: Drift? = nil
    ) -> RouteDescription {
        RouteDescription(method, path, in: source, drift: drift, remark: reason)
    }
}
