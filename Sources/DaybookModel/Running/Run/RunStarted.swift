package import Daybook

extension Running {
    /// A run was started.
    package struct RunStarted: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-started.v1"
        package var runId = ""
        package var userId = ""
        /// Way in which the run is recorded.
        package var mode = RunMode.solo
        package var started: Instant?
        /// Seconds without movement until the automatic pause; `nil` disables the automatic pause.
        var autoPauseS: Int64?
        /// Speed limit in mm/s: places that are reached faster are rejected; `nil` for no limit.
        package var maxSpeedMmPerS: Int64?
        /// Limit of the accuracy radius: places with a greater radius are rejected; `nil` for no
        /// limit.
        package var maxAccuracyMm: Int64?
        /// Title of the track in the imported file; `nil` if there is no title or no file.
        package var title: PersonalText?
        /// Rule set that applies to the whole run.
        package var rules = Rules.standard
        package var tags: [Tag] { [tag(runId), userTag(userId), slotTag(userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "mode", &mode, "startedUs", &started)
            try field("autoPauseS", &autoPauseS, .values(autoPausesS))
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, .values(speedsMmPerS))
            try field("maxAccuracyMm", &maxAccuracyMm, .values(accuraciesMm))
            try field("title", &title, "rules", &rules)
        }

        package func sentence(_ wording: Wording) -> String {
            let way =
                switch mode {
                case .solo: ""
                case .matching: ", matched with another runner"
                case .imported: ", from a file"
                case .manual: ", entered by hand"
                }
            return wording.list(
                after: "run started" + wording.at(started) + way, wording.quoted(title))
        }
    }

    /// Starts a run.
    struct Start: RunCommand, PlainRecord {
        static let name = "running.start"
        var runId = ""
        var userId = ""
        /// Way in which the run is recorded: `solo` or `matching`.
        var mode = RunMode.solo
        /// Start of the run; `nil` means the time of the command.
        var started: Instant?
        var autoPauseS: Int64?
        /// Speed limit in mm/s: places that are reached faster are rejected; `nil` means 12,500.
        var maxSpeedMmPerS: Int64?
        /// Limit of the accuracy radius, in millimetres: places with a greater radius are rejected;
        /// `nil` means 50,000.
        var maxAccuracyMm: Int64?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "mode", &mode, "startedUs", &started)
            try field("autoPauseS", &autoPauseS, .values(autoPausesS))
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, .values(speedsMmPerS))
            try field("maxAccuracyMm", &maxAccuracyMm, .values(accuraciesMm))
            try field("rules", &rules)
        }

        /// Query for the starts and ends of the runner's runs, and for events that already have the
        /// new run's id. The item for the runner comes first, because the query for the runner's
        /// next start begins with it too.
        var query: Query {
            Query(Query.Item(kinds: runKinds, tags: [slotTag(userId)]), runItem(runId))
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.runs[runId] == nil else { throw .runExists(runId) }
            if let active = state.activeRun(of: userId) {
                throw Refusal(
                    "runActive",
                    "the runner '\(userId)' already has the active run '\(active.runId)'")
            }
            guard mode != .imported else {
                throw Refusal(
                    "importedMode",
                    "an imported run cannot be started; expected the mode solo or matching")
            }
            guard mode != .manual else {
                throw Refusal(
                    "manualMode",
                    "a manual run cannot be started; expected the mode solo or matching")
            }
            try check(autoPauseS, "autoPauseS", autoPausesS)
            try check(maxSpeedMmPerS, "maxSpeedMmPerS", speedsMmPerS)
            try check(maxAccuracyMm, "maxAccuracyMm", accuraciesMm)
            var event = RunStarted(
                runId: runId, userId: userId, mode: mode,
                started: try AcceptedTimes.checked(started ?? now, "startedUs", by: now),
                rules: rules)
            // S1 has no filters and no automatic pause.
            if rules == .standard {
                event.autoPauseS = autoPauseS
                event.maxSpeedMmPerS = maxSpeedMmPerS ?? fastestMmPerS
                event.maxAccuracyMm = maxAccuracyMm ?? worstAccuracyMm
            }
            return [.runStarted(event)]
        }
    }

    /// Accepted numbers of seconds without movement until an automatic pause.
    static let autoPausesS: ClosedRange<Int64> = 1...3_600
    /// Accepted speed limits, in mm/s: up to 1 km/s.
    static let speedsMmPerS: ClosedRange<Int64> = 1...1_000_000
    /// Accepted accuracy limits, in millimetres: up to 10 km.
    static let accuraciesMm: ClosedRange<Int64> = 1...10_000_000

    /// Default speed limit from place to place: 12.5 m/s, faster than the best sprinters over 20 m.
    static let fastestMmPerS: Int64 = 12_500
    /// Default limit of the accuracy radius of a place: 50 m. Source: OpenTracks.
    private static let worstAccuracyMm: Int64 = 50_000
}

extension Running.State {
    /// Returns the active run of a user; `nil` if there is none.
    fileprivate func activeRun(of userId: String) -> Running.Run? {
        runs.values.filter { $0.userId == userId && $0.state.isActive }.min { $0.runId < $1.runId }
    }
}
