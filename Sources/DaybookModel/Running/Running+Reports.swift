public import Daybook

extension Running {
    public static let reports = [
        ReportDescription(HomeReport.self), ReportDescription(RunnerReport.self),
        ReportDescription(RankingReport.self),
        ReportDescription(RunTrack.self),
    ]

    /// Fields that tell only what a report was made from, and by which rules.
    static let basisFields: Set<String> = ["position", "knownUs", "rules"]
}
