import Daybook

extension ScenarioReader {
    func check(_ tree: Tree, _ path: String) throws(InputError) -> Scenario.Check {
        let section = try Section(tree, path, keys: ScenarioFormat.check)
        let key = try section.onlyKey(of: ScenarioFormat.check)
        let body = try section.required(key)
        let field = section.field(key)
        let check: Scenario.Check.Body
        switch key {
        case "events": check = try events(body, field)
        case "count": check = try count(body, field)
        case "refused": check = try refused(body, field)
        case "report": check = try report(body, field)
        case "finding": check = try finding(body, field)
        default: check = try state(body, field)
        }
        return Scenario.Check(body: check, path: path, line: tree.line)
    }

    /// Reads the list of expected events.
    private func events(_ tree: Tree, _ field: String) throws(InputError) -> Scenario.Check.Body {
        var events: [Scenario.ExpectedEvent] = []
        for (element, path) in try tree.elements(field) {
            guard case .map = element.content else {
                let name = try element.text(path)
                events.append(
                    Scenario.ExpectedEvent(
                        kinds: try kinds(named: name, element, path), name: name, data: nil,
                        line: element.line, path: path))
                continue
            }
            let section = try Section(element, path, keys: ScenarioFormat.expectedEvent)
            let name = try section.requiredText("event")
            let kinds = try kinds(
                named: name, try section.required("event"), section.field("event"))
            let data = element["data"]
            if let data { try checkPayloadFields(data, section.field("data"), of: kinds, name) }
            events.append(
                Scenario.ExpectedEvent(
                    kinds: kinds, name: name, data: data, line: element.line, path: path))
        }
        return .events(events, tree)
    }

    /// Throws if the expected payload has a field that no event kind in `kinds` has.
    private func checkPayloadFields(
        _ data: Tree, _ field: String, of kinds: Set<EventKind>, _ name: String
    ) throws(InputError) {
        let known = kinds.flatMap { catalogue.events[$0]?.fields.map(\.name) ?? [] }
        for member in try data.members(field) where !known.contains(member.key) {
            throw InputError(
                "the event '\(name)' has no field '\(member.key)'; its fields are "
                    + known.joined(separator: ", "),
                line: member.value.line, field: "\(field).\(member.key)")
        }
    }

    /// Reads the expected number of events for each of some event kinds.
    private func count(_ tree: Tree, _ field: String) throws(InputError) -> Scenario.Check.Body {
        var counts: [(Set<EventKind>, String, Int64, Tree)] = []
        for member in try tree.members(field) {
            let path = "\(field).\(member.key)"
            guard case .integer(let count) = member.value.content, count >= 0 else {
                throw .expected("a number of events", member.value, path)
            }
            let name = Tree(.text(member.key), line: member.value.line)
            counts.append(
                (try kinds(named: member.key, name, path), member.key, count, member.value))
        }
        return .count(counts)
    }

    /// Reads an expected refusal.
    private func refused(_ tree: Tree, _ field: String) throws(InputError) -> Scenario.Check.Body {
        let section = try Section(tree, field, keys: ScenarioFormat.refusal)
        _ = try section.text("says")
        return .refused(
            step: try section.requiredText("step"), code: try section.requiredText("code"), tree)
    }

    /// Reads the expected state of an entity.
    private func state(_ tree: Tree, _ field: String) throws(InputError) -> Scenario.Check.Body {
        let section = try Section(tree, field, keys: ScenarioFormat.state)
        let name = try section.requiredText("of")
        guard let projection = catalogue.projections[name] else {
            throw unknownNameError(
                "projection", try section.required("of"), section.field("of"),
                among: Array(catalogue.projections.keys))
        }
        let moment = try moment(section)
        let fields = try section.required("is")
        try checkExpectedFields(fields, section, projection.fields, name)
        return .state(projection, key: try section.requiredText("key"), moment, fields)
    }

    /// Reads an expected report.
    private func report(_ tree: Tree, _ field: String) throws(InputError) -> Scenario.Check.Body {
        let section = try Section(tree, field, keys: ScenarioFormat.report)
        let name = try section.requiredText("of")
        guard let report = catalogue.reports[name] else {
            throw unknownNameError(
                "report", try section.required("of"), section.field("of"),
                among: Array(catalogue.reports.keys))
        }
        let fields = try section.required("is")
        try checkExpectedFields(fields, section, report.fields, name)
        return .report(report, with: try section.required("with"), try moment(section), fields)
    }

    /// Reads an expected finding of the audits.
    private func finding(_ tree: Tree, _ field: String) throws(InputError) -> Scenario.Check.Body {
        let section = try Section(tree, field, keys: ScenarioFormat.finding)
        let rule = try section.requiredText("rule")
        let known = catalogue.audits.values.flatMap(\.rules).map(\.code)
        guard known.contains(rule) else {
            throw unknownNameError(
                "rule", try section.required("rule"), section.field("rule"), among: known)
        }
        let entity = try section.required("entity")
        return .finding(
            rule: rule,
            entity: entity.content == .null ? nil : try entity.text(section.field("entity")),
            try moment(section))
    }

    /// Reads the position or time as of which a check is made; `nil` for the end of the log.
    private func moment(_ section: Section) throws(InputError) -> Scenario.Check.Moment? {
        guard let at = section.tree["at"] else { return nil }
        guard case .integer(let position) = at.content else {
            return .time(try TimeText.moment(at, section.field("at"), after: clock).instant)
        }
        guard position >= 0 else {
            throw .expected("a position (0 or more) or a time", at, section.field("at"))
        }
        return .position(Position(UInt64(position)))
    }

    /// Throws if the expected object has a field that the state or report does not have.
    private func checkExpectedFields(
        _ fields: Tree, _ section: Section, _ known: [FieldDescription], _ name: String
    ) throws(InputError) {
        for member in try fields.members(section.field("is"))
        where !known.contains(where: { $0.name == member.key }) {
            throw InputError(
                "the state or report '\(name)' has no field '\(member.key)'; its fields are "
                    + known.map(\.name).joined(separator: ", "),
                line: member.value.line, field: "\(section.field("is")).\(member.key)")
        }
    }
}
