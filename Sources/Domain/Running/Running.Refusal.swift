import CivilTime
public import EventSourcing

extension Running {
    public enum Refusal: RefusalReason {
        case runExists(String)
        case runNotFound(String)
        case runActive(String, userId: String)
        case runNotActive(String, RunState)
        case runNotRunning(String, RunState)
        case runNotPaused(String, RunState)
        case runNotCompleted(String, RunState)
        case runNotCancelled(String, RunState)
        case runSaved(String)
        case importedMode
        case timeGoesBack(String, Int64, before: Int64)
        case impossibleTime(Int64)
        case outOfRange(field: String, value: Int64, range: String)
        case emptyTrack
        case tooManyPoints(Int)
        case tooManySegments(Int64)
        case noZone(String)
        case nothingToUpdate

        public var code: String {
            switch self {
            case .runExists: "runExists"
            case .runNotFound: "runNotFound"
            case .runActive: "runActive"
            case .runNotActive: "runNotActive"
            case .runNotRunning: "runNotRunning"
            case .runNotPaused: "runNotPaused"
            case .runNotCompleted: "runNotCompleted"
            case .runNotCancelled: "runNotCancelled"
            case .runSaved: "runSaved"
            case .importedMode: "importedMode"
            case .timeGoesBack: "timeGoesBack"
            case .impossibleTime: "impossibleTime"
            case .outOfRange: "outOfRange"
            case .emptyTrack: "emptyTrack"
            case .tooManyPoints: "tooManyPoints"
            case .tooManySegments: "tooManySegments"
            case .noZone: "noZone"
            case .nothingToUpdate: "nothingToUpdate"
            }
        }

        public var message: String {
            switch self {
            case .runExists(let id): "there is a run '\(id)' already"
            case .runNotFound(let id): "there is no run '\(id)'"
            case .runActive(let id, let userId):
                "'\(userId)' has the run '\(id)' under way, and runs one at a time"
            case .runNotActive(let id, let state):
                "run '\(id)' is \(state.name), and neither running nor paused"
            case .runNotRunning(let id, let state): "run '\(id)' is \(state.name), not running"
            case .runNotPaused(let id, let state): "run '\(id)' is \(state.name), not paused"
            case .runNotCompleted(let id, let state):
                "run '\(id)' is \(state.name), not completed"
            case .runNotCancelled(let id, let state):
                "run '\(id)' is \(state.name), not cancelled"
            case .runSaved(let id): "run '\(id)' is saved; it can be cancelled"
            case .importedMode: "a run is imported as a whole, and not started"
            case .timeGoesBack(let field, let time, let before):
                "\(field) is \(Self.text(time)), before \(Self.text(before)), "
                    + "which is known of the run"
            case .impossibleTime(let time):
                "\(time) µs is no time in the years 1900 to 2199"
            case .outOfRange(let field, let value, let range):
                "\(field) is \(value); expected \(range)"
            case .emptyTrack: "the track has no point whose coordinates are possible"
            case .tooManyPoints(let most): "a track has at most \(most) points"
            case .tooManySegments(let most): "a track has at most \(most) segments"
            case .noZone(let text):
                "expected the name of a zone like Asia/Seoul, found '\(text.prefix(60))'"
            case .nothingToUpdate: "at least one field must be provided for update"
            }
        }

        private static func text(_ microseconds: Int64) -> String {
            Timestamp.text(Instant(microseconds: microseconds))
        }
    }
}
