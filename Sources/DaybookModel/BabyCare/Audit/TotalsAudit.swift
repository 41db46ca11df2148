import Daybook

// Rules R1 and R2: sums of reports, compared with the sums of their parts.
extension BabyCare.CareAudit {
    /// Returns the checks of rules R1 and R2 for a baby; they may run at the same time. Returns no
    /// checks without a tz database. If the baby's time zone is unknown, it returns none either,
    /// and adds a note to `notes`.
    func totalChecks(
        of babyId: String, _ profile: Household.Profile, _ entries: [BabyCare.FinalEntry],
        _ notes: inout [String]
    ) -> [@Sendable () -> [Finding]] {
        guard let zones = context.zones else { return [] }
        guard let name = context.zone ?? profile.zone else {
            notes.append(
                "rules R1 and R2 are not checked for baby \(babyId): its time zone is unknown")
            return []
        }
        let zone: Zone
        do throws(UnknownZone) {
            zone = try zones.zone(name)
        } catch {
            notes.append("rules R1 and R2 are not checked for baby \(babyId): \(error)")
            return []
        }
        let entries = entries.filter { $0.entry.isCounted && $0.entry.isReportable }
        let rules = BabyCare.Rules(context.rules)
        let sums = BabyCare.TotalsAudit(
            profile: profile.settings(under: rules), zone: zone, tzdata: zones.version,
            rules: rules)
        return [{ sums.checkParts(entries) }] + sums.weekChecks(babyId, entries)
    }
}

extension BabyCare {
    /// The check that the totals in reports on one baby equal the sums of their parts.
    struct TotalsAudit: Sendable {
        let profile: Household.Profile
        let zone: Zone
        /// Release of the tz database that `zone` comes from.
        let tzdata: String
        let rules: Rules

        /// Greatest number of weeks that one check of rule R2 covers.
        private static let weeksPerCheck = 16

        /// Start of the baby's day in minutes after midnight.
        private var dayStartMin: Int { Int(profile.dayStartMin) }

        /// Returns a reporter that computes the figures of these entries.
        private func reporter(_ entries: [SharedEntry]) -> Reporter {
            Reporter(
                profile, entries, zone: zone, tzdata: tzdata, rules: rules, position: .origin,
                knownAt: Instant(microseconds: 0), validAt: nil)
        }

        /// Returns the days that an entry touches; each begins at the start of the baby's day.
        private func days(_ entry: SharedEntry) -> ClosedRange<CivilDate> {
            let day = { (time: Instant) in zone.day(at: time, startMin: dayStartMin) }
            let first = day(entry.started)
            guard let ended = entry.ended, ended > entry.started else { return first...first }
            return first...max(first, day(ended))
        }

        /// Checks rule R1: the parts of a sleep on each of its days must add up to its length.
        func checkParts(_ entries: [FinalEntry]) -> [Finding] {
            let reporter = reporter([])
            return entries.compactMap { checkParts($0, reporter) }
        }

        /// Returns an R1 finding if a sleep's parts by day do not add up to its length; else `nil`.
        private func checkParts(_ shown: FinalEntry, _ reporter: Reporter) -> Finding? {
            guard shown.entry.kind == .sleep, let end = shown.entry.ended else { return nil }
            let days = days(shown.entry)
            var parts: [Int64] = []
            var date = days.lowerBound
            while date <= days.upperBound {
                let part = reporter.window(of: date).overlap(shown.entry.started, end)
                parts.append(Int64(part?.count ?? 0))
                date = date.adding(days: 1)
            }
            let wholeS = Window.wholeSeconds(shown.entry.started, end)
            guard parts.reduce(0, +) != wholeS else { return nil }
            let sum = parts.map { "\($0)" }.joined(separator: " + ")
            return Problem("R1", "\(wholeS) s", "\(sum) = \(parts.reduce(0, +)) s")
                .finding(shown.changePosition, shown.entity)
        }

        /// Returns checks of rule R2; each covers up to `weeksPerCheck` weeks that have entries.
        func weekChecks(_ babyId: String, _ entries: [FinalEntry]) -> [@Sendable () -> [Finding]] {
            // The entries of each week, by the number of days from 1970-01-01 to its first day.
            var weeks: [Int: [FinalEntry]] = [:]
            for shown in entries {
                let days = days(shown.entry)
                let last = days.upperBound.daysSince1970
                var week = days.lowerBound.startOfWeek(startingOn: profile.weekStart).daysSince1970
                while week <= last {
                    weeks[week, default: []].append(shown)
                    week += 7
                }
            }
            let sorted = weeks.sorted { $0.key < $1.key }
            return stride(from: 0, to: sorted.count, by: Self.weeksPerCheck).map { start in
                let part = sorted[start..<min(start + Self.weeksPerCheck, sorted.count)]
                return {
                    part.flatMap { day, entries in
                        checkWeek(CivilDate(daysSince1970: day), of: babyId, entries)
                    }
                }
            }
        }

        /// Returns an R2 finding for each total of a week that differs from the sum over its days.
        private func checkWeek(
            _ first: CivilDate, of babyId: String, _ entries: [FinalEntry]
        ) -> [Finding] {
            // A week is named after its Monday, even if it starts on a Sunday.
            let monday = first.adding(days: 6).startOfWeek(startingOn: .monday)
            let entity = "week:\(babyId)/\(monday.isoWeekText)"
            return checkWeek(first, entries.map(\.entry))
                .map { $0.finding(entries.map(\.changePosition).max() ?? 0, entity) }
        }

        /// Returns an R2 problem for each total of a week that differs from the sum over its days.
        private func checkWeek(_ first: CivilDate, _ entries: [SharedEntry]) -> [Problem] {
            let reporter = reporter(entries)
            let days = (0..<7).map { reporter.totals(reporter.window(of: first.adding(days: $0))) }
            let week = reporter.totals(reporter.window(from: first, before: first.adding(days: 7)))
            return week.enumerated().compactMap { index, whole in
                let sum = days.reduce(0) { $0 + $1[index].value }
                guard sum != whole.value else { return nil }
                return Problem("R2", "\(whole.name) \(whole.value)", "\(sum) by its days")
            }
        }
    }
}

extension BabyCare.Reporter {
    /// Returns name and value of each total of a period that must equal the sum over its days.
    ///
    /// They are parts of the figures of the period, without the others.
    fileprivate func totals(_ window: BabyCare.Window) -> [(name: String, value: Int64)] {
        let (touching, counting, started) = entries(in: window)
        let sleep = sleepFigures(window, counting)
        let breastfeed = started.breastfeedFigures
        let amounts = touching.lazy.filter {
            $0.kind == .formula && $0.isCounted && window.contains($0.started)
        }.compactMap { $0.value.amountUl }
        return [
            ("sleep.sumS", sleep?.sumS ?? 0), ("sleep.unionS", sleep?.unionS ?? 0),
            ("sleep.count", sleep?.count ?? 0),
            ("feed.formula.count", started.formulaFigures?.count ?? 0),
            ("feed.formula.µl", amounts.reduce(0, +)),
            ("feed.breastfeed.count", breastfeed?.count ?? 0),
            ("feed.breastfeed.durationS", breastfeed?.durationS ?? 0),
            ("feed.weaning.count", started.weaningFigures?.count ?? 0),
            ("diaper.pee", started.diaperCount(.pee) ?? 0),
            ("diaper.poo", started.diaperCount(.poo) ?? 0),
            ("medication", Int64(started.entriesOrNil(.medication)?.count ?? 0)),
            ("symptom.count", started.symptomFigures?.count ?? 0),
            ("memoCount", started.memoCount ?? 0),
        ]
    }
}
