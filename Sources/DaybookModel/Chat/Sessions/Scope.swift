package import Daybook

extension Chat {
    /// The kind of period whose records a question covers.
    package enum ScopeKind: UInt8, StoredEnum {
        case last72h, day, week, month

        /// Parses the app's word for a period, such as `weekly`; `nil` for an unknown word.
        fileprivate init?(word: String) {
            switch word {
            case "day", "daily", "date", "today", "d": self = .day
            case "week", "weekly", "w": self = .week
            case "month", "monthly", "m": self = .month
            default: return nil
            }
        }
    }

    /// The form in which the AI receives the records: each record, or a summary.
    package enum ScopeForm: UInt8, StoredEnum { case raw, summary }

    /// The period of the records that a question covers, and the form of these records for the AI.
    package struct Scope: PlainRecord {
        package var kind = ScopeKind.last72h
        /// Form in which the AI receives the records.
        package var form = ScopeForm.raw
        /// Start of the period.
        package var from = Instant.epoch
        /// End of the period, not included.
        var until = Instant.epoch
        /// First day of the period, such as `2026-02-16`; `nil` for the last 72 hours.
        package var firstDay: String?
        /// IANA name of the time zone in which the days begin.
        package var zone = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "form", &form)
            try field("fromUs", &from, .any)
            try field("untilUs", &until, .any)
            try field("firstDay", &firstDay, "zone", &zone)
        }

        /// Maximum age of records that are sent in full: 72 hours, in microseconds.
        private static let rawUs = 72 * 3_600 * 1_000_000 as Int64
        init() {}

        /// Creates the scope of a question.
        ///
        /// - Parameters:
        ///   - mode: A word for the period; `nil` for the last 72 hours.
        ///   - anchor: A day in the period; today by default.
        ///   - rules: `source` takes the anchor as midnight UTC, as the original app (S4) does;
        ///     this falls on the day before in zones behind UTC.
        init(
            _ mode: String?, _ anchor: String?, _ zone: Zone, _ now: Instant, _ rules: Rules
        ) throws(Refusal) {
            self.init()
            self.zone = zone.name
            let word = mode?.trimmed.lowercased() ?? ""
            let oldest = now.advanced(byMicroseconds: -Self.rawUs)
            guard let kind = ScopeKind(word: word) else {
                guard word.isEmpty || rules == .source else {
                    throw Refusal(
                        "unknownScope",
                        "dateMode is '\(word.prefix(60))'; expected day, week or month")
                }
                (from, until) = (oldest, now)
                return
            }
            let day = try Self.day(anchor, zone, now, rules)
            let first: CivilDate
            let next: CivilDate
            switch kind {
            case .last72h, .day: (first, next) = (day, day.adding(days: 1))
            case .week:
                first = day.startOfWeek(startingOn: .monday)
                next = first.adding(days: 7)
            case .month: (first, next) = (day.firstOfMonth, day.firstOfNextMonth)
            }
            self.kind = kind
            firstDay = first.text
            (from, until) = (zone.start(of: first), zone.start(of: next))
            // A day that is partly older than 72 hours gets a summary too.
            form = kind == .day && from >= oldest ? .raw : .summary
        }

        /// Returns the day that the anchor names, or today without an anchor; throws for an invalid
        /// date.
        private static func day(
            _ anchor: String?, _ zone: Zone, _ now: Instant, _ rules: Rules
        ) throws(Refusal) -> CivilDate {
            guard let anchor = anchor?.trimmed, !anchor.isEmpty else { return zone.day(at: now) }
            guard let date = CivilDate(text: anchor) else {
                throw Refusal(
                    "unreadableDate",
                    "anchorDate is '\(anchor.prefix(60))'; expected a date like 2026-02-01")
            }
            return rules == .source ? zone.day(at: date.utcStart) : date
        }
    }
}
