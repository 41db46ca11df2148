public import EventSourcing

extension BabyCare {
    /// Diapers by what was in them; `nil` where nobody wrote any down.
    public struct DiaperFigures: Record {
        public var pee: Int64?
        public var poo: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("pee", &pee)
            try field("poo", &poo)
        }
    }

    /// A medication that was given.
    public struct Dose: Record {
        public var entryId = ""
        public var atUs: Int64 = 0
        /// Local.
        public var at = ""
        public var name: String?
        public var dose: String?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("atUs", &atUs)
            try field("at", &at)
            try field("name", &name)
            try field("dose", &dose)
        }
    }

    /// Temperatures, in thousandths of a degree Celsius.
    public struct SymptomFigures: Record {
        public var count: Int64 = 0
        public var maxMilliC: Int64?
        public var minMilliC: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("maxMilliC", &maxMilliC)
            try field("minMilliC", &minMilliC)
        }
    }

    /// The last measures.
    public struct GrowthFigures: Record {
        public var atUs: Int64 = 0
        public var weightG: Int64?
        public var heightMm: Int64?
        public var headMm: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("atUs", &atUs)
            try field("weightG", &weightG)
            try field("heightMm", &heightMm)
            try field("headMm", &headMm)
        }
    }

    /// What a stretch of time adds up to. A kind without entries is `nil` and named in `missing`.
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
        /// Entries that were first written after the stretch was over.
        public var lateCount: Int64 = 0
        public var editedCount: Int64 = 0
        public var cancelledCount: Int64 = 0
        public var restoredCount: Int64 = 0
        /// Kinds of which there is no entry.
        public var missing: [String] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lengthS", &lengthS)
            try field("sleep", &sleep)
            try field("wake", &wake)
            try field("feed", &feed)
            try field("diaper", &diaper)
            try field("medication", &medication)
            try field("symptom", &symptom)
            try field("growth", &growth)
            try field("memoCount", &memoCount)
            try field("lateCount", &lateCount)
            try field("editedCount", &editedCount)
            try field("cancelledCount", &cancelledCount)
            try field("restoredCount", &restoredCount)
            try field("missing", &missing)
        }
    }
}
