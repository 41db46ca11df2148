import Daybook
import DaybookModel

/// The landing page of the original app for a day, week or month, as JSON.
///
/// It is the answer of `GET /quick/landing-snapshot`.
struct SourceLanding {
    /// Facts about the baby and its household that entries do not contain.
    struct Facts: Equatable, Sendable {
        /// Name of the baby; empty if unknown.
        var babyName = ""
        /// Brand of the formula; empty if unknown.
        var formulaBrand = ""
        /// Product name of the formula; empty if unknown.
        var formulaProduct = ""
        var formulaType = "standard"
        /// True for a thickened formula; `nil` if unknown.
        var containsStarch: Bool?
        /// Plan of the household: `AI_ONLY`, `AI_PHOTO` or `PHOTO_SHARE`; `nil` without a plan.
        var plan: String?
        /// Balance of the user's AI credits.
        var creditBalance: Int64 = 0
        /// Number of free AI answers used today; the app allows three.
        var graceUsedToday: Int64 = 0
    }

    /// Has the baby's entries and profile, and computes figures from them.
    private let reporter: BabyCare.Reporter
    /// Length of the range that the page is about: day, week or month.
    private let range: BabyCare.Reporter.LandingRange
    private let firstDay: CivilDate
    private let dayAfterLast: CivilDate
    private let now: Instant
    /// Facts about the baby and its household that entries do not contain.
    private let facts: Facts
    /// Notes of the baby's entries, by entry id.
    private let notes: [String: String]
    /// Closed entries that started in the range, newest first, without growth and symptoms.
    private let startedInRange: [BabyCare.SharedEntry]

    /// Creates the landing page for a day, week or month.
    init(
        _ reporter: BabyCare.Reporter, _ range: BabyCare.Reporter.LandingRange,
        from first: CivilDate, before next: CivilDate, at now: Instant, _ facts: Facts,
        notes: [String: String]
    ) {
        self.reporter = reporter
        self.range = range
        firstDay = first
        dayAfterLast = next
        self.now = now
        self.facts = facts
        self.notes = notes
        let window = reporter.window(from: first, before: next)
        startedInRange = reporter.entries.filter {
            $0.isCounted && window.contains($0.started) && $0.kind != .growth && $0.kind != .symptom
        }.reversed()
    }

    /// The whole page as one JSON object.
    var json: SourceJSON {
        let parts = [
            aboutMembers, feedMembers, sleepMembers, diaperMembers, medicationAndMemoMembers,
            averageMembers, graphMembers, recommendationMembers, openEntryMembers,
        ]
        return .object(parts.reduce(into: [:]) { $0.merge($1) { first, _ in first } })
    }

    /// Members of a JSON object, by key.
    private typealias Members = [String: SourceJSON]

    /// Returns the entries of these kinds that started in the range, newest first.
    private func entries(of kinds: BabyCare.Kind...) -> [BabyCare.SharedEntry] {
        startedInRange.filter { kinds.contains($0.kind) }
    }

    /// Returns the start of the newest entry of these kinds in the range, or null without any.
    private func lastStart(of kinds: BabyCare.Kind...) -> SourceJSON {
        .utcSecond(startedInRange.first { kinds.contains($0.kind) }?.started)
    }

    /// Returns the number of entries of these kinds that started in the range.
    private func count(of kinds: BabyCare.Kind...) -> Int64 {
        Int64(startedInRange.count { kinds.contains($0.kind) })
    }

    private var dayCount: Int { dayAfterLast.daysSince1970 - firstDay.daysSince1970 }

    /// JSON members about the baby, the plan and the range.
    private var aboutMembers: Members {
        let today = reporter.zone.day(at: now)
        let last = dayAfterLast.adding(days: -1)
        let label =
            switch range {
            case .day: firstDay.text
            case .week: "\(firstDay.month)/\(firstDay.day) - \(last.month)/\(last.day)"
            case .month: firstDay.monthText
            }
        return [
            "ai_credit_balance": .integer(facts.creditBalance), "ai_grace_limit": .integer(3),
            "ai_grace_used_today": .integer(facts.graceUsedToday), "ai_plan": .text(facts.plan),
            "baby_age_days": .integer(ageDays), "baby_name": .text(facts.babyName),
            "baby_profile_photo_url": .text(""),
            "baby_weight_kg": reporter.profile.weightG.map { .number($0, places: 3) } ?? .null,
            "date": .text(today.text), "range": .text(range.name),
            "range_day_count": .integer(Int64(dayCount)), "range_end_date": .text(last.text),
            "range_label": .text(label), "range_start_date": .text(firstDay.text),
            "reference_text": .text("Derived from selected range confirmed events."),
            "tz_offset": .text(Timestamp.offset(reporter.zone.offsetS(at: now))),
        ]
    }

