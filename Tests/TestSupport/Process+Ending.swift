public import Foundation

extension Process {
    /// Starts the program and waits until it ends.
    ///
    /// `waitUntilExit` looks every 50 ms whether it has ended, which is as long as most commands take.
    public func runToEnd() throws {
        let ended = DispatchSemaphore(value: 0)
        terminationHandler = { _ in ended.signal() }
        Self.awaitClosedFiles()
        try run()
        ended.wait()
        // Releases the run loop's source of the process, and with it the files of its output. A test run
        // starts thousands.
        waitUntilExit()
    }

    /// Waits until at most 1,000 files are open, for at most a minute.
    ///
    /// With more than some 1,350, `run` reads past the end of a buffer. Other tests that run at the
    /// same time close theirs.
    private static func awaitClosedFiles() {
        for _ in 0..<6_000 where openFileCount > 1_000 { usleep(10_000) }
    }

    /// Number of the open files of this process; 0 if the system does not list them.
    private static var openFileCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
