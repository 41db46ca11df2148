import Daybook
import DaybookLog
import Synchronization

/// A share of the entities of a walk, of which one thread at a time folds a stretch of positions.
final class WalkShare<Results: Sendable>: Sendable {
    private struct State {
        /// The events of the entities, with the caches of earlier stretches.
        let events: WalkEvents
        var results: Results
        var failure: LogError?
    }

    private let reader: EntityReader
    private let state: Mutex<State>

    /// - Parameter chosen: the newest ids of the entities to fold; `nil` for all of the share.
    init(
        along walk: EntityWalk, _ reader: EntityReader, _ share: EntityShare,
        only chosen: Set<String>? = nil, _ results: Results
    ) {
        self.reader = reader
        state = Mutex(
            State(
                events: WalkEvents(
                    along: walk, reader.catalogue, validThrough: reader.validThrough, share,
                    only: chosen), results: results))
    }

    /// Calls `body` for the events after one position up to another, until one cannot be folded.
    func fold(
        after: Position, through end: Position,
        _ body: @Sendable (inout Results, borrowing EventView, String) throws(FoldError) -> Void
    ) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(LogError) {
                try reader.fold(state.events, after: after, through: end) {
                    (event, key) throws(FoldError) in try body(&state.results, event, key)
                }
            } catch { state.failure = error }
        }
    }

    func withResults<Value: Sendable>(_ body: (inout Results) -> Value) -> Value {
        state.withLock { body(&$0.results) }
    }

    /// Returns the error at the lowest position of several shares; `nil` if all events were folded.
    static func failure(of shares: [WalkShare]) -> LogError? {
        LogError.earliest(shares.compactMap { $0.state.withLock { $0.failure } })
    }
}

extension EntityReader {
    /// Returns the end of the stretch after a position, which all threads fold before their results
    /// are merged.
    func endOfStretch(after position: Position) -> Position {
        Position(min(position.rawValue + 65_536, through.rawValue))
    }
}

extension LogError {
    /// Returns the error at the lowest position; `nil` without errors.
    static func earliest(_ errors: [LogError]) -> LogError? {
        errors.min { ($0.position ?? .origin) < ($1.position ?? .origin) }
    }
}