    /// JSON members about formula and breastfeeds.
    private var feedMembers: Members {
        let formula = entries(of: .formula)
        var bands: [Int64] = [0, 0, 0, 0]
        for feed in formula {
            bands[reporter.zone.local(at: feed.started).secondOfDay / 21_600] += feed.roundedMl
        }
        let name = [facts.formulaBrand, facts.formulaProduct, facts.formulaType]
            .filter { !$0.isEmpty }.joined(separator: " / ")
        return [
            "formula_count": .integer(Int64(formula.count)),
            "formula_times": .list(formula.map { .utcSecond($0.started) }),
            "formula_total_ml": .integer(bands.reduce(0, +)),
            "formula_amount_by_time_band_ml": .object([
                "night": .integer(bands[0]), "morning": .integer(bands[1]),
                "afternoon": .integer(bands[2]), "evening": .integer(bands[3]),
            ]), "last_formula_time": lastStart(of: .formula),
            "last_formula_amount_ml": .integer(formula.first?.roundedMl),
            "breastfeed_count": .integer(count(of: .breastfeed)),
            "breastfeed_times": .list(entries(of: .breastfeed).map { .utcSecond($0.started) }),
            "last_breastfeed_time": lastStart(of: .breastfeed),
            "feedings_count": .integer(count(of: .formula, .breastfeed)),
            "feeding_method": .text((reporter.profile.feedingMethod ?? .mixed).name),
            "formula_brand": .text(facts.formulaBrand),
            "formula_product": .text(facts.formulaProduct),
            "formula_type": .text(facts.formulaType), "formula_display_name": .text(name),
            "formula_contains_starch": facts.containsStarch.map { .boolean($0) } ?? .null,
        ]
    }

    /// JSON members about sleep by day and by night.
    private var sleepMembers: Members {
        let sleeps = entries(of: .sleep)
        let night = sleeps.filter(reporter.isNight).reduce(0) { $0 + ($1.roundedMin ?? 0) }
        let total = sleeps.reduce(0) { $0 + ($1.roundedMin ?? 0) }
        let ended = sleeps.lazy.compactMap(\.ended).first
        let reference = ended ?? sleeps.first?.started
        return [
            "sleep_total_min": .integer(total), "sleep_night_total_min": .integer(night),
            "sleep_day_total_min": .integer(total - night),
            "recent_sleep_time": lastStart(of: .sleep),
            "recent_sleep_duration_min": .integer(sleeps.lazy.compactMap(\.roundedMin).first),
            "last_sleep_end_time": .utcSecond(ended),
            "minutes_since_last_sleep": .integer(
                reference.map { max(0, now.microseconds(since: $0) / 60_000_000) }),
        ]
    }

    /// JSON members about diapers.
    private var diaperMembers: Members {
        [
            "diaper_pee_count": .integer(count(of: .pee)),
            "diaper_poo_count": .integer(count(of: .poo)),
            "last_pee_time": lastStart(of: .pee), "last_poo_time": lastStart(of: .poo),
            "last_diaper_time": lastStart(of: .pee, .poo),
        ]
    }

    /// JSON members about medication, weaning and notes.
    private var medicationAndMemoMembers: Members {
        let medication = entries(of: .medication).first
        let memo = startedInRange.lazy.compactMap { notes[$0.entryId] }.first
        return [
            "medication_count": .integer(count(of: .medication)),
            "last_medication_time": lastStart(of: .medication),
            "last_medication_name": .text(medication?.value.name ?? medication?.value.type),
            "memo_count": .integer(count(of: .memo, .weaning)),
            "weaning_count": .integer(count(of: .weaning)),
            "last_weaning_time": lastStart(of: .weaning),
            "special_memo": .text(memo ?? "No special memo in selected range."),
        ]
    }
}

// Averages, the graph and the recommendation.
extension SourceLanding {
    /// Returns the daily average of a total over the range, as a number with one decimal.
    private func perDay(_ total: Int64) -> SourceJSON {
        .number(Tenths(total, per: Int64(dayCount)).tenths, places: 1)
    }

    /// JSON members with daily averages over the range.
    private var averageMembers: Members {
        let sleeps = entries(of: .sleep)
        let minutes = { (sleeps: [BabyCare.SharedEntry]) in
            sleeps.reduce(0) { $0 + ($1.roundedMin ?? 0) }
        }
        return [
            "avg_diaper_pee_per_day": perDay(count(of: .pee)),
            "avg_diaper_poo_per_day": perDay(count(of: .poo)),
            "avg_feedings_per_day": perDay(count(of: .formula, .breastfeed)),
            "avg_formula_ml_per_day": perDay(entries(of: .formula).reduce(0) { $0 + $1.roundedMl }),
            "avg_sleep_minutes_per_day": perDay(minutes(sleeps)),
            "avg_night_sleep_minutes_per_day": perDay(minutes(sleeps.filter(reporter.isNight))),
            "avg_nap_minutes_per_day": perDay(minutes(sleeps.filter { !reporter.isNight($0) })),
        ]
    }

