import Daybook
import DaybookInput

extension ScenarioVerifier {
    /// Returns a failure unless the audits of all areas report a finding of a rule for `entity`,
    /// or, without an entity, no finding of the rule.
    ///
    /// - Parameters:
    ///   - rule: the code of the audit's rule.
    ///   - entity: the entity of the expected finding; `nil` expects no finding of the rule.
    ///   - moment: the last position or time whose events are audited; `nil` for all events.
    func findingFailures(
        _ rule: String, _ entity: String?, _ moment: Scenario.Check.Moment?, _ check: Scenario.Check
    ) -> [ScenarioFailure] {
        let failure = { (expected: String, actual: String, through: Position) in
            ScenarioFailure(
                place: "\(check.path).finding", line: check.line, field: rule,
                expected: expected, actual: actual, through: through)
        }
        let found: [Finding]
        do throws(FoldError) {
            found = try findings(moment).filter { $0.rule == rule }
        } catch {
            return [failure("an audit", "\(error)", simulation.head)]
        }
        let isMet = entity.map { entity in found.contains { $0.entity == entity } }
        guard !(isMet ?? found.isEmpty) else { return [] }
        let last = found.map(\.position).max() ?? Int64(simulation.head.rawValue)
        return [
            failure(
                entity ?? "none",
                found.isEmpty
                    ? "none" : found.map { "\($0.entity) (\($0.found))" }.joined(separator: ", "),
                Position(UInt64(max(0, last))))
        ]
    }

    /// Returns the findings of the audits of all areas in the events up to a position or time.
    private func findings(_ moment: Scenario.Check.Moment?) throws(FoldError) -> [Finding] {
        let context = AuditContext(
            zones: zones, rules: simulation.scenario.rules, digest: InputRules.standard.digest)
        var run = AuditRun(catalogue.audits.values.sorted { $0.name < $1.name }, context)
        var events: [RecordedEvent] = []
        for event in simulation.events where includes(moment, event) {
            events.append(try catalogue.upcast(event))
        }
        for event in events where run.kindsReadAhead.contains(event.kind) {
            try run.readAhead(event)
        }
        for event in events {
            let commit = simulation.commits.first {
                $0.first <= event.position && event.position <= $0.last
            }
            try run.check(event, actor: commit?.metadata.actor ?? "")
        }
        return run.finish().findings
    }
}
