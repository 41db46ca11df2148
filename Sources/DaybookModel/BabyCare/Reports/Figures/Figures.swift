package import Daybook

extension BabyCare {
    /// Numbers of diapers by content.
    package struct DiaperFigures: PlainRecord {
        package var pee: Int64?
        package var poo: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("pee", &pee, "poo", &poo)
        }
    }

    /// A dose of medication that was given.
    package struct Dose: PlainRecord {
        package var entryId = ""
        package var given = Instant.epoch
        /// Time at which the medication was given, in local time, such as `2020-03-08T02:30:00`.
        package var at = ""
        package var name: String?
        /// Amount that was given, such as `80 mg`; `nil` if none is recorded.
        package var dose: String?
        package static var elementKey: String? { "entryId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "atUs", &given, "at", &at, "name", &name)
            try field("dose", &dose)
        }
    }

    /// The number of symptoms, and their highest and lowest temperature.
    package struct SymptomFigures: PlainRecord {
        package var count: Int64 = 0
        /// Highest temperature in thousandths of a degree Celsius; `nil` if none was measured.
        package var maxMilliC: Int64?
        /// Lowest temperature in thousandths of a degree Celsius; `nil` if none was measured.
        package var minMilliC: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "maxMilliC", &maxMilliC, "minMilliC", &minMilliC)
        }
    }

    /// The latest weight, height and head circumference in a period.
    package struct GrowthFigures: PlainRecord {
        /// Start of the latest growth entry.
        package var at = Instant.epoch
        /// Latest weight in grams, rounded; `nil` if not measured.
        package var weightG: Int64?
        /// Latest height in millimetres, rounded; `nil` if not measured.
        package var heightMm: Int64?
        /// Latest head circumference in millimetres, rounded; `nil` if not measured.
        package var headMm: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("atUs", &at, "weightG", &weightG, "heightMm", &heightMm, "headMm", &headMm)
        }
    }

    /// The totals of a period.
    ///
    /// Figures of a kind without entries are `nil`, and `missingKindNames` has its name.
    package struct Figures: PlainRecord {
        /// Length of the period in seconds; a day with a clock change is shorter or longer.
        package var lengthS: Int64 = 0
        package var sleep: SleepFigures?
        /// Waking times between sleeps; `nil` if no waking time lies wholly in the period.
        package var wake: WakeFigures?
        /// Totals of feeds, by kind.
        package var feed = FeedFigures()
        /// Numbers of diapers by content.
        package var diaper = DiaperFigures()
        /// Doses of medication, in order of time; `nil` if none is recorded.
        package var medication: [Dose]?
        /// Number and temperatures of symptoms; `nil` if none is recorded.
        package var symptom: SymptomFigures?
        /// Latest measurements in the period; `nil` if none is recorded.
        package var growth: GrowthFigures?
        package var memoCount: Int64?
        /// Number of diapers recorded as diarrhoea; `nil` if no poo is recorded.
        package var diarrhoeaCount: Int64?
        /// Millilitres of formula, measured breast milk and liquid meals; `nil` without amounts.
        var intakeMl: Int64?
        /// Whole minutes of play and exercise that started in the period; `nil` without durations.
        package var activityMin: Int64?
        /// Millilitres of milk pumped in the period; `nil` if no amount is recorded.
        package var pumpedMl: Int64?
        /// Number of entries first recorded after the period was over.
        package var lateCount: Int64 = 0
        /// Number of these entries that an import recorded; not written.
        package var lateImportCount: Int64 = 0
        /// Number of entries in the period that were ever corrected.
        package var editedCount: Int64 = 0
        /// Number of entries in the period that are cancelled.
        package var cancelledCount: Int64 = 0
        /// Number of entries in the period that were ever restored after a cancellation.
        package var restoredCount: Int64 = 0
        /// Names of the entry kinds of which the period has no entry.
        package var missingKindNames: [String] = []
        /// Fields that are written; an audit sets those of the release that published a report.
        var layout = ReportLayout.current

        /// True if the period has an entry of at least one kind that has figures; always true under
        /// the rules of the original app, because their figures have no gaps.
        var hasEntries: Bool { missingKindNames.count < Kind.reportedKinds.count }
        /// Seconds of ended sleeps, with overlaps counted once; `nil` if no sleep has ended.
        package var sleptS: Int64? { closedSleep?.unionS }
        /// Figures of the sleeps that have ended; `nil` if no sleep has ended. Under the rules of
        /// the original app they are never `nil`, but 0.
        var closedSleep: SleepFigures? {
            sleep.flatMap { $0.hasClosedSleep || $0.open.isEmpty ? $0 : nil }
        }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lengthS", &lengthS, "sleep", &sleep, "wake", &wake, "feed", &feed)
            try field("diaper", &diaper, "medication", &medication, "symptom", &symptom)
            try field("growth", &growth, "memoCount", &memoCount)
            if layout != .withoutHealth {
                try field("diarrhoeaCount", &diarrhoeaCount, "intakeMl", &intakeMl)
                try field("activityMin", &activityMin)
            }
            if layout.hasPumping { try field("pumpedMl", &pumpedMl) }
            try field("lateCount", &lateCount)
            try field("editedCount", &editedCount, "cancelledCount", &cancelledCount)
            try field("restoredCount", &restoredCount, "missing", &missingKindNames)
        }
    }
}
