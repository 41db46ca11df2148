import ArgumentParser
import Daybook

/// The command `routes`, which lists the endpoints of the app's servers.
struct RoutesCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract:
            "List the endpoints of the app's servers and the part of the model that serves each.",
        discussion: """
            A command, the state of a projection, a report, an import, an export or a flow input \
            serves a route; if nothing does, the line says why. A drift is a contradiction between \
            the parts of a contract: "notRouted" means that clients or documents name the endpoint \
            and the server answers 404; "notDescribed" means that the server has the endpoint and \
            the description that client code is generated from does not. The exit code is 0 even \
            with drifts, since they lie in the app's own documents.
            """)

    @Argument(help: .text("Beginning of the path; all routes by default.", "path"))
    var path: String?

    @Flag(help: "Only the routes with a drift.")
    var drift = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let routes = catalogue().routes.filter { route in
            (path.map { route.path.hasPrefix($0) } ?? true) && (!drift || route.drift != nil)
        }
        if routes.isEmpty {
            StandardError.message(
                "no route "
                    + (path.map { "begins with '\($0)'" + (drift ? " and has a drift" : "") }
                        ?? "has a drift"))
        }
        if output.json {
            for route in routes { Output.answer(RouteAnswer(route)) }
        } else {
            show(routes)
        }
    }

    /// Prints the routes as a table, with counts and an explanation of each drift.
    private func show(_ routes: [RouteDescription]) {
        guard !routes.isEmpty else { return }
        var table = Table(.leading, .leading, .leading, .leading, .leading)
        table.add("method", "path", "source", "drift", "served by")
        for route in routes {
            let serves = route.serves.map(\.description).joined(separator: ", ")
            table.add(
                route.method.rawValue, route.path, route.source, route.drift?.rawValue ?? "",
                serves.isEmpty ? "– \(route.remark ?? "")" : serves)
        }
        Output.lines(table.lines)
        let unserved = routes.count { $0.serves.isEmpty }
        let drifts = RouteDescription.Drift.allCases.compactMap { drift -> String? in
            let count = routes.count { $0.drift == drift }
            return count == 0 ? nil : "\(count) \(drift.rawValue)"
        }
        Output.line("")
        Output.line(
            "\(routes.count.counted("route")), \(unserved) served by nothing (– and the reason), "
                + (drifts.isEmpty ? "no drift" : drifts.joined(separator: ", ")))
        for drift in RouteDescription.Drift.allCases {
            guard routes.contains(where: { $0.drift == drift }) else { continue }
            Output.line("  \(drift.rawValue): \(drift.sentence)")
        }
        Output.line("  source: the app's document that has it, as in docs/sources.md")
    }

    static let examples = ["routes", "routes --drift", "routes /api/v1/events --json"]

    static var answers: [any Answer.Type] { [RouteAnswer.self] }

    static var storeUse: StoreUse { .noLog }
}

extension RouteDescription.Drift {
    fileprivate var sentence: String {
        switch self {
        case .notRouted: "clients or documents name the endpoint, but the server answers 404"
        case .notDescribed: "the description that client code is generated from lacks the endpoint"
        }
    }
}

struct RouteAnswer: Answer {
    static let name = "routes"
    static let summary = "An endpoint, and the parts of the model that serve it."

    var method = ""
    /// Path of the endpoint, such as `/api/v1/events`.
    var path = ""
    /// Name of the app's document that has the endpoint, as listed in docs/sources.md.
    var source = ""
    /// Parts of the model that serve the endpoint, such as `report daily`.
    var servingParts: [String] = []
    /// Contradiction about the endpoint: `notRouted` if the server lacks it, `notDescribed` if the
    /// interface description lacks it; `nil` if there is none.
    var drift: String?
    /// Reason why no part of the model serves the endpoint; `nil` without a remark.
    var remark: String?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("method", &method, "path", &path, "source", &source, "serves", &servingParts)
        try field("drift", &drift, "remark", &remark)
    }
}

extension RouteAnswer {
    init(_ route: RouteDescription) {
        self.init(
            method: route.method.rawValue, path: route.path, source: route.source,
            servingParts: route.serves.map(\.description), drift: route.drift?.rawValue,
            remark: route.remark)
    }
}
