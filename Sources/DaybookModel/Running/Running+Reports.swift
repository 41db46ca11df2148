package import Daybook

extension Running {
    /// Reports that the running area offers by name, such as `runner` and `ranking`.
    package static let reports = [
        ReportDescription(HomeReport.self), ReportDescription(RunnerReport.self),
        ReportDescription(RankingReport.self), ReportDescription(RunTrack.self),
    ]

    /// Report fields that describe the computation (log position, time, rules) and not its result.
    static let basisFields: Set<String> = ["position", "knownUs", "rules"]
}
