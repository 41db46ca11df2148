public import CivilTime
public import EventSourcing

extension Running {
    /// A week of a ranking: from a Monday 00:00 of a zone to the next.
    public struct RankingWeek: Hashable, Sendable {
        /// ISO 8601: `2026-W08`.
        public let name: String
        public let startUs: Int64
        public let endUs: Int64
        private let monday: CivilDate

        /// The week of a day.
        public init(_ day: CivilDate, in zone: Zone) {
            monday = day.startOfWeek(startingOn: .monday)
            name = monday.isoWeekText
            startUs = zone.start(of: monday).microseconds
            endUs = zone.start(of: monday.adding(days: 7)).microseconds
        }

        /// The week before.
        public func previous(in zone: Zone) -> RankingWeek {
            RankingWeek(monday.adding(days: -7), in: zone)
        }

        public func contains(_ startedUs: Int64) -> Bool {
            startUs <= startedUs && startedUs < endUs
        }
    }
}

extension Running.Ranking {
    /// The runs that start in some weeks, and their later events.
    public static func runs(of weeks: [Running.RankingWeek]) -> Query {
        query(over: weeks.map { ($0.startUs, $0.endUs) })
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
    static func query(of week: String, from startUs: Int64, to endUs: Int64) -> Query {
        let items =
            (query(over: [(startUs, endUs)]).items ?? [])
            + (closings(of: [week]).items ?? [])
        return Query(items: items) ?? .all
    }

    private static func query(over stretches: [(startUs: Int64, endUs: Int64)]) -> Query {
        let tags = stretches.flatMap {
            Running.weekTags($0.startUs)
                + Running.weekTags($0.startUs < $0.endUs ? $0.endUs - 1 : $0.startUs)
        }
        let items = Set(tags).sorted().map { Query.Item(kinds: scoreKinds, tags: [$0]) }
        return Query(items: items) ?? Query(Query.Item(kinds: scoreKinds))
    }

    /// The kinds that decide how much a run counts.
    static let scoreKinds: Set<EventKind> = [
        Running.RunCompleted.kind, Running.RunDiscarded.kind, Running.RunCancelled.kind,
        Running.RunRestored.kind,
    ]
}
