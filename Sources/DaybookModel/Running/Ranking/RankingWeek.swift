package import Daybook

extension Running {
    /// The week of a ranking, from Monday 00:00 in a time zone to the next Monday 00:00.
    package struct RankingWeek: Equatable, Sendable {
        /// ISO 8601 week: `2026-W08`.
        package let name: String
        package let start: Instant
        package let end: Instant
        /// First day of the week.
        private let monday: CivilDate

        package init(_ day: CivilDate, in zone: Zone) {
            monday = day.startOfWeek(startingOn: .monday)
            name = monday.isoWeekText
            start = zone.start(of: monday)
            end = zone.start(of: monday.adding(days: 7))
        }

        func previous(in zone: Zone) -> RankingWeek {
            RankingWeek(monday.adding(days: -7), in: zone)
        }

        package func contains(_ started: Instant) -> Bool { start <= started && started < end }
    }
}

extension Running.Ranking {
    /// Returns a query for the runs that start in the weeks, and for later changes of any run.
    package static func runs(of weeks: [Running.RankingWeek]) -> Query {
        query(over: weeks.map { ($0.start, $0.end) })
    }

    /// Returns a query for the events that made the rankings of the weeks final, in any time zone.
    static func closings(of weeks: [String]) -> Query {
        let items = weeks.map {
            Query.Item(kinds: [Running.RankingWeekClosed.kind], tags: [Running.rankingTag($0)])
        }
        return Query(items: items) ?? Query(Query.Item(kinds: [Running.RankingWeekClosed.kind]))
    }

    /// Returns a query for all events from which a week's ranking is made final: the week's runs,
    /// and the events that made its ranking final before.
    static func query(of week: String, from start: Instant, to end: Instant) -> Query {
        let items = (query(over: [(start, end)]).items ?? []) + (closings(of: [week]).items ?? [])
        return Query(items: items) ?? .all
    }

    /// Returns a query for the runs that start in any of the time spans, and for changes of any
    /// run.
    private static func query(over spans: [(start: Instant, end: Instant)]) -> Query {
        let tags = spans.flatMap {
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

    /// Kinds of the events that can change a completed run's figures, remove the run from the
    /// rankings or bring it back. These events are read for all weeks, because a recorded fact may
    /// lack the start of its run and then has no week tag.
    private static let revisionKinds: Set<EventKind> = [
        Running.RunDiscarded.kind, Running.RunCancelled.kind, Running.RunRestored.kind,
        Running.RunCropped.kind,
    ]
}
