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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("startUs", &startUs)
            try field("endUs", &endUs)
            try field("runs", &runs)
            try field("distanceMm", &distanceMm)
            try field("distanceKm", &distanceKm)
            try field("activeMs", &activeMs)
            try field("kcal", &kcal)
        }
    }

    /// What the app's home shows a runner.
    ///
    /// Runs belong to the week they start in; cancelled and discarded ones are not there.
    public struct Home: Record {
        public var userId = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = Rules.standard
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("zone", &zone)
            try field("tzdata", &tzdata)
            try field("rules", &rules)
            try field("position", &position)
            try field("knownUs", &knownUs)
            try field("nowUs", &nowUs)
            try field("displayName", &displayName)
            try field("isEmpty", &isEmpty)
            try field("emptyTitle", &emptyTitle)
            try field("emptySubtitle", &emptySubtitle)
            try field("weekly", &weekly)
            try field("recent", &recent)
            try field("history", &history)
            try field("totalRuns", &totalRuns)
            try field("totalDistanceMm", &totalDistanceMm)
            try field("totalDistanceKm", &totalDistanceKm)
        }
    }
}
