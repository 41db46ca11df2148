public import Foundation

extension Process {
    /// Starts the program and waits until it ends.
    ///
    /// `waitUntilExit` looks every 50 ms whether it has ended, which is as long as most commands take.
    public func runToEnd() throws {
        let ended = DispatchSemaphore(value: 0)
        terminationHandler = { _ in ended.signal() }
        try run()
        ended.wait()
    }
}
