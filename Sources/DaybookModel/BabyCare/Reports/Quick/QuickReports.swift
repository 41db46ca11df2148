package import Daybook

extension BabyCare {
    /// A report on the expected time of the next feed.
    package struct NextFeedingReport: CareReport, PlainRecord {
        package typealias Answer = NextFeeding
        package static let name = "next-feeding"
        package static let clock: String? = "nowUs"
        package static let summary = "When the next feed is to be expected"
        package var baby = ""
        package var zone: String?
        /// Point in time to answer for; `nil` means the recording time of the last event.
        package var now: Instant?
        /// Tone of an answer in words: `friendly`, `neutral`, `formal`, `brief` or `coach`.
        package var tone: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone)
            try field("nowUs", &now, .any)
            try field("tone", &tone)
        }

        /// Returns the last 14 days; `nil`, for all time, if they have fewer than ten feeds.
        package func window(_ reporter: Reporter, knowing state: State) -> Window? {
            // The newest entry may be later than `validAt`.
            guard reporter.basis.validAt == nil else { return nil }
            let now = now ?? reporter.basis.knownAt
            let start = now.advanced(byMicroseconds: -14 * Instant.dayUs)
            let feeds = state.entries.values.count {
                $0.kind.isFeed && $0.isCounted && $0.isReportable
                    && start <= $0.started && $0.started <= now
            }
            return !state.entries.isEmpty && feeds < 10 ? nil : Window(start: start, end: now)
        }

        /// Returns a query for the newest entry. The newest entry shows that entries exist, even if
        /// there are none in the last 14 days.
        package func newestEventQueries(_ profile: Household.Profile) -> [Query] {
            [BabyCare.query(profile)]
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> NextFeeding { reporter.nextFeeding(at: now ?? context.knownAt) }
    }

    /// A report on the current day so far.
    package struct TodayReport: CareReport, PlainRecord {
        package typealias Answer = Today
        package static let name = "today"
        package static let clock: String? = "nowUs"
        package static let summary = "The day so far"
        package var baby = ""
        package var zone: String?
        package var now: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone)
            try field("nowUs", &now, .any)
        }

        package func window(_ reporter: Reporter, knowing state: State) -> Window? {
            let now = now ?? reporter.basis.knownAt
            let day = reporter.zone.day(at: now, startMin: Int(reporter.profile.dayStartMin))
            guard reporter.rules == .standard else {
                // The original app uses the UTC day.
                let date = CivilDate(utcDayOf: now)
                return BabyCare.Window(start: date.utcStart, end: date.adding(days: 1).utcStart)
            }
            return reporter.window(of: day)
        }

        package func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            reporter.zone.day(
                at: now ?? context.knownAt, startMin: Int(reporter.profile.dayStartMin))
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> Today { reporter.today(at: now ?? context.knownAt) }
    }

    /// A report on the last poo, feed, sleep, diaper and medication.
    package struct LastReport: CareReport, PlainRecord {
        package typealias Answer = LatestOfAll
        package static let name = "last"
        package static let summary = "The last poo, feed, sleep, diaper and medication"
        package static let clock: String? = "nowUs"
        package static let positional: String? = "what"

        /// A group of entries whose last entry the report gives.
        package enum Group: UInt8, StoredEnum { case poo, feeding, sleep, diaper, medication }

        package var baby = ""
        package var zone: String?
        package var now: Instant?
        /// The only group that the text output shows; `nil` to show all groups.
        package var group: Group?
        package var tone: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone)
            try field("nowUs", &now, .any)
            try field("what", &group, "tone", &tone)
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> LatestOfAll { reporter.latest(at: now ?? context.knownAt) }
    }

    /// A report with the numbers on the first page of the app, for a day, week or month.
    package struct LandingReport: CareReport, PlainRecord {
        package typealias Answer = Landing
        package static let name = "landing"
        package static let summary = "The numbers of the app's landing page"
        package static let clock: String? = "nowUs"
        package var baby = ""
        package var zone: String?
        /// Length of the range of days: `day`, `week` or `month`; `nil` means `day`.
        package var range: String?
        /// Any day of the range; `nil` means today.
        package var date: String?
        package var now: Instant?
        /// Id of the user whose credits are shown in the original app's form of the answer.
        package var user: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "range", &range, "date", &date)
            try field("nowUs", &now, .any)
            try field("user", &user)
        }

        package func lastDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate? {
            let range = landingRange ?? .day
            return reporter.dayBounds(of: range, around: anchorDay(reporter, context)).next
                .adding(days: -1)
        }

        /// The range that `range` names in any letter case; `nil` if the name is unknown.
        private var landingRange: Reporter.LandingRange? {
            Reporter.LandingRange(name: (range ?? "day").lowercased())
        }

        /// Returns the day for which the landing page is requested; by default today.
        private func anchorDay(_ reporter: Reporter, _ context: ReportContext) -> CivilDate {
            date.flatMap { CivilDate(text: $0) }
                ?? reporter.zone.day(
                    at: now ?? context.knownAt, startMin: Int(reporter.profile.dayStartMin))
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> Landing {
            guard let range = landingRange else {
                throw .invalid(
                    argument: "range",
                    "range must be one of: day, week, month; found '\(self.range ?? "")'")
            }
            _ = try Self.day(date)
            return reporter.landing(
                range, around: anchorDay(reporter, context), at: now ?? context.knownAt)
        }
    }

    /// A report on the feeds that the original app would recommend; not medical advice.
    package struct RecommendationReport: CareReport, PlainRecord {
        package typealias Answer = Recommendation
        package static let name = "recommendation"
        package static let summary =
            "Feeds that the original app would recommend; no medical advice"
        package static let clock: String? = "nowUs"
        package var baby = ""
        package var zone: String?
        /// Day of the recommendation; `nil` means today.
        package var date: String?
        package var now: Instant?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "date", &date)
            try field("nowUs", &now, .any)
        }

        package func answer(
            by reporter: Reporter, _ context: ReportContext
        ) throws(ReportError) -> Recommendation {
            let day = try Self.day(date) ?? reporter.zone.day(at: now ?? context.knownAt)
            // The source rules treat a day before the birth as the day of the birth.
            if reporter.rules == .standard, reporter.isBeforeBirth(day) {
                throw .unanswerable(reporter.beforeBirthRemark(day))
            }
            guard let answer = reporter.recommendation(on: day) else {
                let baby = reporter.profile.babyId
                throw .unanswerable(
                    "the birth date of the baby '\(baby)' is not recorded; a recommendation needs it"
                )
            }
            return answer
        }
    }
}
