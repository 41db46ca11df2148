import Foundation

/// Work on several threads at once.
package enum Threads {
    /// Calls `body` once for each number below `count`, on a thread of its own, and returns when
    /// all have.
    ///
    /// Dispatch would need two more files for its own events, and traps where there are none.
    package static func perform(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let running = Running(count)
        for index in 1..<max(1, count) {
            let thread = Thread {
                body(index)
                running.end()
            }
            // As much as the first thread has on most systems.
            thread.stackSize = 8 << 20
            thread.start()
        }
        if count > 0 {
            body(0)
            running.end()
        }
        running.wait()
    }

    /// How many bodies have not returned.
    private final class Running: @unchecked Sendable {
        // Read and written with the condition's lock held.
        private var count: Int
        private let condition = NSCondition()

        init(_ count: Int) { self.count = count }

        func end() {
            condition.withLock {
                count -= 1
                if count == 0 { condition.broadcast() }
            }
        }

        func wait() {
            condition.withLock {
                while count > 0 { condition.wait() }
            }
        }
    }
}
