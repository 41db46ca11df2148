public import CivilTime
public import EventSourcing

extension Running {
    /// A week that runs are ranked in: from a Monday 00:00 of a zone to the next.
    public struct RankingWeek: Hashable, Sendable {
        /// ISO 8601: `2026-W08`.
        public let name: String
        public let startUs: Int64
        public let endUs: Int64
        private let monday: CivilDate

        /// The week that a day lies in.
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
    /// The events that a week's ranking is made of: its runs, and its closings in any zone.
    public static func query(_ week: String, from startUs: Int64, to endUs: Int64) -> Query {
        let tags = Set(Running.weekTags(startUs) + Running.weekTags(max(startUs, endUs - 1)))
        var items = tags.sorted().map { Query.Item(kinds: scoreKinds, tags: [$0]) }
        items.append(
            Query.Item(
                kinds: [Running.RankingWeekClosed.kind], tags: [Running.rankingTag(week)]))
        return Query(items: items) ?? Query(Query.Item(kinds: scoreKinds))
    }

    /// The kinds that decide whether a run counts, and for how much.
    static let scoreKinds: Set<EventKind> = [
        Running.RunCompleted.kind, Running.RunDiscarded.kind, Running.RunCancelled.kind,
        Running.RunRestored.kind,
    ]
}
