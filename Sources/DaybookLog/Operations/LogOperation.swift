public import Daybook
import DaybookLMDB

/// Something that a log has done: its outcome, its duration and its counts.
///
/// Apart from `failure`, it has no texts, tags, names, keys or paths, so that it can be logged.
public struct LogOperation: Hashable, Sendable {
    /// The type of operation.
    public var kind: Kind
    /// How the operation ended.
    public var outcome = Outcome.done
    /// The id of the log; `nil` if the log could not be opened.
    public var logID: String?
    /// The time from the call to its end.
    public var duration: Duration
    /// The time that a transaction waited for other writers, which is a part of `duration`.
    public var waited = Duration.zero
    /// The number of commits that the operation wrote.
    public var commitCount = 0
    /// The number of events that the operation wrote or visited.
    public var eventCount = 0
    /// The number of personal texts that an erasure made unreadable.
    public var textCount: UInt64 = 0
    /// The number of faults that a verification found.
    public var findingCount = 0
    /// The newest position that the operation wrote or reached, or the position of the conflicting
    /// or unreadable event.
    public var position: Position?
    /// The number of events between what a follower has returned and the end of the log, as it came
    /// for more.
    public var lag: UInt64?
    /// The error of an operation that failed; its text may name tags and paths.
    public var failure: LogError?

    /// The types of operations.
    public enum Kind: String, CaseIterable, Sendable {
        /// A log was opened; for writing, this includes the completion of interrupted erasures.
        case open
        /// One call of `append` or the append of a decision: the wait for others and the sync to
        /// disk are included.
        case append
        /// A transaction that wrote the appends of one or more callers.
        case write
        /// A command was decided and its events were appended; again after each conflict.
        case decide
        /// Events were read in order, such as for a state, a decision or a follower.
        case read
        /// A follower came for more, and read up to `position`.
        case follow
        /// New events were added to the index, or to the tree for proofs, after an append.
        case index
        /// Personal texts were erased.
        case erase
        /// The whole log was checked.
        case verify
    }

    /// The outcomes of operations.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The operation did what was asked.
        case done
        /// There was nothing to write.
        case nothing
        /// An earlier commit has the same idempotency key, so nothing was written.
        case repeated
        /// A rule refused the command.
        case refused
        /// An event that a condition forbids came first, so nothing was written.
        case conflict
        /// The idempotency key belongs to another request.
        case keyReused
        /// The log cannot store the request.
        case unstorable
        /// The task was cancelled before its request was written.
        case cancelled
        /// The log could not be opened, read or written; see `failure`.
        case failed
    }

    init(_ kind: Kind, logID: String?, duration: Duration) {
        self.kind = kind
        self.logID = logID
        self.duration = duration
    }

    /// The class of the failure, without texts: `damaged`, `locked`, `full`, `denied`, `replaced`,
    /// `missing`, `clock`, `rolledBack`, `replica`, `keysNotHere`, `store`, `fold`, `format` or
    /// `other`.
    ///
    /// `nil` for an operation that did not fail.
    public var reason: String? {
        guard outcome == .failed else { return nil }
        return failure?.reason ?? "other"
    }
}

// Counts.
extension LogOperation {
    /// Sets the outcome and the counts of appends.
    ///
    /// - Parameter receipts: the receipt of each request; `nil` for a request that wrote nothing.
    mutating func describe(_ receipts: [Receipt?]) {
        outcome = receipts.contains { $0 != nil } ? .repeated : .nothing
        for receipt in receipts.lazy.compactMap(\.self) {
            position = max(position ?? receipt.last, receipt.last)
            guard !receipt.isRepeated else { continue }
            outcome = .done
            commitCount += 1
            eventCount += Int(receipt.last.rawValue - receipt.first.rawValue) + 1
        }
    }

    /// Sets the outcome and the counts of a decision.
    mutating func describe(_ decided: Decided) {
        switch decided {
        case .appended(let receipt): describe([receipt])
        case .nothing: outcome = .nothing
        case .refused: outcome = .refused
        }
    }
}

extension LogError {
    /// The class of the error; see `LogOperation.reason`.
    fileprivate var reason: String {
        switch self {
        case .corrupt, .damaged, .page: "damaged"
        case .storage(let error): error.reason
        case .open(let error): error.reason
        case .notALog, .formatVersion: "format"
        case .fold: "fold"
        case .clockBehind: "clock"
        case .rolledBack: "rolledBack"
        case .replica, .incomplete: "replica"
        case .keysNotHere: "keysNotHere"
        case .storeSilent: "storeSilent"
        case .store: "store"
        case .peopleFull, .namesFull: "full"
        case .file, .headFile, .stream, .follow, .proof, .unknownProjection, .severalProjections:
            "other"
        }
    }
}

extension OpenError {
    fileprivate var reason: String {
        switch self {
        case .missing, .neverBegun: "missing"
        case .notAFile, .notLMDB, .otherFormatVersion, .otherLibrary: "format"
        case .linked, .otherLockFile, .otherDataFile, .replacedWhileOpening: "replaced"
        case .damaged: "damaged"
        case .lockFile(_, let error), .failed(_, let error): error.reason
        case .alreadyOpen, .networkFileSystem: "other"
        }
    }
}

extension LMDBError {
    fileprivate var reason: String {
        switch self {
        case .corrupted, .pageNotFound, .notLMDB, .inputOutput: "damaged"
        case .locked, .numberTaken, .readersBusy: "locked"
        case .mapFull, .diskFull, .readersFull, .outOfMemory: "full"
        case .accessDenied, .readOnlyFileSystem, .notPermitted: "denied"
        case .fileReplaced, .fileCopied, .fileLinked, .lockFileReplaced, .replacedDuringCommit,
            .changedWhileReading:
            "replaced"
        default: "other"
        }
    }
}
