import Daybook

extension ReportContext {
    /// Throws an error under the rule set `source`, which supports neither lists of runs nor
    /// rankings.
    func requireStandardRuns() throws(ReportError) {
        guard Rules(rules) == .source else { return }
        throw .invalid(argument: "--rules", Running.sourceRunsReason)
    }
}
