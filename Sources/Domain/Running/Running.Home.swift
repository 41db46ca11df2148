public import EventSourcing

extension Running {
    /// What a runner did in a week.
    public struct WeeklyStats: Record {
        /// ISO 8601: `2026-W08`.
        public var week = ""
        public var startUs: Int64 = 0
        /// The start of the next week.
        public var endUs: Int64 = 0
        public var runs: Int64 = 0
        public var distanceMm: Int64 = 0
        public var distanceKm = Tenths.blank
        public var activeMs: Int64 = 0
        public var kcal: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout WeeklyStats
        ) throws(Visitor.Failure) {
            try visitor.field("week", &value.week)
            try visitor.field("startUs", &value.startUs)
            try visitor.field("endUs", &value.endUs)
            try visitor.field("runs", &value.runs)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("distanceKm", &value.distanceKm)
            try visitor.field("activeMs", &value.activeMs)
            try visitor.field("kcal", &value.kcal)
        }
    }

    /// What the app's home shows a runner.
    ///
    /// Runs belong to the week they start in; cancelled and discarded ones are not there.
    public struct Home: Record {
        public var userId = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = RuleSet.standard
        public var position: Int64 = 0
        public var knownUs: Int64 = 0
        public var nowUs: Int64 = 0
        /// `nil` where a name was told and is not looked up.
        public var displayName: String?
        /// There is no run yet.
        public var isEmpty = false
        /// What the app shows then.
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Home
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("rules", &value.rules)
            try visitor.field("position", &value.position)
            try visitor.field("knownUs", &value.knownUs)
            try visitor.field("nowUs", &value.nowUs)
            try visitor.field("displayName", &value.displayName)
            try visitor.field("isEmpty", &value.isEmpty)
            try visitor.field("emptyTitle", &value.emptyTitle)
            try visitor.field("emptySubtitle", &value.emptySubtitle)
            try visitor.field("weekly", &value.weekly)
            try visitor.field("recent", &value.recent)
            try visitor.field("history", &value.history)
            try visitor.field("totalRuns", &value.totalRuns)
            try visitor.field("totalDistanceMm", &value.totalDistanceMm)
            try visitor.field("totalDistanceKm", &value.totalDistanceKm)
        }
    }
}
