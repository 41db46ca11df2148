// The code of docs/embedding.md that observes a log. A test holds the document to this file.
// [observe]
import Daybook
import DaybookLog
import Observation

@MainActor @Observable
final class StopwatchModel {
    private(set) var isRunning = false
    private(set) var problem: String?

    /// Keeps up with the log until the task is cancelled.
    func follow(_ id: String, in log: EventLog) async {
        do {
            for try await now in log.states(Stopwatch.self, of: id) {
                isRunning = now.state.isRunning
            }
        } catch {
            problem = "\(error)"
        }
    }

    func start(_ id: String, in log: EventLog) async {
        do {
            if case .refused(let refusal) = try await log.decide(Stopwatch.Start(id: id)) {
                problem = refusal.message
            }
        } catch {
            problem = "\(error)"
        }
    }
}
// [end]
