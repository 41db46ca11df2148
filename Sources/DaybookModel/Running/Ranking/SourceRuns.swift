import Daybook

extension ReportContext {
    /// Throws an error under the rules of the source documents, which do not support lists of runs
    /// and rankings.
    func requireStandardRuns() throws(ReportError) {
        guard Rules(rules) == .source else { return }
        throw .invalid(argument: "--rules", Running.sourceRunsReason)
    }
}
