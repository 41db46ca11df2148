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

/// An error type that can wrap a `LogError`.
protocol LogErrorHolder: Error {
    /// Wraps a log error.
    static func log(_ error: LogError) -> Self
}

extension AppendError: LogErrorHolder {}

extension LogErrorHolder {
    /// Evaluates `body` and wraps its log errors in this error type.
    @inline(__always)
    static func mappingLogErrors<Result: ~Copyable>(
        _ body: @autoclosure () throws(LogError) -> Result
    ) throws(Self) -> Result {
        do throws(LogError) {
            return try body()
        } catch {
            throw .log(error)
        }
    }
}

/// Evaluates `body`, which decodes a row, and rethrows its errors as `LogError.corrupt`.
@inline(__always)
func mappingRecordErrors<Result: ~Copyable>(
    of table: String, _ key: UInt64, _ body: @autoclosure () throws(CorruptRecord) -> Result
) throws(LogError) -> Result {
    do throws(CorruptRecord) {
        return try body()
    } catch {
        throw .corrupt(table: table, key: key, error)
    }
}

/// Evaluates `body` and rethrows its file errors as `LogError.headFile`.
@inline(__always)
func mappingFileErrors<Result: ~Copyable>(
    _ body: @autoclosure () throws(FileError) -> Result
) throws(LogError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw .headFile(error)
    }
}
