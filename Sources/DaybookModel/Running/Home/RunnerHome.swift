package import Daybook

extension Running {
    /// The totals of a runner in one week.
    package struct WeeklyStats: PlainRecord {
        package var week = ""
        package var start = Instant.epoch
        package var end = Instant.epoch
        /// Number of completed runs that start in the week.
        package var runCount: Int64 = 0
        package var distanceMm: Int64 = 0
        /// Total distance in kilometres, with one decimal.
        package var distanceKm = Tenths.blank
        /// Total time without pauses.
        package var activeMs: Int64 = 0
        /// Total energy in kilocalories.
        package var kcal: Int64 = 0
        /// Active time in hours, minutes and seconds, as on the app's home screen: `1:02:03`.
        package var totalTimeFormatted = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("startUs", &start, .any)
            try field("endUs", &end, .any)
            try field("runs", &runCount)
            try field("distanceMm", &distanceMm, "distanceKm", &distanceKm, "activeMs", &activeMs)
            try field("kcal", &kcal, "totalTimeFormatted", &totalTimeFormatted)
        }
    }

    /// The contents of a runner's home screen.
    ///
    /// A run belongs to the week in which it starts. The screen leaves out cancelled and discarded
    /// runs, and runs that are not over at `now`.
    package struct Home: PlainRecord {
        package var userId = ""
        /// IANA name of the time zone in which the week on the home screen begins and ends.
        package var zone = ""
        /// Release of the tz database used.
        package var tzdata = ""
        /// Digest of the zone's transitions; `nil` if no tz database is available.
        var zoneDigest: Digest?
        package var rules = Rules.standard
        /// Log position of the last event that was read.
        package var position: Int64 = 0
        /// Time, by the log's clock, up to which the log was read.
        package var known = Instant.epoch
        /// Time at which the screen is shown.
        package var now = Instant.epoch
        /// Name to show: `erased` if the name was erased, or a default name if no name is recorded;
        /// `nil` if a name is recorded and personal texts cannot be read.
        package var displayName: String?
        /// True if the runner has no run to show.
        package var isEmpty = false
        /// Title that the app shows if the runner has no run to show; otherwise `nil`.
        package var emptyTitle: String?
        /// Text that the app shows below `emptyTitle`.
        package var emptySubtitle: String?
        /// Totals of the week that contains `now`.
        package var weekly = WeeklyStats()
        /// The three newest runs, or fewer, newest start first.
        var recent: [RunSummary] = []
        /// All completed runs that are over at `now`, newest start first; runs without times come
        /// last.
        package var history: [RunSummary] = []
        /// Number of runs in `history`.
        package var totalRuns: Int64 = 0
        package var totalDistanceMm: Int64 = 0
        /// Total distance of `history` in kilometres, with one decimal.
        package var totalDistanceKm = Tenths.blank
        /// Total time of `history`, without pauses.
        var totalActiveMs: Int64 = 0
        /// `totalActiveMs` in hours, minutes and seconds: `1:02:03`.
        package var totalTimeFormatted = ""
        /// Greeting, name and image.
        package var header = Header.blank
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "zone", &zone, "tzdata", &tzdata)
            try field("zoneDigest", &zoneDigest, "rules", &rules, "position", &position)
            try field("knownUs", &known, .any)
            try field("nowUs", &now, .any)
            try field("displayName", &displayName, "isEmpty", &isEmpty, "emptyTitle", &emptyTitle)
            try field("emptySubtitle", &emptySubtitle, "weekly", &weekly, "recent", &recent)
            try field("history", &history, "totalRuns", &totalRuns)
            try field("totalDistanceMm", &totalDistanceMm, "totalDistanceKm", &totalDistanceKm)
            try field("totalActiveMs", &totalActiveMs, "totalTimeFormatted", &totalTimeFormatted)
            try field("header", &header)
        }
    }

    /// A report on the contents of a runner's home screen.
    package struct HomeReport: Report, PlainRecord {
        package typealias Answer = Home
        package typealias Model = RunnerCard
        package static let name = "home"
        package static let summary =
            "A runner's home: this week, the newest runs, the whole history"
        package static let clock: String? = "nowUs"
        package static let readsPersonalTexts = true
        package static let basisFields = Running.basisFields
        /// User id of the runner.
        package var user = ""
        /// Time at which the screen is shown; `nil` means the recording time of the last event.
        package var now: Instant?
        /// IANA name of the time zone in which the week on the home screen begins and ends; `nil`
        /// means the runner's own zone.
        package var zone: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user)
            try field("nowUs", &now, .any)
            try field("zone", &zone)
        }

        package var query: Query { .any(of: historyKinds, userTag(user)) }

        package func unknownEntityMessage(_ card: RunnerCard.State) -> String? {
            card == .blank ? "nothing is known of a runner '\(user)'" : nil
        }

        package func answer(
            _ card: RunnerCard.State, _ context: ReportContext
        ) throws(ReportError) -> Home {
            try context.requireStandardRuns()
            let runner = card.runner
            let zone = try context.zone(zone ?? runner.zone ?? rankingZone)
            var home = Home(of: user, runner, zone, now: now ?? context.knownAt, context)
            home.header = Header(card, context)
            home.displayName = home.header.displayName
            return home
        }
    }
}

