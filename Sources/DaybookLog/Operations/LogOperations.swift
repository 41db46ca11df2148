import Daybook

/// Gives what a log does to its observer.
struct LogOperations: Sendable {
    /// Receives what the log does; `nil` for nobody.
    let observer: (any LogObserver)?
    private let identifier: [UInt8]

    init(_ observer: (any LogObserver)?, of identifier: [UInt8]) {
        self.observer = observer
        self.identifier = identifier
    }

    /// The log's id as 32 hexadecimal digits.
    var logID: String { Hexadecimal.text(identifier) }

    /// The time at which an operation begins; `nil` without an observer.
    var start: ContinuousClock.Instant? { observer == nil ? nil : .now }

    /// Gives an operation to the observer.
    ///
    /// - Parameters:
    ///   - start: the time at which the operation began; `nil` does nothing.
    ///   - describe: sets the outcome and the counts of the operation.
    func observe(
        _ kind: LogOperation.Kind, since start: ContinuousClock.Instant?,
        _ describe: (inout LogOperation) -> Void
    ) {
        guard let observer, let start else { return }
        var operation = LogOperation(kind, logID: logID, duration: .now - start)
        describe(&operation)
        observer.observe(operation)
    }

    /// Calls `body`, whose error keeps nothing else from going on and is for the observer alone.
    func absorbing(_ kind: LogOperation.Kind, _ body: () throws(LogError) -> Void) {
        let start = start
        do throws(LogError) {
            try body()
        } catch {
            observe(kind, since: start) { error.describe(in: &$0) }
        }
    }

    /// Evaluates `body` and gives the operation to the observer, whether or not it succeeds.
    ///
    /// - Parameter describe: sets the outcome and the counts of an operation with a result.
    func observing<Result, Failure: OperationError>(
        _ kind: LogOperation.Kind, _ body: () throws(Failure) -> Result,
        _ describe: (Result, inout LogOperation) -> Void
    ) throws(Failure) -> Result {
        guard let start else { return try body() }
        do throws(Failure) {
            let result = try body()
            observe(kind, since: start) { describe(result, &$0) }
            return result
        } catch {
            observe(kind, since: start) { error.describe(in: &$0) }
            throw error
        }
    }

    /// Evaluates an asynchronous `body` and gives the operation to the observer.
    func observing<Result>(
        _ kind: LogOperation.Kind, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result, _ describe: (Result, inout LogOperation) -> Void
    ) async throws -> Result {
        guard let start else { return try await body() }
        do {
            let result = try await body()
            observe(kind, since: start) { describe(result, &$0) }
            return result
        } catch {
            observe(kind, since: start) { operation in
                if let error = error as? any OperationError {
                    error.describe(in: &operation)
                } else {
                    operation.outcome = error is CancellationError ? .cancelled : .failed
                }
            }
            throw error
        }
    }
}
