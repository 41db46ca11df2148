public import Daybook

/// A report on one baby, in the baby's zone or a given zone.
public protocol CareReport: Report where Model == BabyCare {
    /// Current or earlier id of the baby.
    var baby: String { get }
    /// Name of the zone whose civil days are used; `nil` means the baby's own zone.
    var zone: String? { get }

    /// Returns the stretch of time whose entries the report reads; `nil` for all entries.
    ///
    /// - Parameters:
    ///   - reporter: a reporter with the profile and without entries.
    ///   - state: the entries known so far.
    func window(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> BabyCare.Window?

    /// Returns queries of which the report reads only the newest event and the entry of that event.
    func newest(_ profile: Household.Profile) -> [Query]

    /// Returns the last day that the answer covers; `nil` without days or without an answer.
    func lastDay(_ reporter: BabyCare.Reporter, _ context: ReportContext) -> CivilDate?

    func answer(
        by reporter: BabyCare.Reporter, _ context: ReportContext
    ) throws(ReportError) -> Answer
}

extension CareReport {
    public static var basisFields: Set<String> { BabyCare.basisFields }
    public static var subject: ReportSubject? {
        ReportSubject("baby", noun: "profile", kinds: Household.profileKinds)
    }

    public func window(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> BabyCare.Window? { nil }

    public func stretch(_ state: BabyCare.State, _ context: ReportContext) -> TimeStretch? {
        var empty = BabyCare.State()
        empty.profile = state.profile
        do throws(ReportError) {
            return reach(try reporter(empty, context), knowing: state)
                .map { TimeStretch($0.start, $0.end) }
        } catch {
            return nil
        }
    }

    public static func times(of event: BabyCare.Event) -> TimeStretch? {
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

    public func isCurrent(_ state: BabyCare.State) -> Bool { state.profile.babyId == baby }

    public func lastDay(
        _ reporter: BabyCare.Reporter, _ context: ReportContext
    ) -> CivilDate? { nil }

    public func remarks(_ state: BabyCare.State, _ context: ReportContext) -> [String] {
        var remarks: [String] = []
        var empty = BabyCare.State()
        empty.profile = state.profile
        do throws(ReportError) {
            let reporter = try reporter(empty, context)
            if let day = lastDay(reporter, context), reporter.isBeforeBirth(day) {
                remarks.append(reporter.beforeBirth(day))
            }
        } catch {
            // Computing the answer fails with the same error, which explains the reason.
            return []
        }
        let leftOut = state.entries.values.count { $0.isKnown && !$0.isReportable }
        guard leftOut > 0 else { return remarks }
        return remarks + [
            "\(leftOut) entries of '\(state.profile.babyId)' are left out because of impossible "
                + "times or amounts (audit rule B14)"
        ]
    }

    public var initialState: BabyCare.State {
        var state = BabyCare.State()
        state.profile.babyId = baby
        return state
    }

    public func newest(_ profile: Household.Profile) -> [Query] { [] }

    /// Returns the window, extended back to the earliest possible start of an entry open in it.
    private func reach(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> BabyCare.Window? {
        window(reporter, knowing: state).map { window in
            let longest = BabyCare.Estimate.longestUs
            return BabyCare.Window(
                start: window.start.advanced(byMicroseconds: -longest), end: window.end)
        }
    }

    public func query(knowing state: BabyCare.State, _ context: ReportContext) -> ReportQuery {
        Self.query(of: [self], knowing: state, context)
    }

    /// Returns a query for the profile, by any id of the baby, and the entries once a zone is
    /// known.
    public static func query(
        of reports: [Self], knowing state: BabyCare.State, _ context: ReportContext
    ) -> ReportQuery {
        let first = reports[0]
        let ids = state.profile.ids
        let profile = ReportQuery(
            .any(
                of: Household.profileKinds,
                (ids.contains(first.baby) ? ids : ids + [first.baby]).map(Household.profileTag)),
            bookkeeping: Household.bookkeeping)
        var empty = BabyCare.State()
        empty.profile = state.profile
        do throws(ReportError) {
            let reporter = try first.reporter(empty, context)
            return .union(of: [profile] + reports.map { $0.entries(reporter, knowing: state) })
        } catch {
            return profile
        }
    }

    private func entries(
        _ reporter: BabyCare.Reporter, knowing state: BabyCare.State
    ) -> ReportQuery {
        guard let window = reach(reporter, knowing: state) else {
            return ReportQuery(
                BabyCare.query(state.profile),
                entities: ReportQuery.Entities(
                    "entry", kinds: BabyCare.entryHistoryKinds,
                    onlyWith: [Household.IdReplaced.kind]))
        }
        return ReportQuery(
            BabyCare.query(state.profile, from: window.start, to: window.end),
            newest: newest(state.profile),
            entities: ReportQuery.Entities("entry", kinds: BabyCare.entryHistoryKinds))
    }

    public func answer(
        _ state: BabyCare.State, _ context: ReportContext
    ) throws(ReportError) -> Answer {
        try answer(by: try reporter(state, context), context)
    }

    public static func answers(
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

    /// Returns a reporter on the baby; throws if the baby or its zone is unknown.
    public func reporter(
        _ state: BabyCare.State, _ context: ReportContext
    ) throws(ReportError) -> BabyCare.Reporter {
        guard state.profile.isKnown else {
            throw .unanswerable("nothing is known of a baby '\(baby)'")
        }
        guard let name = zone ?? state.profile.zone else {
            throw .invalid(
                argument: "zone", "no zone is known for the baby; name one, like Asia/Seoul")
        }
        return BabyCare.Reporter(
            state, zone: try context.zone(name), tzdata: context.tzdata,
            rules: BabyCare.Rules(context.rules), position: context.position,
            knownAt: context.knownAt,
            validAt: context.validAt)
    }
}

/// An answer of a report that can be published.
public protocol PublishedCareAnswer: Record {
    var kind: BabyCare.ReportKind { get }
    var period: String { get }
    var basis: BabyCare.Basis { get }
}

extension CareReport where Self: PublishedReport, Answer: PublishedCareAnswer {
    public static var momentFields: Set<String> { BabyCare.momentFields }
    public static func zone(of answer: Answer) -> String { answer.basis.zone }

    public func note(
        of answer: Answer, _ copy: PublishedCopy, _ context: ReportContext
    ) -> BabyCare.ReportIssued {
        BabyCare.ReportIssued(
            babyId: answer.basis.babyId, kind: answer.kind, period: answer.period,
            zone: answer.basis.zone, tzdata: answer.basis.tzdata,
            rules: BabyCare.Rules(context.rules),
            position: Int64(clamping: copy.position.rawValue), digest: copy.digest, by: copy.by)
    }
}

extension BabyCare {
    public static let reports = [
        ReportDescription(DailyReport.self), ReportDescription(WeeklyReport.self),
        ReportDescription(MonthlyReport.self), ReportDescription(NextFeedingReport.self),
        ReportDescription(TodayReport.self), ReportDescription(LastReport.self),
        ReportDescription(LandingReport.self), ReportDescription(RecommendationReport.self),
    ]

    /// Fields to ignore when comparing reports: the moment of computing, and ids.
    ///
    /// A server may replace ids.
    static let momentFields: Set<String> = [
        "position", "knownAtUs", "babyId", "entries[].entryId", "sleep.open[].entryId",
        "medication[].entryId", "visits[].entryId", "symptoms[].entryId",
    ]

    /// Fields that only state the position, the moment and the rules of the computation.
    static let basisFields: Set<String> = [
        "position", "knownAtUs", "rule", "nowUs", "latest.nowUs",
    ]
}
