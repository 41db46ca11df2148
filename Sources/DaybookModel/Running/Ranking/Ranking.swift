package import Daybook

extension Running {
    /// The fold of the events that rankings are computed from: completed runs, their later changes,
    /// and closed weeks.
    package enum Ranking: Projection {
        package enum Event: DecidedEvents {
            case runCompleted(RunCompleted), runDiscarded(RunDiscarded), runCancelled(RunCancelled)
            case runRestored(RunRestored), runCropped(RunCropped)
            case rankingWeekClosed(RankingWeekClosed)

            package static let kinds = [
                StoredKind(runCompleted), StoredKind(runDiscarded), StoredKind(runCancelled),
                StoredKind(runRestored), StoredKind(runCropped), StoredKind(rankingWeekClosed),
            ]
        }

        package typealias State = Standings

        package static func evolve(
            _ standings: inout Standings, with event: Event, _ envelope: Envelope
        ) { standings.apply(event, envelope) }
    }

    /// The fold of the events that made a week's ranking final, of which each zone's last counts.
    enum ClosedRankings: Projection {
        enum Event: EventSet {
            case rankingWeekClosed(RankingWeekClosed)
            static let kinds = [StoredKind(rankingWeekClosed)]
        }

        struct State: PlainRecord {
            /// Newest event that made the week's ranking final, by IANA name of the time zone.
            var closingsByZone: [String: Closing] = [:]
            /// Number of events that made the week's ranking final, in all time zones together.
            var closingCount: Int64 = 0
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("zones", &closingsByZone, "closings", &closingCount)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .rankingWeekClosed(let closed) = event else { return }
            state.closingsByZone[closed.zone] = Closing(closed, envelope)
            state.closingCount &+= 1
        }
    }

    /// Default time zone of rankings, and of runners without a time zone.
    package static let rankingZone = "Asia/Seoul"
}
