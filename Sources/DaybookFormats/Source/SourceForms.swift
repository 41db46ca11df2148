import Daybook
import DaybookModel

/// Registers renderers that turn reports into the JSON of the original app's server.
enum SourceForms: FileFormats {
    /// Renderers, one for each report that has an answer in the original server's JSON.
    static let renderers = [
        careRenderer(BabyCare.DailyReport.self, invalid: "date must be YYYY-MM-DD") {
            daily, states in
            let listed = daily.answers.flatMap(\.entries).filter {
                daily.state.entries[$0.entryId]?.hasText == true
            }
            let notes = try latestNotes(of: listed.map(\.entryId), states)
            return daily.answers.map { SourceShapes.daily($0, daily.state.entries, notes: notes) }
        },
        careRenderer(
            BabyCare.WeeklyReport.self, invalid: "week_start must be YYYY-MM-DD"
        ) { week, _ in week.answers.map(SourceShapes.weekly) },
        // There is no route for a month; the landing page is the closest answer.
        careRenderer(BabyCare.MonthlyReport.self) { month, states in
            let reporter = try month.reporter()
            return try month.answers.map { answer in
                try landing(reporter, .month, answer.from, at: month.context.knownAt, states)
            }
        },
        careRenderer(
            BabyCare.LandingReport.self, invalid: "range must be one of: day, week, month"
        ) { page, states in
            let reporter = try page.reporter()
            return try page.answers.map { answer in
                let range = BabyCare.Reporter.LandingRange(name: answer.range) ?? .day
                return try landing(
                    reporter, range, answer.from, at: answer.now, user: page.reports[0].user,
                    states)
            }
        },
        careRenderer(BabyCare.NextFeedingReport.self) { next, _ in
            next.answers.map { SourceShapes.nextFeeding($0, tone: next.reports[0].tone) }
        },
        careRenderer(BabyCare.TodayReport.self) { today, _ in
            today.answers.map(SourceShapes.today)
        },
        careRenderer(BabyCare.LastReport.self, invalid: "what must be one of: \(groupNames)") {
            last, _ in
            let report = last.reports[0]
            guard let group = report.group else {
                throw ReportError.invalid(
                    argument: "what", "expected a group of entries (\(groupNames)), found none")
            }
            guard group != .poo else {
                return last.answers.map { SourceShapes.lastPoo($0.poo, tone: report.tone) }
            }
            let entries = last.state.entries.values.map(\.entry)
            let zone = try last.reporter().zone
            return [SourceShapes.lastEntry(group, of: entries, in: zone, tone: report.tone)]
        },
        careRenderer(Assistant.SiriReport.self) { siri, states in
            let closed = try SourceAccount(siri.state.profile, states).paymentRequired
            return siri.answers.map { closed ?? SourceShapes.siri($0) }
        },
        careRenderer(
            Assistant.BixbyReport.self, invalid: "capsule_action and baby_id are required"
        ) { (bixby, states) in
            let closed = try SourceAccount(bixby.state.profile, states).paymentRequired
            return bixby.answers.map { closed ?? SourceShapes.bixby($0) }
        },
        chatRenderer(Chat.SessionsReport.self) { SourceChats.sessions($0) },
        chatRenderer(Chat.SessionReport.self) { SourceChats.session($0) },
    ]

    private static func chatRenderer<Body: Report>(
        _ report: Body.Type, _ make: @escaping @Sendable (Body.Answer) -> SourceJSON
    ) -> ReportRenderer {
        ReportRenderer(
            report, .source, by: .source,
            failure: { error in
                guard case .unanswerable = error else {
                    return SourceJSON.error("Invalid request payload").text
                }
                return SourceJSON.error("Chat session not found").text
            },
            { (answered, _) in .json(answered.answers.map { make($0).text }.joined(separator: "\n"))
            })
    }

    /// Names of the groups of entries that the argument `what` can have, joined by commas.
    private static let groupNames = BabyCare.LastReport.Group.names.joined(separator: ", ")

    /// Returns the server's error message for an invalid offset from UTC, such as `+99:00`.
    private static func offsetMessage(_ offset: String) -> String {
        let isOffset = offset.wholeMatch(of: /[+-][0-9]{2}:[0-9]{2}/) != nil
        return isOffset ? "tz_offset is out of range" : "tz_offset must be in +/-HH:MM format"
    }

