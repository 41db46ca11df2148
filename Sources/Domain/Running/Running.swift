import CivilTime
public import EventSourcing

/// Runs, from the first location to the weekly ranking.
///
/// A run goes idle → running ⇄ paused → completed. Its distance is measured once, in whole
/// millimetres, when locations are recorded; a pause adds neither distance nor time. What is
/// completed can be cancelled and restored, and a week's ranking can be made final.
///
/// Source: S1 (runs, home), S0 (users, ranking); its peers where the documents are silent.
public enum Running: Area, Decider {
    public static let name = "running"
    public static let rules: [RuleSet] = [.source]

    public static let events = [
        EventDescription(RunnerProfileChanged.self),
        EventDescription(RunStarted.self),
        EventDescription(LocationsRecorded.self),
        EventDescription(RunPaused.self),
        EventDescription(RunResumed.self),
        EventDescription(RunCompleted.self),
        EventDescription(RunSaved.self),
        EventDescription(RunSaveFailed.self),
        EventDescription(RunDiscarded.self),
        EventDescription(RunCancelled.self),
        EventDescription(RunRestored.self),
        EventDescription(RankingWeekClosed.self),
    ]

    public static let commands = [
        CommandDescription("running.change-profile", of: Self.self, Command.changeProfile),
        CommandDescription("running.start", of: Self.self, Command.start),
        CommandDescription("running.record-locations", of: Self.self, Command.recordLocations),
        CommandDescription("running.pause", of: Self.self, Command.pause),
        CommandDescription("running.resume", of: Self.self, Command.resume),
        CommandDescription("running.stop", of: Self.self, Command.stop),
        CommandDescription("running.save", of: Self.self, Command.save),
        CommandDescription("running.fail-save", of: Self.self, Command.failSave),
        CommandDescription("running.discard", of: Self.self, Command.discard),
        CommandDescription("running.cancel", of: Self.self, Command.cancel),
        CommandDescription("running.restore", of: Self.self, Command.restore),
        CommandDescription("running.import-track", of: Self.self, Command.importTrack),
        CommandDescription("running.close-week", of: Ranking.self, Ranking.Command.closeWeek),
    ]

    public static let projections = [
        ProjectionDescription(
            "run", noun: "run",
            "One run: distance, times, pace, splits, and what came of it", RunView.self,
            under: .source, SourceRunView.self),
        ProjectionDescription(
            "runner", noun: "user",
            "A runner's profile, totals and all runs, the newest first", RunnerView.self),
        ProjectionDescription(
            "closed-ranking", noun: "ranking",
            "The rankings of a week that were made final", ClosedRankings.self),
    ]

    public static let reports = [homeReport, rankingReport, trackReport]

    public static let issuing = [issuedRankings]

    public static let plainNouns: Set = ["week", "ranking"]

    public static let people = PersonNouns(["user": "user"], owners: ["run": "user"])

    public static let audits = [auditDescription]

    public static let machines = [
        StateMachine(
            "run", field: "state",
            [
                ([StateMachine.beginning], ["running.run-started"], ["running"]),
                (["running", "paused"], ["running.locations-recorded"], []),
                (["running", "paused"], ["running.run-paused"], ["paused"]),
                (["paused"], ["running.run-resumed"], ["running"]),
                (["running", "paused"], ["running.run-completed"], ["completed"]),
                (["completed"], ["running.run-saved", "running.run-save-failed"], []),
                (
                    ["running", "paused", "completed"], ["running.run-discarded"], ["discarded"]
                ),
                (["completed"], ["running.run-cancelled"], ["cancelled"]),
                (["cancelled"], ["running.run-restored"], ["completed"]),
            ])
    ]

    public static func tag(_ runId: String) -> Tag { Tag("run", runId) }
    public static func userTag(_ userId: String) -> Tag { Tag("user", userId) }
    public static func rankingTag(_ week: String) -> Tag { Tag("ranking", week) }

    /// What at most one run of a user holds until it is completed or discarded.
    static func slotTag(_ userId: String) -> Tag { Tag("slot", "run/\(userId)") }

    /// The UTC week of a start, so that a ranking reads the weeks it is about and no others.
    static func weekTags(_ startedUs: Int64?) -> [Tag] {
        startedUs.map { [Tag("week", CivilDate(utcDayOf: $0).isoWeekText)] } ?? []
    }

    /// The kinds that a run is made of.
    public static let runKinds: Set<EventKind> = [
        RunStarted.kind, LocationsRecorded.kind, RunPaused.kind, RunResumed.kind,
        RunCompleted.kind, RunSaved.kind, RunSaveFailed.kind, RunDiscarded.kind,
        RunCancelled.kind, RunRestored.kind,
    ]

    /// The kinds that a runner's history is made of.
    public static let historyKinds: Set<EventKind> = [
        RunnerProfileChanged.kind, RunStarted.kind, RunCompleted.kind, RunSaved.kind,
        RunDiscarded.kind, RunCancelled.kind, RunRestored.kind,
    ]

    /// Weights of runners, in grams.
    static let weightsG: ClosedRange<Int64> = 20_000...500_000
    /// Settings of the automatic pause.
    static let autoPausesS: ClosedRange<Int64> = 1...3_600
    /// Settings of the greatest speed, up to 1 km/s.
    static let speedsMmPerS: ClosedRange<Int64> = 1...1_000_000
    /// Settings of the worst accuracy, up to 10 km.
    static let accuraciesMm: ClosedRange<Int64> = 1...10_000_000
    /// Distances of a run, up to ten billion kilometres.
    static let distancesMm: ClosedRange<Int64> = 0...10_000_000_000_000_000

    /// A pause of so long between two points is no movement.
    ///
    /// Source: Strava and OpenTracks count standing still as time that is not moving.
    static let longestMovingGapUs: Int64 = 30_000_000
    /// Slower is standing: 0.5 m/s.
    static let slowestMovingMmPerS: Int64 = 500
    /// Faster is no running: 12.5 m/s, more than any sprinter's best over 20 m.
    static let fastestMmPerS: Int64 = 12_500
    /// A place known less well is no place of a run: 50 m, as OpenTracks has it.
    static let worstAccuracyMm: Int64 = 50_000
    /// How far from where it stood a run goes on by itself: 10 m.
    static let resumeDistanceMm: Int64 = 10_000
    /// The zone of a ranking that names none.
    public static let rankingZone = "Asia/Seoul"
}

extension CivilDate {
    /// The day of a moment in UTC.
    init(utcDayOf microseconds: Int64) {
        let day = microseconds / 86_400_000_000
        let rest = microseconds % 86_400_000_000
        self.init(daysSince1970: Int(rest < 0 ? day - 1 : day))
    }
}
