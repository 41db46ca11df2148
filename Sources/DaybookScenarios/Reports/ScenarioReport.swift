import Daybook

/// Writes the results of scenarios as plain text.
public enum ScenarioReport {
    /// Returns a text that describes each failure, with the events before it, and ends with the
    /// numbers of scenarios and failed scenarios.
    ///
    /// - Parameter eventLimit: the maximum number of events shown for a failure, which are the last
    ///   ones before it.
    public static func text(_ results: [ScenarioResult], eventLimit: Int = 20) -> String {
        var lines: [String] = []
        for result in results where !result.passed {
            lines.append("FAILED  \(result.scenario.file)  \(result.scenario.name)")
            if !result.scenario.source.isEmpty {
                lines.append("        source: \(result.scenario.source)")
            }
            if !result.scenario.holds.isEmpty {
                let names = result.scenario.holds.joined(separator: ", ")
                lines.append("        holds: \(names)")
            }
            var shown: Position?
            for failure in result.failures {
                if failure.through == shown {
                    lines += differenceLines(failure, result)
                    lines.append("    the same events before the failure")
                } else {
                    lines += text(failure, result, eventLimit: eventLimit)
                }
                shown = failure.through
            }
            lines.append("")
        }
        let failed = results.count { !$0.passed }
        lines.append("\(results.count.counted("scenario")), \(failed) failed")
        return lines.map { $0.visible + "\n" }.joined()
    }

    /// Returns the lines that describe one failure, with the events before it.
    static func text(
        _ failure: ScenarioFailure, _ result: ScenarioResult, eventLimit: Int
    ) -> [String] {
        var lines = differenceLines(failure, result)
        let events = result.events.filter { $0.recorded.position <= failure.through }
        lines.append(
            events.isEmpty ? "    no events before the failure" : "    events before the failure:")
        if events.count > eventLimit {
            lines.append("      … \(events.count - eventLimit) earlier")
        }
        for event in events.suffix(eventLimit) {
            let origin = event.recorded.position <= result.givenHead ? "  (given)" : ""
            lines.append(
                "      \(event.recorded.position)  "
                    + "\(Timestamp.text(event.recorded.envelope.occurredAt))  "
                    + "\(event.recorded.kind)\(origin)  \(event.readablePayload)")
        }
        return lines
    }

    /// Returns the lines that name a failed step or check, with the expected and the actual value.
    private static func differenceLines(
        _ failure: ScenarioFailure, _ result: ScenarioResult
    ) -> [String] {
        let field = failure.field.isEmpty ? "" : ", field '\(failure.field)'"
        return [
            "  \(result.scenario.file):\(failure.line): \(failure.place)\(field)",
            "    expected  \(failure.expected)", "    actual    \(failure.actual)",
        ]
    }
}
