import EventSourcing
import Investigation
import LibC
import Synchronization

/// A line on the terminal of standard error about work that takes longer than a second.
///
/// It is there only while nothing else is written: answers and messages clear it first.
enum Progress {
    private struct State: Sendable {
        var command = ""
        var note = ""
        var isShown = false
        var isEnded = false
    }

    private static let state = Mutex(State())
    private static let pauseUs: UInt32 = 500_000

    /// Shows the seconds that a command has taken from its second one on.
    static func begin(_ command: String) {
        guard StandardError.isTerminal else { return }
        state.withLock { $0.command = command }
        Threads.detach { watch() }
    }

    /// Says how far the work has come.
    static func note(_ text: String) {
        state.withLock { $0.note = text }
    }

    /// Takes the line away, for something else to be written.
    static func clear() {
        state.withLock { state in
            guard state.isShown else { return }
            state.isShown = false
            StandardError.endProgress()
        }
    }

    /// Ends showing it.
    static func end() {
        clear()
        state.withLock { $0.isEnded = true }
    }

    private static func watch() {
        var halves = 0
        while true {
            usleep(pauseUs)
            halves += 1
            guard halves >= 2 else { continue }
            let goesOn = state.withLock { state in
                guard !state.isEnded else { return false }
                let note = state.note.isEmpty ? "" : ", \(state.note)"
                StandardError.progress("\(state.command): \(halves / 2) s\(note)")
                state.isShown = true
                return true
            }
            guard goesOn else { return }
        }
    }
}
