public import EventSourcing

extension BabyCare {
    /// Diapers by what was in them; `nil` where nobody wrote any down.
    public struct DiaperFigures: Record {
        public var pee: Int64?
        public var poo: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DiaperFigures
        ) throws(Visitor.Failure) {
            try visitor.field("pee", &value.pee)
            try visitor.field("poo", &value.poo)
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Dose
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("atUs", &value.atUs)
            try visitor.field("at", &value.at)
            try visitor.field("name", &value.name)
            try visitor.field("dose", &value.dose)
        }
    }

    /// Temperatures, in thousandths of a degree Celsius.
    public struct SymptomFigures: Record {
        public var count: Int64 = 0
        public var maxMilliC: Int64?
        public var minMilliC: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SymptomFigures
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("maxMilliC", &value.maxMilliC)
            try visitor.field("minMilliC", &value.minMilliC)
        }
    }

    /// The last measures.
    public struct GrowthFigures: Record {
        public var atUs: Int64 = 0
        public var weightG: Int64?
        public var heightMm: Int64?
        public var headMm: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout GrowthFigures
        ) throws(Visitor.Failure) {
            try visitor.field("atUs", &value.atUs)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("heightMm", &value.heightMm)
            try visitor.field("headMm", &value.headMm)
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Figures
        ) throws(Visitor.Failure) {
            try visitor.field("lengthS", &value.lengthS)
            try visitor.field("sleep", &value.sleep)
            try visitor.field("wake", &value.wake)
            try visitor.field("feed", &value.feed)
            try visitor.field("diaper", &value.diaper)
            try visitor.field("medication", &value.medication)
            try visitor.field("symptom", &value.symptom)
            try visitor.field("growth", &value.growth)
            try visitor.field("memoCount", &value.memoCount)
            try visitor.field("lateCount", &value.lateCount)
            try visitor.field("editedCount", &value.editedCount)
            try visitor.field("cancelledCount", &value.cancelledCount)
            try visitor.field("restoredCount", &value.restoredCount)
            try visitor.field("missing", &value.missing)
        }
    }
}
