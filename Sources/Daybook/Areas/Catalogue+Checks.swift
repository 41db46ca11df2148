extension Catalogue {
    /// Checks the declarations of all areas together; throws the first fault.
    ///
    /// It only compares declarations: it decides no command and folds no event.
    func check() throws(InvalidCatalogue) {
        let projections = areas.flatMap { $0.projections }
        try Self.checkNames([TextsErased.kind] + areas.flatMap { $0.events.map(\.kind) })
        try Self.checkNames(areas.flatMap { $0.commands.map(\.name) })
        try Self.checkNames(projections.map(\.name))
        try Self.checkNames(areas.flatMap { $0.flows.map(\.name) })
        try Self.checkNames(areas.flatMap { $0.reports.map(\.name) })
        try check(files.flatMap { $0.renderers })
        try Self.checkNames(areas.flatMap { $0.upcasters.map(\.from) })
        let shared = FactAudit.description(of: events).name
        try Self.checkNames(areas.flatMap { $0.audits.map(\.name) } + [shared])
        try checkNouns(of: projections)
        try Self.checkNames(areas.flatMap { $0.publications.map(\.kind) })
        try Self.checkNames(files.flatMap { $0.pictures.keys })
        for area in areas { try Self.check(area) }
        try checkKinds(of: projections)
        try checkMachines()
        try Self.check(imports, exports, files.flatMap { $0.trials })
        for picture in pictures.keys where self.projections[picture] == nil {
            throw .pictureWithoutProjection(picture)
        }
        for projection in projections {
            for rules in projection.rules where !self.rules.contains(rules) {
                throw .unknownRules(rules.name, of: projection.name)
            }
        }
        try checkUpcasters()
        try check(routes)
    }

    /// Throws an error if a name occurs twice.
    static func checkNames<Name: Hashable>(_ names: [Name]) throws(InvalidCatalogue) {
        var known: Set<Name> = []
        for name in names where !known.insert(name).inserted { throw .duplicateName("\(name)") }
    }

    /// Throws an error for a renderer without a report, or the second renderer of a report's form.
    private func check(_ renderers: [ReportRenderer]) throws(InvalidCatalogue) {
        var known: Set<String> = []
        for renderer in renderers {
            let form = renderer.form
            guard let report = reports[renderer.report], report.type == renderer.type else {
                throw .rendererWithoutReport(renderer.report, form)
            }
            let name = "the renderer of \(report.name) as \(form.name)"
            guard form != .json, known.insert(name).inserted else { throw .duplicateName(name) }
        }
    }

    /// Throws an error if a noun is declared in two ways, or no event renames the noun of a last
    /// part.
    private func checkNouns(
        of projections: [ProjectionDescription]
    ) throws(InvalidCatalogue) {
        for projection in projections {
            guard let part = projection.lastPartNoun else { continue }
            guard events.values.contains(where: { $0.renames[part] != nil }) else {
                throw .partNeverRenamed(part, of: projection.name)
            }
            guard lastParts[projection.noun] == part else {
                throw .duplicateName(projection.noun)
            }
        }
        for area in areas {
            for (noun, person) in area.people.nouns where people.nouns[noun] != person {
                throw .duplicateName(noun)
            }
            for (noun, owner) in area.people.owners
            where people.owners[noun] != owner || people.nouns[noun] != nil {
                throw .duplicateName(noun)
            }
        }
    }

    /// Throws an error if a projection reads an event kind that no area lists.
    private func checkKinds(
        of projections: [ProjectionDescription]
    ) throws(InvalidCatalogue) {
        let written = Set(events.keys)
        for projection in projections {
            guard let kind = projection.kinds.subtracting(written).min() else { continue }
            throw .undeclaredKind(kind, readBy: projection.name)
        }
    }

    /// Throws an error if two machines have one projection, or a machine does not fit its
    /// projection.
    private func checkMachines() throws(InvalidCatalogue) {
        let machines = areas.flatMap { $0.machines }
        try Self.checkNames(machines.map(\.projection))
        for machine in machines {
            guard let projection = projections[machine.projection] else {
                throw .machineWithoutProjection(machine.projection)
            }
            try Self.check(machine, of: projection)
        }
    }

    /// Throws an error unless upcasters lead from each older version of a kind to the next version.
    private func checkUpcasters() throws(InvalidCatalogue) {
        for upcaster in upcasters.values {
            guard upcaster.from.stem == upcaster.to.stem,
                upcaster.to.version == upcaster.from.version + 1
            else { throw .upcasterSkips(upcaster.from, upcaster.to) }
            guard events[upcaster.to] != nil || isOutdated(upcaster.to) else {
                throw .upcasterLeadsNowhere(upcaster.to)
            }
        }
        for kind in events.keys where kind.version > 1 {
            for version in 1..<kind.version {
                let earlier = "\(kind.stem).v\(version)"
                guard upcasters.keys.contains(where: { $0.name == earlier }) else {
                    throw .upcasterMissing(from: earlier)
                }
            }
        }
    }

    /// Checks the names, stored enums and report arguments of one area; throws the first fault.
    private static func check(_ area: any Area.Type) throws(InvalidCatalogue) {
        let prefix = "\(area.name)."
        let names = area.events.map(\.kind.name) + area.commands.map(\.name)
        for name in names where !name.hasPrefix(prefix) {
            throw .foreignName(name, in: area.name)
        }
        try checkEnums(area)
        for report in area.reports {
            let known = Set(report.arguments.map(\.name))
            let named = [
                report.period?.argument, report.clock, report.positional, report.subject?.argument,
            ]
            guard let unknown = named.lazy.compactMap(\.self).first(where: { !known.contains($0) })
            else { continue }
            throw .reportArgument(unknown, of: report.name)
        }
    }

    /// Throws an error if a record of the area has a stored enum with faulty numbers or names.
    private static func checkEnums(_ area: any Area.Type) throws(InvalidCatalogue) {
        let records =
            area.events.map { ($0.kind.name, $0.storedEnumFault) }
            + area.commands.map { ($0.name, $0.storedEnumFault) }
            + area.projections.map { ($0.name, $0.storedEnumFault) }
        for (owner, misnamed) in records {
            guard let misnamed else { continue }
            throw .misnamedEnum(misnamed, in: owner)
        }
    }

    /// Throws an error if a machine uses a field, event kind or state that its projection lacks.
    private static func check(
        _ machine: StateMachine, of projection: ProjectionDescription
    ) throws(InvalidCatalogue) {
        guard let field = projection.fields.first(where: { $0.name == machine.field }) else {
            throw .machineField(machine.field, of: projection.name)
        }
        let kinds = Set(projection.kinds.map { String($0.stem) })
        let states =
            field.form.hasPrefix("one of ")
            ? Set(
                field.form.dropFirst(7).filter { $0 != "?" }.split(separator: ", ").map(String.init)
            )
            : nil
        for step in machine.legalTransitions {
            guard kinds.contains(step.event) else {
                throw .machineKind(step.event, of: projection.name)
            }
            for state in [step.from, step.to] where state != StateMachine.beginning {
                guard states?.contains(state) ?? true else {
                    throw .machineState(state, of: projection.name)
                }
            }
        }
    }
}
