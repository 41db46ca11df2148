public import Daybook

extension Running {
    /// The fold of the events that rankings are computed from: completed runs, their later changes,
    /// and closed weeks.
    public enum Ranking: Projection {
        public enum Event: DecidedEvents {
            case runCompleted(RunCompleted), runDiscarded(RunDiscarded), runCancelled(RunCancelled)
            case runRestored(RunRestored), runCropped(RunCropped)
            case rankingWeekClosed(RankingWeekClosed)

            public static let kinds = [
                StoredKind(runCompleted), StoredKind(runDiscarded), StoredKind(runCancelled),
                StoredKind(runRestored), StoredKind(runCropped), StoredKind(rankingWeekClosed),
            ]
        }

        public typealias State = Standings

        public static func evolve(
            _ standings: inout Standings, with event: Event, _ envelope: Envelope
        ) {
            standings.apply(event, envelope)
        }
    }

    /// The fold of the events that made a week's ranking final, of which each zone's last counts.
    public enum ClosedRankings: Projection {
        public enum Event: EventSet {
            case rankingWeekClosed(RankingWeekClosed)

            public static let kinds = [StoredKind(rankingWeekClosed)]
        }

        /// The events that made the ranking of one week final.
        public struct State: Record {
            /// Newest event that made the week's ranking final, by IANA name of the time zone.
            public var closingsByZone: [String: Closing] = [:]
            /// Number of events that made the week's ranking final, in all time zones together.
            public var closingCount: Int64 = 0

            public static var blank: Self { Self() }
            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("zones", &closingsByZone, "closings", &closingCount)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .rankingWeekClosed(let closed) = event else { return }
            state.closingsByZone[closed.zone] = Closing(closed, envelope)
            state.closingCount &+= 1
        }
    }

    /// Default time zone of rankings, and of runners without a time zone.
    public static let rankingZone = "Asia/Seoul"
}
