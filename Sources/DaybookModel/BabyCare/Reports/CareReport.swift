package import Daybook

/// A report on one baby, whose days follow the baby's time zone or a given one.
package protocol CareReport: Report where Model == BabyCare {
    /// Present or former id of the baby.
    var baby: String { get }
    /// Name of the time zone that determines the days; `nil` means the baby's own zone.
    var zone: String? { get }

    /// Returns the period whose entries the report reads; `nil` for all entries.
    func window(_ reporter: BabyCare.Reporter, knowing state: BabyCare.State) -> BabyCare.Window?

    /// Returns additional queries; the report reads only the newest event that matches each query.
    func newestEventQueries(_ profile: Household.Profile) -> [Query]

    /// Returns the last day that the answer covers; `nil` if the answer covers no particular days,
    /// or if an argument is invalid.
    func lastDay(_ reporter: BabyCare.Reporter, _ context: ReportContext) -> CivilDate?

    /// Computes the answer from the entries of `reporter`; throws if an argument is invalid.
    func answer(
        by reporter: BabyCare.Reporter, _ context: ReportContext
    ) throws(ReportError) -> Answer
}

extension CareReport {
    /// Names of the fields that only describe the computation, such as its position in the log.
    package static var basisFields: Set<String> { BabyCare.basisFields }
    /// Entity that the report is about: the baby, whose profile is read first.
    package static var subject: ReportSubject? {
        ReportSubject("baby", noun: "profile", kinds: Household.profileKinds)
    }

