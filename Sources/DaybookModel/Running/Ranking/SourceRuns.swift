import Daybook

extension ReportContext {
    /// Throws under the rules of the source documents, because a list of runs would differ from
    /// `state run`.
    func requireStandardRuns() throws(ReportError) {
        guard Rules(rules) == .source else { return }
        throw .invalid(argument: "--rules", Running.sourceRunsReason)
    }
}
