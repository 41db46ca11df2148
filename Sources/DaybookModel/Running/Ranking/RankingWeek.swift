public import Daybook

extension Running {
    /// A week of a ranking: from a Monday 00:00 of a zone to the next.
    public struct RankingWeek: Hashable, Sendable {
        /// ISO 8601: `2026-W08`.
        public let name: String
        public let start: Instant
        public let end: Instant
        private let monday: CivilDate

        /// The week of a day.
        public init(_ day: CivilDate, in zone: Zone) {
            monday = day.startOfWeek(startingOn: .monday)
            name = monday.isoWeekText
            start = zone.start(of: monday)
            end = zone.start(of: monday.adding(days: 7))
        }

        /// The week before.
        public func previous(in zone: Zone) -> RankingWeek {
            RankingWeek(monday.adding(days: -7), in: zone)
        }

        public func contains(_ started: Instant) -> Bool {
            start <= started && started < end
        }
    }
}

extension Running.Ranking {
    /// The runs that start in some weeks, and their later events.
    public static func runs(of weeks: [Running.RankingWeek]) -> Query {
        query(over: weeks.map { ($0.start, $0.end) })
    }

    /// The closings of some weeks, in any zone.
    public static func closings(of weeks: [String]) -> Query {
        let items = weeks.map {
            Query.Item(
                kinds: [Running.RankingWeekClosed.kind], tags: [Running.rankingTag($0)])
        }
        return Query(items: items) ?? Query(Query.Item(kinds: [Running.RankingWeekClosed.kind]))
    }

    /// The runs and closings of a week, which closing it depends on.
    static func query(of week: String, from start: Instant, to end: Instant) -> Query {
        let items =
            (query(over: [(start, end)]).items ?? [])
            + (closings(of: [week]).items ?? [])
        return Query(items: items) ?? .all
    }

    private static func query(over stretches: [(start: Instant, end: Instant)]) -> Query {
        let tags = stretches.flatMap {
            Running.weekTags($0.start)
                + Running.weekTags(
                    $0.start < $0.end ? $0.end.advanced(byMicroseconds: -1) : $0.start)
        }
        let runs = Set(tags).sorted().map {
            Query.Item(kinds: [Running.RunCompleted.kind], tags: [$0])
        }
        return Query(items: runs + [Query.Item(kinds: revisionKinds)])
            ?? Query(Query.Item(kinds: revisionKinds.union([Running.RunCompleted.kind])))
    }

    /// The kinds that decide if a completed run counts, and how much of it.
    ///
    /// They are read whatever their week: a fact may lack the start of its run, and so its week.
    private static let revisionKinds: Set<EventKind> = [
        Running.RunDiscarded.kind, Running.RunCancelled.kind, Running.RunRestored.kind,
        Running.RunCropped.kind,
    ]
}
