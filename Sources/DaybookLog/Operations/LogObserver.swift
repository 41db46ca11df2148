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
