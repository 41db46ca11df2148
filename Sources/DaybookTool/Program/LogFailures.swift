package import Daybook
import DaybookInvestigation
import DaybookLMDB
package import DaybookLog

extension LogError {
    /// The exit code of a command that ends with the error.
    var code: Failure.Code {
        switch self {
        case .replica, .incomplete, .open(.otherFormatVersion), .open(.otherLibrary): .usage
        case .storage(.fileCopied): .usage
        case _ where isOfFullDisk: .usage
        case .keysNotHere, .storeSilent: .finding
        case .file: .usage
        case .store(let error): error.code
        case .stream(let error): error.code
        default: .log
        }
    }
}

/// Runs `body`, and converts an error of the log or of a fold to a `Failure`.
package func mappingLogErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as LogError {
        throw Failure(error.code, error)
    } catch let error as FoldError {
        throw Failure(.log, error)
    }
}

extension StoreError {
    /// The exit code of a command that ends with the error.
    var code: Failure.Code {
        switch self {
        case .parted, .restored, .damaged: .log
        case .keysNotHere: .finding
        case .address, .unreachable, .unknown, .refused, .noLog, .keys: .usage
        }
    }
}

extension StreamError {
    /// The exit code of a command that ends with the error: that of a file's fault, or of a wrong
    /// history.
    fileprivate var code: Failure.Code {
        switch self {
        case .parted, .otherLog, .gap, .missingPart: .log
        case .segment, .line, .keys, .notReplica, .noSegments: .usage
        }
    }
}

extension AppendError {
    /// Creates the failure with which a command ends after this error.
    ///
    /// - Parameter outcome: text that ends the message, unless events may have been written.
    package func failure(_ outcome: String) -> Failure {
        Failure(code, self, mayHaveBeenWritten ? nil : outcome)
    }

    /// Creates the failure of a transaction that was tried again after each conflict with another
    /// writer.
    ///
    /// - Parameter outcome: text that ends the message, unless events may have been written.
    func failureOfAttempts(_ outcome: String) -> Failure {
        guard case .conflict = self else { return failure(outcome) }
        return Failure(
            .log, "in each of a hundred attempts, another writer appended first; \(outcome)")
    }

    /// Exit code: `finding` for a reused idempotency key or an unstorable value, else `log`.
    package var code: Failure.Code {
        switch self {
        case .keyReused, .unstorable: .finding
        case .conflict: .log
        case .log(let error): error.code
        }
    }
}

/// Decides a command that the tool itself issues, and appends the resulting events.
///
/// - Returns: the receipt; `nil` if the command changed nothing.
/// - Throws: `Failure` with code 1 if the command is refused.
@discardableResult
package func decideOrFail(
    _ decision: any PendingDecision, on log: EventLog, by: String?, _ catalogue: Catalogue,
    once idempotency: AppendRequest.Idempotency? = nil
) throws -> Receipt? {
    let decided: Decided
    do throws(AppendError) {
        decided = try log.decide(
            decision, metadata: CommitMetadata(actor: by ?? ""), idempotency: idempotency,
            catalogue: catalogue)
    } catch {
        throw Failure(error.code, error)
    }
    switch decided {
    case .appended(let receipt): return receipt
    case .nothing: return nil
    case .refused(let refused):
        throw Failure(
            .finding,
            "recording this in the log was refused: \(refused.message) (\(refused.code))")
    }
}
