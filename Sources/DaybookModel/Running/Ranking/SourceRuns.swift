import Daybook

extension ReportContext {
    /// Throws under the source rules, because a list of runs would differ from `state run`.
    func requireStandardRuns() throws(ReportError) {
        guard Rules(rules) == .source else { return }
        throw .invalid(argument: "--rules", Running.sourceRunsReason)
    }
}
