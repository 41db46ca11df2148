public import CivilTime
public import EventSourcing

extension Running {
    /// Whose home, and when.
    struct HomeArguments: Record {
        var user = ""
        var nowUs: Int64?
        var zone: String?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("user", &user)
            try field("nowUs", &nowUs)
            try field("zone", &zone)
        }
    }

    static let homeReport = ReportDescription(
        "home", "What the app's home shows a runner", Home.self
    ) { (arguments: HomeArguments, events, context) throws(ReportError) in
        var state = RunnerState()
        let reader = KindReader<Event>()
        for event in events where event.tags.contains(userTag(arguments.user)) {
            do throws(FoldError) {
                guard let known = try reader.read(event) else { continue }
                state.take(known)
            } catch {
                throw .fold(error)
            }
        }
        guard let zones = context.zones else {
            throw .unanswerable("no tz database is at hand")
        }
        do throws(UnknownZone) {
            return Home(
                of: arguments.user, state, zone: try zones.zone(arguments.zone ?? state.homeZone),
                tzdata: zones.version,
                now: arguments.nowUs.map { Instant(microseconds: $0) } ?? context.knownAt, context)
        } catch {
            throw .zone(error)
        }
    }
}

extension Running.RunnerState {
    /// The zone of a runner who has told none is the ranking's.
    public var homeZone: String { zone ?? Running.rankingZone }
}

extension Running.Home {
    /// - Parameter state: everything known of the runner.
    public init(
        of userId: String, _ state: Running.RunnerState, zone: Zone, tzdata: String, now: Instant,
        _ context: ReportContext
    ) {
        self.init()
        self.userId = userId
        self.zone = zone.name
        self.tzdata = tzdata
        rules = Rules(context.rules)
        position = Int64(context.position.rawValue)
        knownUs = context.knownAt.microseconds
        nowUs = now.microseconds
        history = state.runs.values.filter { $0.state == .completed }.sorted { a, b in
            guard a.startedUs == b.startedUs else {
                return (a.startedUs ?? .min) > (b.startedUs ?? .min)
            }
            return a.runId.utf8.lexicographicallyPrecedes(b.runId.utf8)
        }
        recent = Array(history.prefix(3))
        displayName = state.isNamed ? nil : Running.defaultName
        isEmpty = history.isEmpty
        if isEmpty {
            emptyTitle = "런닝 기록이 없습니다"
            emptySubtitle = "첫 런닝을 시작해보세요!"
        }
        weekly = Running.WeeklyStats(
            of: history, Running.RankingWeek(zone.day(at: now), in: zone))
        totalRuns = state.totalRuns
        totalDistanceMm = state.totalDistanceMm
        totalDistanceKm = Running.kilometres(state.totalDistanceMm)
    }
}

extension Running.WeeklyStats {
    init(of runs: [Running.RunSummary], _ week: Running.RankingWeek) {
        self.init()
        self.week = week.name
        startUs = week.startUs
        endUs = week.endUs
        for run in runs {
            guard let startedUs = run.startedUs, week.contains(startedUs) else { continue }
            self.runs &+= 1
            distanceMm &+= run.distanceMm
            activeMs &+= run.activeMs
            kcal &+= run.kcal
        }
        distanceKm = Running.kilometres(distanceMm)
    }
}

extension Running {
    /// What S1 calls somebody who has told no name.
    public static let defaultName = "러너"

    /// Kilometres with one decimal, rounded half away from zero.
    public static func kilometres(_ distanceMm: Int64) -> Tenths {
        let tenth: Int64 = 100_000
        let half = distanceMm < 0 ? -(tenth / 2) : tenth / 2
        return Tenths(tenths: distanceMm / tenth + (distanceMm % tenth + half) / tenth)
    }
}
