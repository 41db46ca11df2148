extension Catalogue {
    /// Checks the routes; throws an error for the first faulty route.
    ///
    /// A route is faulty if it is declared twice, if no area has the part of the model that serves
    /// it, or if it names neither such a part nor the reason why it has none.
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

    /// True if an area declares the part of the model that serves a route.
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
