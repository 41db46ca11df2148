import Daybook

extension ReportContext {
    /// Throws under the rules of the source documents, which lists of runs and rankings do not
    /// support.
    func requireStandardRuns() throws(ReportError) {
        guard Rules(rules) == .source else { return }
        throw .invalid(argument: "--rules", Running.sourceRunsReason)
    }
}
