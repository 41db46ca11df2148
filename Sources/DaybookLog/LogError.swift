public import Daybook
public import DaybookLMDB

/// Why a log could not be opened, read or checked.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
    case open(OpenError)
    /// An LMDB file, but none of ours.
    case notALog(path: String)
    /// A log of another format, which is neither read nor written.
    case formatVersion(path: String, found: UInt32)
    case storage(LMDBError)
    /// A row that is not what the format says; `key` is its integer key.
    case corrupt(table: String, key: UInt64, CorruptRecord)
    /// A row whose key is bytes, or a table that misses rows; `row` is the key, where one row it is.
    case damaged(table: String, row: [UInt8]? = nil, CorruptRecord)
    case fold(FoldError)
    /// Nothing is appended while the clock is more than a day behind the log, unless the log is
    /// opened with `ignoresClockLead`.
    case clockBehind(ClockLead)
    /// The head file could not be read or made.
    case headFile(FileError)
    /// The log does not contain the head that its head file knows.
    case rolledBack(headFile: String, known: Head, HeadMismatch)
    /// The numbers of people are used up.
    case peopleFull
    /// The rows of kinds and zones are used up.
    case namesFull

    public var description: String {
        switch self {
        case .open(let error): "\(error)"
        case .notALog(let path): "\(path): is an LMDB file, but no event log"
        case .formatVersion(let path, let found):
            found < EventLog.formatVersion
                ? "\(path): was made before 0.1.0, in format \(found); this program reads format "
                    + "\(EventLog.formatVersion) alone"
                : "\(path): was made by a later version, in format \(found); this program reads "
                    + "format \(EventLog.formatVersion)"
        case .storage(.corrupted), .storage(.pageNotFound):
            "the log is damaged: a page is not what the rest of the file says"
        case .storage(let error):
            error.isSentence ? "\(error)" : "the log could not be read or written: \(error)"
        case .corrupt(let table, let key, let cause):
            "the log is damaged: row \(key) of table '\(table)': \(cause)"
        case .damaged(let table, let row, let cause):
            "the log is damaged: " + (row.map { "row \(Self.rowText($0, of: table)) of " } ?? "")
                + "table '\(table)': \(cause)"
        case .fold(let error): "\(error)"
        case .clockBehind(let lead):
            "\(lead), and every later commit would get that time; set the clock right"
        case .headFile(let error): "\(error)"
        case .rolledBack(let headFile, let known, let mismatch):
            "the log was rolled back or replaced: the head file \(headFile) knows position "
                + "\(known.position), \(known), and \(mismatch)"
        case .peopleFull: "a log holds at most 4,294,967,295 people"
        case .namesFull: "a log holds at most 65,535 kinds and zones"
        }
    }
}

extension LogError {
    /// The event that is the trouble, where it is one.
    public var position: Position? {
        switch self {
        case .corrupt("events", let key, _): Position(key)
        case .fold(.corrupt(let position, _, _)), .fold(.unknownKind(let position, _)): position
        default: nil
        }
    }
}

/// Why nothing was appended.
public enum AppendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An event the decision did not know about is at this position. Read from there and decide
    /// again.
    case conflict(at: Position)
    /// The idempotency key stands for something else, recorded at this position. Deciding again
    /// will not help.
    case keyReused(key: String, at: Position)
    /// The request can be stored in no log.
    case unstorable(String)
    /// The log could not be read or written. Deciding again will not help.
    case log(LogError)

    public var description: String {
        switch self {
        case .conflict(let position):
            "the event at position \(position) came between the decision and its append"
        case .keyReused(let key, let position):
            "the key '\(key)' was used for something else, recorded at position \(position)"
        case .unstorable(let reason): reason
        case .log(let error): "\(error)"
        }
    }
}

extension AppendError {
    /// True where the commit may be in a file all the same: its write was under way when the file
    /// lost its name, or when the disk failed.
    public var mayHaveBeenWritten: Bool {
        switch self {
        case .log(.storage(.replacedDuringCommit)), .log(.storage(.inputOutput)): true
        default: false
        }
    }
}
