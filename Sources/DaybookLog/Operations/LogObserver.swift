import Daybook

/// A receiver of the operations of a log, such as `LogTelemetry` of the library `DaybookTelemetry`.
///
/// A log that is opened without an observer does nothing for one, and looks at no clock.
public protocol LogObserver: Sendable {
    /// Receives an operation that has ended.
    ///
    /// Called on the thread of the operation, by several threads at once, and the caller of the
    /// operation waits for it. No write transaction is open during the call, except that an erasure
    /// may read within one.
    func observe(_ operation: LogOperation)
}

extension EventLog {
    /// The time at which an operation begins; `nil` without an observer.
    var operationStart: ContinuousClock.Instant? { observer == nil ? nil : .now }

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
        var operation = LogOperation(kind, logID: id, duration: .now - start)
        describe(&operation)
        observer.observe(operation)
    }

    /// Evaluates `body` and gives the operation to the observer, whether or not it succeeds.
    ///
    /// - Parameter describe: sets the outcome and the counts of an operation with a result.
    func observing<Result, Failure: OperationError>(
        _ kind: LogOperation.Kind, _ body: () throws(Failure) -> Result,
        _ describe: (Result, inout LogOperation) -> Void
    ) throws(Failure) -> Result {
        guard let start = operationStart else { return try body() }
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
        guard let start = operationStart else { return try await body() }
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

/// An error that ends an operation.
protocol OperationError: Error {
    /// Sets the outcome of the operation that the error ended.
    func describe(in operation: inout LogOperation)
}

extension LogError: OperationError {
    func describe(in operation: inout LogOperation) {
        operation.outcome = .failed
        operation.failure = self
        operation.position = position ?? operation.position
    }
}

extension AppendError: OperationError {
    func describe(in operation: inout LogOperation) {
        switch self {
        case .conflict(let position):
            (operation.outcome, operation.position) = (.conflict, position)
        case .keyReused(_, let position):
            operation.outcome = .keyReused
            operation.position = position == .origin ? nil : position
        case .unstorable: operation.outcome = .unstorable
        case .log(let error): error.describe(in: &operation)
        }
    }
}

extension BatchError: OperationError {
    func describe(in operation: inout LogOperation) { error.describe(in: &operation) }
}

extension FollowError: OperationError {
    func describe(in operation: inout LogOperation) {
        operation.outcome = .failed
        if case .log(let error) = self { error.describe(in: &operation) }
    }
}
