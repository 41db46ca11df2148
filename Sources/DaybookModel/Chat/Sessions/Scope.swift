public import Daybook

extension Chat {
    /// The stretch of time that a question is about.
    public enum ScopeKind: UInt8, StoredEnum {
        case last72h, day, week, month

        /// The words that an app may say.
        fileprivate init?(word: String) {
            switch word {
            case "day", "daily", "date", "today", "d": self = .day
            case "week", "weekly", "w": self = .week
            case "month", "monthly", "m": self = .month
            default: return nil
            }
        }
    }

    /// The form in which the records of a stretch are given to the AI.
    public enum ScopeForm: UInt8, StoredEnum { case raw, summary }

    /// The records that a question is about.
    public struct Scope: Record {
        public var kind = ScopeKind.last72h
        public var form = ScopeForm.raw
        public var from = Instant.epoch
        public var until = Instant.epoch
        /// The first day of a stretch of days: `2026-02-16`.
        public var firstDay: String?
        /// The zone of its days.
        public var zone = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("kind", &kind, "form", &form)
            try field("fromUs", &from, .any)
            try field("untilUs", &until, .any)
            try field("firstDay", &firstDay, "zone", &zone)
        }

        /// Raw records are at most as old as this.
        private static let rawUs = 72 * 3_600 * 1_000_000 as Int64

        private init() {}

        /// - Parameters:
        ///   - mode: a word for the length; `nil` for the last 72 hours.
        ///   - anchor: a day of the stretch; today by default.
        ///   - rules: S4 takes the anchor for midnight of UTC, which is a moment of the day before
        ///     wherever the clocks are behind.
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
                        "unknownScope", "expected day, week or month, found '\(word.prefix(60))'")
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
            // A day that is partly older has a summary too.
            form = kind == .day && from >= oldest ? .raw : .summary
        }

        private static func day(
            _ anchor: String?, _ zone: Zone, _ now: Instant, _ rules: Rules
        ) throws(Refusal) -> CivilDate {
            guard let anchor = anchor?.trimmed, !anchor.isEmpty else { return zone.day(at: now) }
            guard let date = CivilDate(text: anchor) else {
                throw Refusal(
                    "unreadableDate",
                    "expected a date like 2026-02-01, found '\(anchor.prefix(60))'")
            }
            return rules == .source ? zone.day(at: date.utcStart) : date
        }
    }
}