    /// Returns a renderer for a report on a baby.
    ///
    /// - Parameters:
    ///   - invalid: the server's error message for an invalid argument.
    ///   - make: returns one JSON object for each answer of the report.
    private static func careRenderer<Body: CareReport>(
        _ report: Body.Type, invalid: String = "Invalid request payload",
        _ make:
            @escaping @Sendable (AnsweredReport<Body>, any EntityStates) throws -> [SourceJSON]
    ) -> ReportRenderer {
        ReportRenderer(
            report, .source, by: .source,
            failure: { error in
                switch error {
                case .unanswerable: SourceJSON.error("Baby not found").text
                case .zone(let unknown): SourceJSON.error(offsetMessage(unknown.name)).text
                case .noZones(let name): SourceJSON.error(offsetMessage(name)).text
                case .input, .invalid, .fold: SourceJSON.error(invalid).text
                }
            },
            { (answered, states) in
                .json(try make(answered, states).map(\.text).joined(separator: "\n"))
            })
    }

    /// Returns the landing page of the day, week or month that starts on the date `from`.
    private static func landing(
        _ reporter: BabyCare.Reporter, _ range: BabyCare.Reporter.LandingRange, _ from: String,
        at now: Instant, user: String? = nil, _ states: any EntityStates
    ) throws -> SourceJSON {
        let first = CivilDate(text: from) ?? CivilDate(daysSince1970: 0)
        let next =
            switch range {
            case .day: first.adding(days: 1)
            case .week: first.adding(days: 7)
            case .month: first.firstOfNextMonth
            }
        let window = reporter.window(from: first, before: next)
        let noted = reporter.entries.filter { entry in
            entry.hasText && (entry.state == .open || window.contains(entry.started))
        }
        var facts = SourceLanding.Facts()
        facts.babyName = try name(of: reporter.profile, states)
        facts.formulaBrand = reporter.profile.formulaBrand ?? facts.formulaBrand
        facts.formulaProduct = reporter.profile.formulaProduct ?? facts.formulaProduct
        facts.formulaType = reporter.profile.formulaType ?? facts.formulaType
        facts.containsStarch = reporter.profile.containsStarch
        let account = try SourceAccount(reporter.profile, user: user, states)
        facts.plan = account.plan
        facts.creditBalance = account.balance(at: now)
        facts.graceUsedToday = account.freeAnswersUsed(at: now)
        return SourceLanding(
            reporter, range, from: first, before: next, at: now, facts,
            notes: try latestNotes(of: noted.map(\.entryId), states)
        ).json
    }

    /// Returns the name of a baby; empty if the name is erased or unknown. If the baby has names
    /// under several ids, the result is the name under the newest id.
    private static func name(
        of profile: Household.Profile, _ states: any EntityStates
    ) throws -> String {
        let tags = profile.ids.map { Tag("profile", $0) }
        let named = try states.states(NamedBaby.self, of: tags)
        return tags.reversed().lazy.compactMap { named[$0]?.name }.first ?? ""
    }

    /// Returns the latest note of each entry, by entry id, without erased notes.
    private static func latestNotes(
        of entryIds: [String], _ states: any EntityStates
    ) throws -> [String: String] {
        var notes: [String: String] = [:]
        let tags = entryIds.map { ($0, Tag("entry", $0)) }
        let texts = try states.states(RecordedEntries.self, of: tags.map(\.1))
        for (id, tag) in tags { notes[id] = texts[tag]?.texts.lazy.compactMap(\.note).last }
        return notes
    }
}

extension ReportForm {
    /// The report form that has the JSON of the original app's server.
    static let source: ReportForm = "source"
}

/// The projection of a baby's name, which `Household.Profile` does not contain.
private enum NamedBaby: Projection {
    /// The event that gives a baby its name.
    enum Event: EventSet {
        case onboarded(Household.Onboarded)
        static let kinds = [StoredKind(onboarded)]
    }

    /// The name of a baby.
    struct State: Record {
        /// The name; `nil` if the name is erased or was never given.
        var name: String?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        guard case .onboarded(let onboarded) = event else { return }
        state.name = onboarded.name?.text ?? state.name
    }
}
