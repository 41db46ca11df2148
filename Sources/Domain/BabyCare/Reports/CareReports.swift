import CivilTime
import EventSourcing

extension BabyCare {
    /// The baby, and the day, week or month; the moment for a quick answer.
    struct ReportArguments: Record {
        var baby = ""
        var zone: String?
        var date: String?
        var week: String?
        var month: String?
        var nowUs: Int64?
        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("baby", &baby, "zone", &zone, "date", &date, "week", &week)
            try field("month", &month, "nowUs", &nowUs)
        }
    }

    static let careReports = [
        ReportDescription("daily", "A baby's day", DayReport.self) {
            (arguments: ReportArguments, events, context) throws(ReportError) in
            try reporter(arguments, events, context).day(
                try civil(arguments.date, "date like 2020-03-08") { CivilDate(text: $0) })
        },
        ReportDescription("weekly", "A baby's week", PeriodReport.self) {
            (arguments: ReportArguments, events, context) throws(ReportError) in
            try reporter(arguments, events, context).week(
                try civil(arguments.week, "week like 2020-W10") { CivilDate.week(text: $0) })
        },
        ReportDescription("monthly", "A baby's month", PeriodReport.self) {
            (arguments: ReportArguments, events, context) throws(ReportError) in
            try reporter(arguments, events, context).month(
                try civil(arguments.month, "month like 2020-03") { CivilDate.month(text: $0) })
        },
        ReportDescription("next-feeding", "When the next feed is to be expected", NextFeeding.self)
        {
            (arguments: ReportArguments, events, context) throws(ReportError) in
            try reporter(arguments, events, context).nextFeeding(at: arguments.now(context))
        },
        ReportDescription("today", "The day so far", Today.self) {
            (arguments: ReportArguments, events, context) throws(ReportError) in
            try reporter(arguments, events, context).today(at: arguments.now(context))
        },
        ReportDescription("last", "The last of what people ask for", LatestOfAll.self) {
            (arguments: ReportArguments, events, context) throws(ReportError) in
            try reporter(arguments, events, context).latest(at: arguments.now(context))
        },
    ]

    private static func civil(
        _ text: String?, _ form: String, _ parse: (String) -> CivilDate?
    ) throws(ReportError) -> CivilDate {
        guard let date = text.flatMap(parse) else {
            throw .unanswerable("expected a \(form), found '\(text ?? "nothing")'")
        }
        return date
    }

    /// Folds what is about the baby, by any id it has or had, and its household.
    static func reporter(
        _ arguments: ReportArguments, _ events: [RecordedEvent], _ context: ReportContext
    ) throws(ReportError) -> Reporter {
        var state = State()
        state.profile.babyId = arguments.baby
        let reader = KindReader<Event>()
        var ids: [String] = []
        while ids != state.profile.ids {
            ids = state.profile.ids
            state = State()
            state.profile.babyId = arguments.baby
            let known = { (tag: Tag) in
                ["baby", "profile"].contains(tag.noun) && ids.contains(String(tag.id))
            }
            // What gives an entry another id says nothing of its baby.
            let renames = { (event: RecordedEvent) in
                event.kind == Household.IdReplaced.kind
                    && event.tags.contains { $0.noun == "entry" }
            }
            for event in events where event.tags.contains(where: known) || renames(event) {
                do throws(FoldError) {
                    guard let read = try reader.read(event) else { continue }
                    evolve(&state, with: read, event.envelope)
                } catch {
                    throw .fold(error)
                }
            }
        }
        guard state.profile.isKnown else {
            throw .unanswerable("nothing is known of a baby '\(arguments.baby)'")
        }
        guard let name = arguments.zone ?? state.profile.zone else {
            throw .unanswerable("no zone is known for the baby '\(arguments.baby)'")
        }
        guard let zones = context.zones else {
            throw .unanswerable("there is no tz database to count the days of \(name) with")
        }
        do throws(UnknownZone) {
            return Reporter(
                state, zone: try zones.zone(name), tzdata: zones.version,
                rules: Rules(context.rules),
                position: context.position, knownAt: context.knownAt)
        } catch {
            throw .zone(error)
        }
    }
}

extension BabyCare.ReportArguments {
    fileprivate func now(_ context: ReportContext) -> Instant {
        nowUs.map { Instant(microseconds: $0) } ?? context.knownAt
    }
}
