import Daybook
import DaybookLMDB

/// Evaluates `body` and rethrows its LMDB errors as `LogError.storage`.
@inline(__always)
func mappingStorageErrors<Result: ~Copyable>(
    _ body: @autoclosure () throws(LMDBError) -> Result
) throws(LogError) -> Result {
    do throws(LMDBError) {
        return try body()
    } catch {
        throw .storage(error)
    }
}

/// Evaluates `body` and rethrows its fold errors as `LogError.fold`.
@inline(__always)
func mappingFoldErrors<Result: ~Copyable>(
    _ body: @autoclosure () throws(FoldError) -> Result
) throws(LogError) -> Result {
    do throws(FoldError) {
        return try body()
    } catch {
        throw .fold(error)
    }
}

extension Catalogue {
    /// Returns an event in the newest schema version of its kind.
    func newest(_ event: RecordedEvent) throws(LogError) -> RecordedEvent {
        try mappingFoldErrors(try upcast(event))
    }
}

extension Fold {
    /// Folds an event of the log.
    mutating func add(_ event: borrowing EventView) throws(LogError) {
        try mappingFoldErrors(try apply(event))
    }
}

extension AppendError {
    /// Evaluates `body` and wraps its log errors.
    @inline(__always)
    static func mappingLogErrors<Result: ~Copyable>(
        _ body: @autoclosure () throws(LogError) -> Result
    ) throws(AppendError) -> Result {
        do throws(LogError) {
            return try body()
        } catch {
            throw .log(error)
        }
    }
}
