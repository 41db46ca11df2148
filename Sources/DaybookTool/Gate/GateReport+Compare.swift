import Daybook
import DaybookInvestigation

extension GateReport {
    /// The report of a comparison of states: a finding for each cause, or for `all` entities.
    init(of comparison: TraceComparison, _ projection: String, _ place: SourcePlace?, all: Bool) {
        let rule = Self.rule(projection, place)
        self.init(
            command: "compare", rules: [rule],
            summary: "\(comparison.matchedCount.counted("event")) of "
                + "\(comparison.entityCount.counted("entity", "entities")): "
                + Self.summary(comparison.expectedKeysByReason))
        for (cause, divergences) in comparison.causes {
            for divergence in all ? divergences[...] : divergences.prefix(1) {
                let others = all ? 0 : divergences.count - 1
                let more = others > 0 ? "; \(others) more with this cause" : ""
                let changes = divergence.changes.map(\.sentence).joined(separator: ", ")
                findings.append(
                    Finding(
                        rule: rule.id, entity: divergence.key,
                        message: "first at position \(divergence.position), \(cause): "
                            + "\(changes)\(more)",
                        identity: "\(rule.id)/\(divergence.key)/\(divergence.position)"))
            }
        }
    }

    /// Returns the end of a summary without findings, with the number of expected differences.
    private static func summary(_ expected: [String: Set<String>]) -> String {
        let count = Set(expected.values.joined()).count
        return count == 0 ? "no difference" : "no other difference than expected in \(count)"
    }

    /// Creates the report of a comparison in which no side has an event of the entity to compare.
    init(missing key: String, _ message: String, _ projection: String, _ place: SourcePlace?) {
        let rule = Self.rule(projection, place)
        let finding = Finding(
            rule: rule.id, entity: key, message: message, identity: "\(rule.id)/\(key)")
        self.init(command: "compare", rules: [rule], findings: [finding], summary: message)
    }

    /// Returns the rule that the states of a projection are equal.
    private static func rule(_ projection: String, _ place: SourcePlace?) -> Rule {
        Rule(
            id: "compare/\(projection)",
            sentence: "The states of the projection '\(projection)' differ",
            place: place.flatMap { SourceFiles().place(of: $0) })
    }

    /// The report of a comparison of answers: a finding for each field, or for `all` periods.
    init(
        of comparison: ReportComparison, _ header: ReportTrace.Header, _ place: SourcePlace?,
        all: Bool
    ) {
        let rule = Rule(
            id: "compare/\(header.report)", sentence: "The answers of \(header.title) differ",
            place: place.flatMap { SourceFiles().place(of: $0) })
        self.init(
            command: "compare", rules: [rule],
            summary: "\(comparison.periodCount.counted("answer")): "
                + Self.summary(comparison.expectedPeriodsByReason))
        for field in comparison.fields {
            for (period, change) in all ? field.differences[...] : field.examples.prefix(1) {
                let others = all ? 0 : field.periodCount - 1
                let more = others > 0 ? "; \(others) more in \(field.generalPath)" : ""
                findings.append(
                    Finding(
                        rule: rule.id, entity: period, message: change.sentence + more,
                        identity: "\(rule.id)/\(period)/\(change.path)"))
            }
        }
    }
}

extension FieldChange {
    fileprivate var sentence: String { "\(path) \(before ?? "missing") → \(after ?? "missing")" }
}

extension ReportTrace.Header {
    /// Name of the report with its arguments: `report daily baby=b`.
    var title: String {
        (["report", report] + with.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            .joined(separator: " ")
    }
}
