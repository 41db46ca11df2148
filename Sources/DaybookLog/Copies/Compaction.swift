package import Daybook
import DaybookLMDB
import DaybookLibC

/// The result of compacting a log.
package struct Compaction: Hashable, Sendable {
    /// The size of the file before compacting, in bytes.
    public var bytesBefore: Int
    /// The size of the file after compacting, in bytes.
    public var bytesAfter: Int
    /// The head of the log, which compacting does not change.
    public var head: Head
}

/// A reason why a log was not compacted.
package enum CompactError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A process has the log open; `by` is its process id, or `nil` if the id is unknown.
    case open(path: String, by: Int32?)
    /// In each of three attempts, another process wrote to the log while it was being copied.
    case changing(path: String)
    /// The verification of the copy has this finding, so the log itself is damaged.
    case unsound(Verification.Finding)

    public var description: String {
        switch self {
        case .open(let path, let process):
            "\(path): "
                + (process.map { "process \($0)" } ?? "another process")
                + " has the log open; close the log in all processes, because compacting replaces "
                + "the file"
        case .changing(let path):
            "\(path): another process wrote to the log during each of three attempts to copy the "
                + "log; stop that process and try again"
        case .unsound(let finding):
            "the log is damaged at position \(finding.position): \(finding.message) (verification "
                + "rule '\(finding.rule)')"
        }
    }
}

extension Compaction {
    /// Shrinks the file of a log by giving its free pages back to the file system.
    ///
    /// Writes a compacted copy beside the log, verifies the copy, and replaces the log with it in
    /// one step. No process may have the log open, including this one. If compacting is
    /// interrupted, the log is complete, in its old or its new form. The file keeps its mode and
    /// owner.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that decodes payloads during verification.
    ///   - headFile: the file that records the log's newest head; if the log lacks that head,
    ///     compacting throws `LogError.rolledBack`. `nil` for no such check.
    ///   - progress: called with the positions that the verification of the copy has reached.
    /// - Throws: `CompactError`, or `LogError` if a file could not be read or written.
    package static func run(
        _ path: String, against catalogue: Catalogue, headFile: HeadFile? = nil,
        progress: (Position) -> Void = { _ in }
    ) throws -> Self {
        let path = try CompactedCopy.realPath(path, headFile)
        try CompactedCopy.checkNotOpen(path)
        for _ in 0..<3 {
            let copy = try StagedFile(replacing: path, isLogsOwn: true)
            let (original, transaction) = try CompactedCopy.writeCompacted(path, to: copy, headFile)
            let result = try CompactedCopy.verifyCopy(copy, original, catalogue, progress)
            // Before the hold, so that others who open the log do not wait for the disk.
            try copy.sync()
            let hold = try CompactedCopy.hold(path)
            let last = try mappingStorageErrors(try hold.lastTransaction())
            guard last == transaction else { continue }
            try copy.replace()
            // The hold has kept other processes from opening the log until here.
            _ = consume hold
            return result
        }
        throw CompactError.changing(path: path)
    }
}

/// The steps of compacting a log.
struct CompactedCopy {
    let file: LogFile

    /// Returns the path of the log without symbolic links; throws if there is no such file.
    static func realPath(
        _ path: String, _ headFile: HeadFile?
    ) throws(LogError) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            guard errno == ENOENT else { throw .file(.fromErrno(path)) }
            try headFile?.refuseAbsence()
            throw .open(.missing(path: path))
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Throws `.open` if a process has the log open.
    static func checkNotOpen(_ path: String) throws {
        _ = try hold(path)
    }

    /// Locks the log so that no process can open it; throws `.open` if a process has it open.
    static func hold(_ path: String) throws -> ExclusiveHold {
        do throws(ExclusiveHold.Failure) {
            return try ExclusiveHold(path: path)
        } catch {
            switch error {
            case .open(let process): throw CompactError.open(path: path, by: process)
            case .failed(let error): throw LogError.file(.failed(path: path, code: error.rawValue))
            }
        }
    }

    /// Writes a compacted copy of the log, with the transaction number of the original.
    static func writeCompacted(
        _ path: String, to copy: borrowing StagedFile, _ headFile: HeadFile?
    ) throws(LogError) -> (original: LogStatus, transaction: UInt64) {
        let log = try EventLog(path: path, access: .read, headFile: headFile)
        let original = try log.file.status()
        let transaction = try CompactedCopy(file: log.file).transactionForCopy()
        try log.writeCopy(to: copy.descriptor, named: copy.path)
        do throws(LMDBError) {
            try setTransaction(transaction, ofFile: copy.descriptor)
        } catch {
            // Positive codes are `errno` values of the write; negative codes are LMDB errors of the
            // read.
            throw error.rawValue > 0
                ? .file(.failed(path: copy.path, code: error.rawValue)) : .storage(error)
        }
        try copyOwner(of: path, copy)
        return (original, transaction)
    }

    /// Checks the pages of the newest transaction, also the order of their keys and that no page is
    /// lost, and returns the transaction's number.
    private func transactionForCopy() throws(LogError) -> UInt64 {
        let transaction = try file.beginReading()
        if let fault = transaction.pages.faults().first { throw .page(fault) }
        return transaction.pages.transaction
    }

    /// Gives a copy the owner, group and mode of the log at `path`.
    private static func copyOwner(
        of path: String, _ copy: borrowing StagedFile
    ) throws(LogError) {
        var (old, new) = (stat(), stat())
        guard unsafe stat(path, &old) == 0, unsafe fstat(copy.descriptor, &new) == 0 else {
            throw .file(.fromErrno(path))
        }
        if old.st_uid != new.st_uid || old.st_gid != new.st_gid {
            guard fchown(copy.descriptor, old.st_uid, old.st_gid) == 0 else {
                throw .file(.fromErrno(path))
            }
        }
        guard fchmod(copy.descriptor, old.st_mode & 0o7777) == 0 else {
            throw .file(.fromErrno(path))
        }
    }

    /// Verifies a copy, and compares its id, event count and head with those of the original.
    static func verifyCopy(
        _ copy: borrowing StagedFile, _ original: LogStatus, _ catalogue: Catalogue,
        _ progress: (Position) -> Void
    ) throws -> Compaction {
        let log = try EventLog(path: copy.path, access: .read)
        let result = try log.verify(against: catalogue, progress: progress)
        let bytes = try log.file.status().fileBytes
        guard log.id == original.id, result.events == original.events,
            result.head == original.head
        else { throw LogError.storage(.corrupted) }
        if let finding = result.findings.first { throw CompactError.unsound(finding) }
        return Compaction(
            bytesBefore: original.fileBytes, bytesAfter: bytes, head: original.chainHead)
    }
}
