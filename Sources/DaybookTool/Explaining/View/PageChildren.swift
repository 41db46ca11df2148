import DaybookLibC
import Synchronization

/// The children that answer questions of a live page, a few at once.
final class PageChildren: Sendable {
    /// Largest number of children at once; further questions wait.
    static let limit = 4

    private let program: String
    private let environment: [String: String]
    private let runningCount = Mutex(0)

    init(_ program: String, environment: [String: String]) {
        self.program = program
        self.environment = environment
    }

    /// A child, which counts until it is freed.
    final class Child: Sendable {
        let process: StreamedProcess
        private let children: PageChildren

        fileprivate init(_ process: StreamedProcess, _ children: PageChildren) {
            self.process = process
            self.children = children
        }

        deinit { children.leave() }
    }

    /// Starts this program once few enough children run; `nil` if nobody waits any more.
    func start(_ arguments: [String], unless isUnwanted: () -> Bool) throws(SystemError) -> Child? {
        while !enter() {
            if isUnwanted() { return nil }
            usleep(5_000)
        }
        do throws(SystemError) {
            return Child(try StreamedProcess(program, arguments, environment: environment), self)
        } catch {
            leave()
            throw error
        }
    }

    /// Counts a further child; returns `false` if there are enough.
    private func enter() -> Bool {
        runningCount.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
    }

    private func leave() { runningCount.withLock { $0 -= 1 } }
}