extension Running.Home {
    /// Creates the home screen from the folded history of the runner.
    package init(
        of userId: String, _ state: Running.RunnerState, _ zone: Zone, now: Instant,
        _ context: ReportContext
    ) {
        self.init(
            userId: userId, zone: zone.name, tzdata: context.tzdata,
            zoneDigest: context.digest(of: zone), rules: Rules(context.rules),
            position: Int64(context.position.rawValue), known: context.knownAt, now: now)
        let counted = state.runs.values.filter { $0.state == .completed && !$0.isLater(than: now) }
        history = counted.sorted { a, b in
            guard a.started == b.started else {
                return (a.started?.microseconds ?? .min) > (b.started?.microseconds ?? .min)
            }
            return a.runId.precedesByBytes(b.runId)
        }
        recent = Array(history.prefix(3))
        isEmpty = history.isEmpty
        if isEmpty {
            emptyTitle = "런닝 기록이 없습니다"
            emptySubtitle = "첫 런닝을 시작해보세요!"
        }
        weekly = Running.WeeklyStats(of: history, Running.RankingWeek(zone.day(at: now), in: zone))
        totalRuns = Int64(history.count)
        totalDistanceMm = history.reduce(0) { $0 &+ $1.distanceMm }
        totalDistanceKm = Running.kilometres(totalDistanceMm)
        totalActiveMs = history.reduce(0) { $0 &+ $1.activeMs }
        totalTimeFormatted = Running.clockText(totalActiveMs)
    }
}

extension Running.RunSummary {
    /// True if the run starts or ends after `now`, and so is not over.
    fileprivate func isLater(than now: Instant) -> Bool {
        [started, ended].contains { $0.map { $0 > now } ?? false }
    }
}

extension Running.WeeklyStats {
    /// Adds up the runs that start in the week.
    init(of runs: [Running.RunSummary], _ week: Running.RankingWeek) {
        self.init(week: week.name, start: week.start, end: week.end)
        for run in runs {
            guard let started = run.started, week.contains(started) else { continue }
            runCount &+= 1
            distanceMm &+= run.distanceMm
            activeMs &+= run.activeMs
            kcal &+= run.kcal
        }
        distanceKm = Running.kilometres(distanceMm)
        totalTimeFormatted = Running.clockText(activeMs)
    }
}

extension Running {
    /// Returns a duration as hours, minutes and seconds, rounded down: `1:02:03`.
    package static func clockText(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        let two = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// Name that the original app (S1) shows for a runner without a name: "runner" in Korean.
    package static let defaultName = "러너"

    /// Converts a distance to kilometres with one decimal, rounded half away from zero.
    package static func kilometres(_ distanceMm: Int64) -> Tenths {
        let tenth: Int64 = 100_000
        let half = distanceMm < 0 ? -(tenth / 2) : tenth / 2
        return Tenths(tenths: distanceMm / tenth + (distanceMm % tenth + half) / tenth)
    }
}
