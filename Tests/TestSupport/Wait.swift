import DaybookLibC

/// Waits for another thread or process.
///
/// A test waits for a condition and not for a time, and longer than any machine needs: only one that
/// fails waits so long.
public enum Wait {
    private static let longest = Duration.seconds(120)

    /// Looks until the condition holds; `false` if it does not within two minutes.
    public static func until(_ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = ContinuousClock.now + longest
        while try !condition() {
            guard ContinuousClock.now < deadline else { return false }
            usleep(2_000)
        }
        return true
    }

    /// Looks as `until` does, and blocks no thread meanwhile.
    public static func suspendedUntil(
        _ condition: () async throws -> Bool
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + longest
        while try await !condition() {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(2))
        }
        return true
    }
}
