import Daybook

extension ReportContext {
    /// Refuses an answer that lists runs by the source's rules: it would show other numbers than
    /// `state run` by the same rules.
    func requireStandardRuns() throws(ReportError) {
        guard Rules(rules) == .source else { return }
        throw .invalid(argument: "--rules", Running.sourceRunsReason)
    }
}
