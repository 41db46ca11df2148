import Daybook
import Testing

/// A contract with a server, which is refused where a line of it points at nothing.
@Suite struct RouteTests {
    private enum Empty: Area {
        static let name = "empty"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let routes = [
            RouteDescription.unserved(.post, "/b", in: "one", because: "nothing comes of it"),
            .unserved(.get, "/b", in: "one", because: "nothing comes of it"),
            .unserved(.get, "/a", in: "two", because: "nothing comes of it"),
        ]
    }

    private enum Pointing: Area {
        static let name = "pointing"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let routes = [
            RouteDescription(.get, "/a", in: "one", serves: .command("pointing.nowhere"))
        ]
    }

    private enum Silent: Area {
        static let name = "silent"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let routes = [RouteDescription(.get, "/a", in: "one")]
    }

    private enum Repeated: Area {
        static let name = "repeated"
        static let events: [EventDescription] = []
        static let commands: [CommandDescription] = []
        static let projections: [ProjectionDescription] = []
        static let routes = [
            RouteDescription.unserved(.get, "/a", in: "one", because: "a reason"),
            .unserved(.get, "/a", in: "one", because: "another"),
        ]
    }

    @Test("Routes are listed by source, path and method")
    func order() throws {
        let routes = try Catalogue([Empty.self]).routes
        #expect(
            routes.map { "\($0.source) \($0.path) \($0.method.rawValue)" } == [
                "one /b GET", "one /b POST", "two /a GET",
            ])
    }

    @Test("A route that points at nothing, stands twice or gives no reason is refused")
    func faults() {
        let faults: [(any Area.Type, InvalidCatalogue)] = [
            (Pointing.self, .routeToUnknownPart("GET /a", "command pointing.nowhere")),
            (Silent.self, .routeWithoutReason("GET /a")),
            (Repeated.self, .duplicateName("GET /a")),
        ]
        for (area, fault) in faults {
            #expect(throws: fault) { try Catalogue([area]) }
        }
    }
}
