public import CivilTime
public import EventSourcing

extension Running {
    /// Rankings, and closing them.
    public enum Ranking: Decider {
        public enum Event: DecidedEvents {
            case runCompleted(RunCompleted)
            case runDiscarded(RunDiscarded)
            case runCancelled(RunCancelled)
            case runRestored(RunRestored)
            case rankingWeekClosed(RankingWeekClosed)

            public static let kinds: [StoredKind<Event>] = [
                StoredKind(Event.runCompleted),
                StoredKind(Event.runDiscarded),
                StoredKind(Event.runCancelled),
                StoredKind(Event.runRestored),
                StoredKind(Event.rankingWeekClosed),
            ]

            public var payload: any EventPayload {
                switch self {
                case .runCompleted(let payload): payload
                case .runDiscarded(let payload): payload
                case .runCancelled(let payload): payload
                case .runRestored(let payload): payload
                case .rankingWeekClosed(let payload): payload
                }
            }
        }

        public typealias State = Standings

        public enum Command: Sendable {
            case closeWeek(CloseWeek)
        }

        public enum Refusal: RefusalReason {
            case unreadableWeek(String)
            case notAWeek(String)
            case weekNotOver(String, endUs: Int64)
            case alreadyClosed(String, zone: String, at: Int64)

            public var code: String {
                switch self {
                case .unreadableWeek: "unreadableWeek"
                case .notAWeek: "notAWeek"
                case .weekNotOver: "weekNotOver"
                case .alreadyClosed: "alreadyClosed"
                }
            }

            public var message: String {
                switch self {
                case .unreadableWeek(let text):
                    "expected a week like 2026-W08, found '\(text)'"
                case .notAWeek(let week):
                    "startUs and endUs are not the Mondays around \(week) in any zone"
                case .weekNotOver(let week, let endUs):
                    "\(week) goes on until \(Timestamp.text(Instant(microseconds: endUs)))"
                case .alreadyClosed(let week, let zone, let position):
                    "\(week) was closed in \(zone) at position \(position)"
                }
            }
        }

        public static func query(for command: Command) -> Query {
            guard case .closeWeek(let body) = command else { return .all }
            return query(body.week, from: body.startUs, to: body.endUs)
        }

        public static func decide(
            _ command: Command, in state: Standings, now: Instant
        ) throws(Refusal) -> [Event] {
            guard case .closeWeek(let body) = command else { return [] }
            guard let monday = CivilDate.week(text: body.week) else {
                throw .unreadableWeek(body.week)
            }
            // Clocks are at most 15 hours from UTC, and a week with a change of clocks is longer
            // or shorter by at most a day.
            let (dayUs, utcUs) = (Int64(86_400_000_000), Int64(monday.daysSince1970))
            let startDay = utcUs * dayUs - dayUs...utcUs * dayUs + dayUs
            guard startDay.contains(body.startUs), Instant.possibleUs.contains(body.endUs),
                (6 * dayUs...8 * dayUs).contains(body.endUs - body.startUs)
            else { throw .notAWeek(body.week) }
            guard now.microseconds >= body.endUs else {
                throw .weekNotOver(body.week, endUs: body.endUs)
            }
            if let closing = state.closing(of: body.week, body.zone), body.again != true {
                throw .alreadyClosed(body.week, zone: body.zone, at: closing.position)
            }
            let board = Scoreboard(state, from: body.startUs, to: body.endUs)
            return [
                .rankingWeekClosed(
                    RankingWeekClosed(
                        week: body.week, zone: body.zone, tzdata: body.tzdata,
                        startUs: body.startUs, endUs: body.endUs, position: state.position,
                        rows: board.rows()))
            ]
        }

        public static func evolve(
            _ state: inout Standings, with event: Event, _ envelope: Envelope
        ) {
            state.take(event, envelope)
        }
    }

    /// The closings of a week, by zone; the last one of a zone holds.
    public enum ClosedRankings: Projection {
        public enum Event: EventSet {
            case rankingWeekClosed(RankingWeekClosed)

            public static let kinds = [StoredKind(Event.rankingWeekClosed)]
        }

        public struct State: Record {
            public var zones: [String: Closing] = [:]
            /// How often it was closed, over all zones.
            public var closings: Int64 = 0

            public static var blank: Self { Self() }

            public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("zones", &zones)
                try field("closings", &closings)
            }
        }

        public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            guard case .rankingWeekClosed(let closed) = event else { return }
            var closing = Closing()
            closing.position = Int64(envelope.position.rawValue)
            closing.recordedUs = envelope.recordedAt.microseconds
            closing.closed = closed
            state.zones[closed.zone] = closing
            state.closings &+= 1
        }
    }
}
