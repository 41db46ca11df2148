public import Daybook

extension Running {
    public static let reports = [
        ReportDescription(HomeReport.self), ReportDescription(RunnerReport.self),
        ReportDescription(RankingReport.self),
        ReportDescription(RunTrack.self),
    ]

    /// Fields that only state the position, the moment and the rules of the computation.
    static let basisFields: Set<String> = ["position", "knownUs", "rules"]
}