    /// JSON members with the feeding graph. Its points are the feeds of a day, or the totals of
    /// each day of a week or month.
    private var graphMembers: Members {
        let formula = entries(of: .formula)
        var points: [(label: String, ml: Int64)] = []
        let mode: String
        switch range {
        case .day:
            mode = "feeding_by_session"
            points = formula.reversed().map { feed in
                let clock = reporter.zone.local(at: feed.started).text.dropFirst(11).prefix(5)
                return (String(clock), feed.roundedMl)
            }
        case .week, .month:
            mode = range == .week ? "daily_total_ml_7d" : "daily_total_ml_month"
            points = (0..<max(0, dayCount)).map { index in
                let day = firstDay.adding(days: index)
                let ml = formula.filter { reporter.zone.day(at: $0.started) == day }
                    .reduce(0) { $0 + $1.roundedMl }
                return (range == .week ? "\(day.month)/\(day.day)" : "\(day.day)", ml)
            }
        }
        if points.isEmpty { points = [("-", 0)] }
        return [
            "feeding_graph_mode": .text(mode),
            "feeding_graph_labels": .texts(points.map(\.label)),
            "feeding_graph_points": .list(points.map { .integer($0.ml) }),
        ]
    }

    /// Age in whole days of 24 hours since midnight UTC of the birth date; 0 if unknown.
    private var ageDays: Int64 {
        guard let birth = reporter.profile.birthDate.flatMap({ CivilDate(text: $0) }) else {
            return 0
        }
        return max(0, now.microseconds(since: birth.utcStart) / Instant.dayUs)
    }

    /// JSON members with the recommended time and amount of feeds for the baby's age and weight.
    private var recommendationMembers: Members {
        let method = reporter.profile.feedingMethod ?? .mixed
        let plan = BabyCare.Recommendation(
            ageDays: ageDays, weightG: reporter.profile.weightG, method: method)
        let lastFeed = reporter.entries.last { $0.isCounted && $0.kind.isFeed }?.started
        let next = lastFeed?.advanced(byMicroseconds: plan.intervalMin * 60_000_000)
        let weight = Tenths.rounded(plan.weightG, 100).decimalText(places: 1, keepsZeros: true)
        let note =
            facts.containsStarch == true
            ? "Starch/thickened formula does not automatically mean longer feeding intervals. Keep "
                + "clinician guidance first."
            : "Profile-based estimate. Confirm with your pediatric clinician."
        return [
            "recommendation_note": .text(note),
            "recommendation_reference_text": .text(
                "Approximate plan using age_days=\(ageDays), feeding_method=\(method.name), "
                    + "weight_kg=\(weight)."),
            "recommended_feed_interval_min": .integer(plan.intervalMin),
            "recommended_formula_daily_ml": .integer(plan.dailyMl),
            "recommended_formula_per_feed_ml": .integer(plan.perFeedMl),
            "recommended_next_feeding_time": .utcSecond(next),
            "recommended_next_feeding_in_min": .integer(
                next.map { max(0, $0.microseconds(since: now) / 60_000_000) }),
        ]
    }

    /// JSON members about the newest open entry of each group, even if it started before the range.
    private var openEntryMembers: Members {
        let sorts: [(String, Set<BabyCare.Kind>)] = [
            ("breastfeed", [.breastfeed]), ("diaper", [.pee, .poo]), ("formula", [.formula]),
            ("medication", [.medication]), ("sleep", [.sleep]), ("weaning", [.weaning]),
        ]
        var members: Members = [:]
        for (name, kinds) in sorts {
            let open = reporter.entries.last { $0.state == .open && kinds.contains($0.kind) }
            let note = open.flatMap { notes[$0.entryId] }
            members["open_\(name)_event_id"] = .text(open?.entryId)
            members["open_\(name)_start_time"] = .utcSecond(open?.started)
            members["open_\(name)_memo"] = .text(note)
            members["open_\(name)_value"] =
                open.map { .object(SourceShapes.valueMembers(of: $0.entry, note)) } ?? .null
            if name == "diaper" { members["open_diaper_type"] = .text(open?.kind.type) }
        }
        return members
    }
}

extension BabyCare.Entry {
    /// Volume in millilitres, rounded half up; 0 without a volume.
    fileprivate var roundedMl: Int64 { Tenths.rounded(max(0, value.amountUl ?? 0), 1_000) }

    /// Recorded duration, or else the time from start to end, in minutes rounded half up; `nil` if
    /// the entry has neither a duration nor an end.
    fileprivate var roundedMin: Int64? {
        let lengthUs =
            value.durationS.map { $0 * 1_000_000 }
            ?? ended.map { max(0, $0.microseconds(since: started)) }
        return lengthUs.map { Tenths.rounded($0, 60_000_000) }
    }
}
