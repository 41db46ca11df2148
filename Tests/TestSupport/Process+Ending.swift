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
        // Releases the run loop's source of the process, and with it the files of its output. A test run
        // starts thousands; with more than some 1,350 open files `run` reads past a buffer's end.
        waitUntilExit()
    }
}
