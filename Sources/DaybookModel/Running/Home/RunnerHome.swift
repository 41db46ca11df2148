public import Daybook

extension Running {
    /// A runner's week.
    public struct WeeklyStats: Record {
        /// ISO 8601: `2026-W08`.
        public var week = ""
        public var start = Instant.epoch
        /// The start of the next week.
        public var end = Instant.epoch
        public var runs: Int64 = 0
        public var distanceMm: Int64 = 0
        public var distanceKm = Tenths.blank
        public var activeMs: Int64 = 0
        public var kcal: Int64 = 0
        /// The time as the app's home shows it: hours, minutes and seconds.
        public var totalTimeFormatted = ""

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("startUs", &start, .any)
            try field("endUs", &end, .any)
            try field("runs", &runs)
            try field("distanceMm", &distanceMm, "distanceKm", &distanceKm, "activeMs", &activeMs)
            try field("kcal", &kcal, "totalTimeFormatted", &totalTimeFormatted)
        }
    }

    /// The app's home of a runner.
    ///
    /// Runs belong to the week they start in; cancelled and discarded ones are left out, and those that
    /// are not over by then.
    public struct Home: Record {
        public var userId = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = Rules.standard
        public var position: Int64 = 0
        public var known = Instant.epoch
        public var now = Instant.epoch
        /// `nil` where a name is recorded and personal texts are closed; `erased` where it was.
        public var displayName: String?
        /// True before the first run.
        public var isEmpty = false
        /// Title that the app shows before the first run.
        public var emptyTitle: String?
        public var emptySubtitle: String?
        public var weekly = WeeklyStats()
        /// The newest starts first, at most three.
        public var recent: [RunSummary] = []
        /// All runs, the newest start first, those without times last.
        public var history: [RunSummary] = []
        public var totalRuns: Int64 = 0
        public var totalDistanceMm: Int64 = 0
        public var totalDistanceKm = Tenths.blank
        public var totalActiveMs: Int64 = 0
        public var totalTimeFormatted = ""
        public var header = Header.blank

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "zone", &zone, "tzdata", &tzdata, "rules", &rules)
            try field("position", &position)
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

    /// The question what the app's home shows a runner.
    public struct HomeReport: Report {
        public typealias Answer = Home
        public typealias Model = RunnerCard
        public static let name = "home"
        public static let summary = "A runner's home: this week, the newest runs, the whole history"
        public static let clock: String? = "nowUs"
        public static let readsPersonalTexts = true
        public static let basisFields = Running.basisFields
        public var user = ""
        /// The last recorded event by default.
        public var now: Instant?
        /// The runner's own by default.
        public var zone: String?

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user)
            try field("nowUs", &now, .any)
            try field("zone", &zone)
        }

        public var query: Query { .any(of: historyKinds, userTag(user)) }

        public func unknown(_ card: RunnerCard.State) -> String? {
            card == .blank ? "nothing is known of a runner '\(user)'" : nil
        }

        public func answer(
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
    /// - Parameter state: everything known of the runner.
    public init(
        of userId: String, _ state: Running.RunnerState, _ zone: Zone, now: Instant,
        _ context: ReportContext
    ) {
        self.init(
            userId: userId, zone: zone.name, tzdata: context.tzdata, rules: Rules(context.rules),
            position: Int64(context.position.rawValue), known: context.knownAt,
            now: now)
        let counted = state.runs.values.filter { $0.state == .completed && !$0.isLater(than: now) }
        history = counted.sorted { a, b in
            guard a.started == b.started else {
                return (a.started?.microseconds ?? .min) > (b.started?.microseconds ?? .min)
            }
            return a.runId.utf8.lexicographicallyPrecedes(b.runId.utf8)
        }
        recent = Array(history.prefix(3))
        isEmpty = history.isEmpty
        if isEmpty {
            emptyTitle = "런닝 기록이 없습니다"
            emptySubtitle = "첫 런닝을 시작해보세요!"
        }
        weekly = Running.WeeklyStats(
            of: history, Running.RankingWeek(zone.day(at: now), in: zone))
        totalRuns = Int64(history.count)
        totalDistanceMm = history.reduce(0) { $0 &+ $1.distanceMm }
        totalDistanceKm = Running.kilometres(totalDistanceMm)
        totalActiveMs = history.reduce(0) { $0 &+ $1.activeMs }
        totalTimeFormatted = Running.clockText(totalActiveMs)
    }
}

extension Running.RunSummary {
    /// True for a run that is not over by a moment.
    fileprivate func isLater(than now: Instant) -> Bool {
        [started, ended].contains { $0.map { $0 > now } ?? false }
    }
}

extension Running.WeeklyStats {
    init(of runs: [Running.RunSummary], _ week: Running.RankingWeek) {
        self.init(week: week.name, start: week.start, end: week.end)
        for run in runs {
            guard let started = run.started, week.contains(started) else { continue }
            self.runs &+= 1
            distanceMm &+= run.distanceMm
            activeMs &+= run.activeMs
            kcal &+= run.kcal
        }
        distanceKm = Running.kilometres(distanceMm)
        totalTimeFormatted = Running.clockText(activeMs)
    }
}

extension Running {
    /// `1:02:03`, cut off at the second.
    public static func clockText(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        let two = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// S1's name for a runner without one.
    public static let defaultName = "러너"

    /// Kilometres with one decimal, rounded half away from zero.
    public static func kilometres(_ distanceMm: Int64) -> Tenths {
        let tenth: Int64 = 100_000
        let half = distanceMm < 0 ? -(tenth / 2) : tenth / 2
        return Tenths(tenths: distanceMm / tenth + (distanceMm % tenth + half) / tenth)
    }
}