    package func window(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> BabyCare.Window? { nil }

    /// Returns the period whose entries the report reads; `nil` if the report reads all entries, or
    /// if the time zone is unknown.
    package func stretch(_ state: BabyCare.State, _ context: ReportContext) -> TimeStretch? {
        var empty = BabyCare.State()
        empty.profile = state.profile
        do throws(ReportError) {
            return extendedWindow(try reporter(empty, context), knowing: state)
                .map { TimeStretch($0.start, $0.end) }
        } catch {
            return nil
        }
    }

    /// Returns the time from start to end that an entry event states; `nil` if it states none.
    package static func times(of event: BabyCare.Event) -> TimeStretch? {
        switch event {
        case .entryOpened(let event): TimeStretch(event.started, event.started)
        case .entryClosed(let event): TimeStretch(event.started, event.ended)
        case .entryRecorded(let event): TimeStretch(event.started, event.ended ?? event.started)
        case .entryEdited(let event):
            event.started.map { TimeStretch($0, max($0, event.ended ?? $0)) }
        case .endEstimated(let event): TimeStretch(event.started, event.ended)
        case .entriesMerged(let event): TimeStretch(event.started, event.ended ?? event.started)
        default: nil
        }
    }

    package func isCurrent(_ state: BabyCare.State) -> Bool { state.profile.babyId == baby }

    package func lastDay(
        _ reporter: BabyCare.Reporter, _ context: ReportContext
    ) -> CivilDate? { nil }

    /// Returns remarks on the answer: that a day is before the birth, or entries are left out.
    package func remarks(_ state: BabyCare.State, _ context: ReportContext) -> [String] {
        var remarks: [String] = []
        var empty = BabyCare.State()
        empty.profile = state.profile
        do throws(ReportError) {
            let reporter = try reporter(empty, context)
            if let day = lastDay(reporter, context), reporter.isBeforeBirth(day) {
                remarks.append(reporter.beforeBirthRemark(day))
            }
        } catch {
            // Computing the answer fails with the same error, which explains the reason.
            return []
        }
        let leftOut = state.entries.values.count { $0.isKnown && !$0.isReportable }
        guard leftOut > 0 else { return remarks }
        return remarks + [
            "\(leftOut) entries of the baby '\(state.profile.babyId)' are left out: they have impossible "
                + "times or amounts (audit rules B2 and B14)"
        ]
    }

    /// State without entries that names the baby; the report's events are applied to it.
    package var initialState: BabyCare.State {
        var state = BabyCare.State()
        state.profile.babyId = baby
        return state
    }

    package func newestEventQueries(_ profile: Household.Profile) -> [Query] { [] }

    /// Returns the report's window, starting earlier to include entries that may last into it.
    private func extendedWindow(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> BabyCare.Window? {
        window(reporter, knowing: state).map { window in
            let longest = BabyCare.Estimate.longestUs
            return BabyCare.Window(
                start: window.start.advanced(byMicroseconds: -longest), end: window.end)
        }
    }

    package func query(knowing state: BabyCare.State, _ context: ReportContext) -> ReportQuery {
        Self.query(of: [self], knowing: state, context)
    }

    /// Returns a query for the baby's profile and, once its time zone is known, for its entries.
    package static func query(
        of reports: [Self], knowing state: BabyCare.State, _ context: ReportContext
    ) -> ReportQuery {
        let first = reports[0]
        let ids = state.profile.ids
        let profile = ReportQuery(
            .any(
                of: Household.profileKinds,
                (ids.contains(first.baby) ? ids : ids + [first.baby]).map(Household.profileTag)),
            bookkeeping: Household.bookkeeping(of: first.baby))
        var empty = BabyCare.State()
        empty.profile = state.profile
        do throws(ReportError) {
            let reporter = try first.reporter(empty, context)
            return .union(of: [profile] + reports.map { $0.entryQuery(reporter, knowing: state) })
        } catch {
            return profile
        }
    }

    private func entryQuery(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> ReportQuery {
        guard let window = extendedWindow(reporter, knowing: state) else {
            return ReportQuery(
                BabyCare.query(state.profile),
                entities: ReportQuery.Entities(
                    "entry", kinds: BabyCare.entryHistoryKinds,
                    onlyWith: [Household.IdReplaced.kind]))
        }
        return ReportQuery(
            BabyCare.query(state.profile, from: window.start, to: window.end),
            newest: newestEventQueries(state.profile),
            entities: ReportQuery.Entities("entry", kinds: BabyCare.entryHistoryKinds))
    }

    package func answer(
        _ state: BabyCare.State, _ context: ReportContext
    ) throws(ReportError) -> Answer { try answer(by: try reporter(state, context), context) }

    /// Computes several reports on one baby from the same list of entries.
    package static func answers(
        of reports: [Self], _ state: BabyCare.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>] {
        let reporter: BabyCare.Reporter
        do throws(ReportError) {
            reporter = try reports[0].reporter(state, context)
        } catch {
            return reports.map { _ in .failure(error) }
        }
        return reports.map { report in
            do throws(ReportError) {
                return .success(try report.answer(by: reporter, context))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Returns a reporter that computes the baby's figures; throws an error if the baby or its time
    /// zone is unknown.
    package func reporter(
        _ state: BabyCare.State, _ context: ReportContext
    ) throws(ReportError) -> BabyCare.Reporter {
        guard state.profile.isKnown else {
            throw .unanswerable("nothing is known of a baby '\(baby)'")
        }
        guard let name = zone ?? state.profile.zone else {
            throw .invalid(
                argument: "zone",
                "the profile of the baby '\(baby)' has no time zone; name one, like Asia/Seoul")
        }
        let zone = try context.zone(name)
        return BabyCare.Reporter(
            state, zone: zone, tzdata: context.tzdata, zoneDigest: context.digest(of: zone),
            rules: BabyCare.Rules(context.rules), position: context.position,
            knownAt: context.knownAt, validAt: context.validAt)
    }
}

/// An answer that can be published, so that an audit can recompute it later.
package protocol PublishedCareAnswer: Record {
    /// Kind of the reported period: a day, week or month.
    var kind: BabyCare.ReportKind { get }
    /// Reported day, ISO week or month, such as `2020-03-08`, `2020-W10` or `2020-03`.
    var period: String { get }
    /// Inputs from which the report was computed, such as the time zone and the rule set.
    var basis: BabyCare.Basis { get }
}

extension CareReport where Self: PublishedReport, Answer: PublishedCareAnswer {
    /// Names of the fields to ignore when comparing reports: the time of computing, and ids.
    package static var incidentalFields: Set<String> { BabyCare.incidentalFields }
    package static func zone(of answer: Answer) -> String { answer.basis.zone }

    /// Returns the event that records the publication of an answer.
    package func note(
        of answer: Answer, _ copy: PublishedCopy, _ context: ReportContext
    ) -> BabyCare.ReportIssued {
        BabyCare.ReportIssued(
            babyId: answer.basis.babyId, kind: answer.kind, period: answer.period,
            zone: answer.basis.zone, tzdata: answer.basis.tzdata,
            rules: BabyCare.Rules(context.rules), position: Int64(clamping: copy.position.rawValue),
            digest: copy.digest, by: copy.by, zoneDigest: answer.basis.zoneDigest)
    }
}

extension BabyCare {
    /// Reports on babies, in the order in which lists show them.
    package static let reports = [
        ReportDescription(DailyReport.self), ReportDescription(WeeklyReport.self),
        ReportDescription(MonthlyReport.self), ReportDescription(NextFeedingReport.self),
        ReportDescription(TodayReport.self), ReportDescription(LastReport.self),
        ReportDescription(LandingReport.self), ReportDescription(RecommendationReport.self),
    ]

    /// Names of the fields to ignore when comparing reports. They state the time of computing, or
    /// hold ids, which a server may replace.
    static let incidentalFields: Set<String> = [
        "position", "knownAtUs", "babyId", "entries[].entryId", "sleep.open[].entryId",
        "medication[].entryId", "visits[].entryId", "symptoms[].entryId",
    ]

    /// Names of the fields that state only how a report was computed: position, time and rules.
    static let basisFields: Set<String> = [
        "position", "knownAtUs", "rule", "nowUs", "latest.nowUs",
    ]
}
