extension Catalogue {
    /// Checks the routes; throws an error for the first faulty route.
    ///
    /// A route is faulty if it is declared twice, if it names a command, report or other service
    /// that is not in the catalogue, or if it names neither a service nor why there is none.
    func check(_ routes: [RouteDescription]) throws(InvalidCatalogue) {
        var known: Set<String> = []
        for route in routes {
            let name = "\(route.method.rawValue) \(route.path)"
            guard known.insert("\(name) \(route.source)").inserted else {
                throw .duplicateName(name)
            }
            guard !route.serves.isEmpty || !(route.remark ?? "").isEmpty else {
                throw .routeWithoutReason(name)
            }
            for service in route.serves where !declares(service) {
                throw .routeToUnknownPart(name, "\(service)")
            }
        }
    }

    /// True if the catalogue has the command, report or other service that a route names.
    private func declares(_ service: RouteDescription.Service) -> Bool {
        switch service {
        case .command(let name): commands[name] != nil
        case .projection(let name): projections[name] != nil
        case .report(let name): reports[name] != nil
        case .import(let name): imports.contains { $0.name == name }
        case .export(let name): exports.contains { $0.name == name }
        case .flow(let name):
            flows.values.contains { flow in
                flow.inputs.keys.contains { "\(flow.name).\($0)" == name }
            }
        }
    }
}
