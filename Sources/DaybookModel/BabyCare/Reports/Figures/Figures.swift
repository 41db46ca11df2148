public import Daybook

extension BabyCare {
    /// Numbers of diapers by content; `nil` if none is recorded.
    public struct DiaperFigures: Record {
        public var pee: Int64?
        public var poo: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("pee", &pee, "poo", &poo)
        }
    }

    /// A medication that was given.
    public struct Dose: Record {
        public var entryId = ""
        public var given = Instant.epoch
        /// Start in local time.
        public var at = ""
        public var name: String?
        public var dose: String?
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &given, "at", &at, "name", &name)
            try field("dose", &dose)
        }
    }

    /// Number of symptoms, and their temperature range in thousandths of a degree Celsius.
    public struct SymptomFigures: Record {
        public var count: Int64 = 0
        public var maxMilliC: Int64?
        public var minMilliC: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "maxMilliC", &maxMilliC, "minMilliC", &minMilliC)
        }
    }

    /// The latest measurements.
    public struct GrowthFigures: Record {
        public var at = Instant.epoch
        public var weightG: Int64?
        public var heightMm: Int64?
        public var headMm: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("atUs", &at, "weightG", &weightG, "heightMm", &heightMm, "headMm", &headMm)
        }
    }

    /// The totals of a stretch of time; a kind without entries is `nil` and named in `missing`.
    public struct Figures: Record {
        public var lengthS: Int64 = 0
        public var sleep: SleepFigures?
        public var wake: WakeFigures?
        public var feed = FeedFigures()
        public var diaper = DiaperFigures()
        public var medication: [Dose]?
        public var symptom: SymptomFigures?
        public var growth: GrowthFigures?
        public var memoCount: Int64?
        /// Number of diapers recorded as diarrhoea; `nil` if no poo is recorded.
        public var diarrhoeaCount: Int64?
        /// Millilitres of formula, measured breast milk and liquid meals; `nil` if no amount is
        /// recorded.
        public var intakeMl: Int64?
        /// Whole minutes of play and exercise that started in the stretch; `nil` without durations.
        public var activityMin: Int64?
        /// Millilitres of milk pumped in the stretch; `nil` if no amount is recorded.
        public var pumpedMl: Int64?
        /// Number of entries first recorded after the stretch was over.
        public var lateCount: Int64 = 0
        public var editedCount: Int64 = 0
        public var cancelledCount: Int64 = 0
        public var restoredCount: Int64 = 0
        /// Names of kinds without an entry.
        public var missing: [String] = []
        var layout = ReportLayout.current
        public static var blank: Self { Self() }

        /// True if at least one kind has an entry.
        var isRecorded: Bool { missing.count < Kind.reported.count }
        /// Seconds of sleep with overlaps counted once; `nil` without closed sleep.
        public var sleptS: Int64? { closedSleep?.unionS }
        /// Sleep figures; `nil` if all sleep is open.
        ///
        /// Not `nil` under the rules of the source documents without any sleep: all figures are
        /// then 0.
        var closedSleep: SleepFigures? {
            sleep.flatMap { $0.hasClosed || $0.open.isEmpty ? $0 : nil }
        }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lengthS", &lengthS, "sleep", &sleep, "wake", &wake, "feed", &feed)
            try field("diaper", &diaper, "medication", &medication, "symptom", &symptom)
            try field("growth", &growth, "memoCount", &memoCount)
            if layout != .withoutHealth {
                try field("diarrhoeaCount", &diarrhoeaCount, "intakeMl", &intakeMl)
                try field("activityMin", &activityMin)
            }
            if layout == .current { try field("pumpedMl", &pumpedMl) }
            try field("lateCount", &lateCount)
            try field("editedCount", &editedCount, "cancelledCount", &cancelledCount)
            try field("restoredCount", &restoredCount, "missing", &missing)
        }
    }
}
