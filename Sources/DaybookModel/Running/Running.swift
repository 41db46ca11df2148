package import Daybook

/// The area of runs, from the first location to the weekly ranking.
///
/// A run goes idle → running ⇄ paused → completed. Its distance is measured once, in whole
/// millimetres, when locations are recorded; a pause adds neither distance nor time. A completed
/// run can be cancelled and restored, and a week's ranking can be made final.
///
/// Source: S1 (runs, home), S0 (users, ranking), and similar apps if the documents say nothing.
package enum Running: Area, Projection {
    package static let name = "running"
    package static let rules: [RuleSet] = [.source]

    /// Events of runs and runners.
    package enum Event: DecidedEvents {
        case runnerProfileChanged(RunnerProfileChanged), runStarted(RunStarted)
        case locationsRecorded(LocationsRecorded), runPaused(RunPaused), runResumed(RunResumed)
        case runCompleted(RunCompleted), runSaved(RunSaved), runSaveFailed(RunSaveFailed)
        case runDiscarded(RunDiscarded), runCancelled(RunCancelled), runRestored(RunRestored)
        case runCropped(RunCropped), copyRecorded(CopyRecorded)

        package static let kinds = [
            StoredKind(runnerProfileChanged), StoredKind(runStarted),
            StoredKind(locationsRecorded), StoredKind(runPaused), StoredKind(runResumed),
            StoredKind(runCompleted), StoredKind(runSaved), StoredKind(runSaveFailed),
            StoredKind(runDiscarded), StoredKind(runCancelled), StoredKind(runRestored),
            StoredKind(runCropped), StoredKind(copyRecorded),
        ]

        /// Id of the run; `nil` for a profile event.
        var runId: String? {
            switch self {
            case .runnerProfileChanged: nil
            case .runStarted(let payload): payload.runId
            case .locationsRecorded(let payload): payload.runId
            case .runPaused(let payload): payload.runId
            case .runResumed(let payload): payload.runId
            case .runCompleted(let payload): payload.runId
            case .runSaved(let payload): payload.runId
            case .runSaveFailed(let payload): payload.runId
            case .runDiscarded(let payload): payload.runId
            case .runCancelled(let payload): payload.runId
            case .runRestored(let payload): payload.runId
            case .runCropped(let payload): payload.runId
            case .copyRecorded(let payload): payload.runId
            }
        }

        var isCrop: Bool {
            if case .runCropped = self { true } else { false }
        }
    }

    package static let events =
        Event.kinds.map(\.description) + [EventDescription(RankingWeekClosed.self)]
    package static let commands = [
        CommandDescription(RunnerProfileChanged.self), CommandDescription(Start.self),
        CommandDescription(RecordLocations.self), CommandDescription(Pause.self),
        CommandDescription(Resume.self), CommandDescription(Stop.self),
        CommandDescription(Save.self), CommandDescription(FailSave.self),
        CommandDescription(Discard.self), CommandDescription(Cancel.self),
        CommandDescription(Restore.self), CommandDescription(ImportTrack.self),
        CommandDescription(Enter.self), CommandDescription(Crop.self),
        CommandDescription(RecordCopy.self), CommandDescription(CloseWeek.self),
    ]
    package static let projections = [
        ProjectionDescription(
            "run", noun: "run", "One run: distance, times, pace, splits and state", RunView.self,
            under: .source, SourceRunView.self
        ).refusing(.source, SourceRunView.self) { $0.sourceRefusal },
        ProjectionDescription(
            "runner", noun: "user",
            "A runner's profile, totals and all runs, by run id", RunnerView.self
        ).without(.source, because: sourceRunsReason),
        ProjectionDescription(
            "closed-ranking", noun: "ranking",
            "The rankings of a week that were made final", ClosedRankings.self),
    ]
    package static let machines = [lifecycle.machine]
    /// HTTP endpoints; from S0.
    package static let routes = [
        RouteDescription(.get, "/api/users/{id}", in: "S0", serves: .report("runner")),
        RouteDescription(.get, "/api/ranking/weekly", in: "S0", serves: .report("ranking")),
    ]
    package static let audits = [auditDescription]
    /// Tag nouns of people, and of the entities that people own: a user owns their runs.
    package static let people = PersonNouns(["user": "user"], owners: ["run": "user"])
    /// Tag nouns whose ids are no personal data, such as `week` in `week:2026-W08`.
    package static let plainNouns: Set = ["week", "ranking"]

    /// Message explaining why the rule set `source` has no lists of runs and no rankings.
    package static let sourceRunsReason = """
        lists use recorded distances and times, but the original app's figures need the places of \
        each run; use 'replay state run' for one run
        """

    package static func tag(_ runId: String) -> Tag { Tag("run", runId) }
    package static func userTag(_ userId: String) -> Tag { Tag("user", userId) }
    static func rankingTag(_ week: String) -> Tag { Tag("ranking", week) }

    /// Returns the tag shared by the starts and ends of a runner's runs, such as `slot:run/u1`.
    static func slotTag(_ userId: String) -> Tag { Tag("slot", "run", userId) }

    /// Returns the tag of the ISO week (UTC) in which a run starts, such as `week:2026-W08`. Empty
    /// without a start.
    static func weekTags(_ started: Instant?) -> [Tag] {
        started.map { [Tag("week", CivilDate(utcDayOf: $0).isoWeekText)] } ?? []
    }

    /// Kinds of all events that belong to a run.
    package static let runKinds = kinds.subtracting([RunnerProfileChanged.kind])

    /// Kinds of the events from which a runner's profile, list of runs and totals are folded.
    package static let historyKinds: Set<EventKind> = [
        RunnerProfileChanged.kind, RunStarted.kind, RunCompleted.kind, RunSaved.kind,
        RunDiscarded.kind, RunCancelled.kind, RunRestored.kind, RunCropped.kind,
    ]
}
