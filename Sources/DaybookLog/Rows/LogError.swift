public import Daybook
public import DaybookLMDB

/// A reason why a log could not be opened, read, written or checked.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file could not be opened.
    case open(OpenError)
    /// The file is an LMDB file without the tables of an event log.
    case notALog(path: String)
    /// The log has another format version, which this program neither reads nor writes.
    case formatVersion(path: String, found: UInt32)
    /// LMDB or the operating system failed while the log was read or written.
    case storage(LMDBError)
    /// A page of the file contradicts other pages.
    case page(PageFault)
    /// A row of a table with integer keys is missing or malformed; `key` is its key.
    case corrupt(table: String, key: UInt64, CorruptRecord)
    /// A row of a table with byte keys is missing or does not follow the format.
    ///
    /// `row` is the row's key; `nil` if the error concerns the table as a whole.
    case damaged(table: String, row: [UInt8]? = nil, CorruptRecord)
    /// The payload of an event could not be read or folded.
    case fold(FoldError)
    /// The newest commit was recorded more than a day ahead of the clock, so nothing was appended.
    ///
    /// A log that is opened with `ignoresClockLead` allows the append.
    case clockBehind(recordedAt: Instant, now: Instant)
    /// A copy, a segment or another file could not be read, created or written.
    case file(FileError)
    /// The head file could not be read, created or written.
    case headFile(FileError)
    /// The log does not contain the head that its head file records.
    case rolledBack(headFile: String, known: Head, HeadMismatch)
    /// The log is a replica, which only `pull` writes.
    case replica(path: String)
    /// The pull of the replica was interrupted: people, texts or keys are those of position
    /// `target`, but the events end at `end`, and the answer needs what was not pulled yet.
    case incomplete(path: String, end: Position, target: Position)
    /// The answer needs personal texts, names or places, and the replica has no keys for them.
    ///
    /// `need` says what needs them, such as `an audit judges`.
    case keysNotHere(path: String, need: String)
    /// The answer needs personal texts, names or places, and the store of the replica has not answered
    /// for seven days, so that they may have been erased.
    ///
    /// `since` is when the store answered last, by its own clock.
    case storeSilent(path: String, since: Instant, need: String)
    /// The store of a replica did not do what it was asked.
    case store(StoreError)
    /// The log could not be shipped, or the replica not be brought up to date.
    case stream(StreamError)
    /// The log could not be followed any further.
    case follow(FollowError)
    /// The log cannot prove what it was asked for.
    case proof(ProofError)
    /// The log has no free person number or key slot; there are 4,294,967,295 of each.
    case peopleFull
    /// The log has the maximum number of event kinds and time zones, 65,535 in total.
    case namesFull
    /// The log's catalogue has no projection with this name or type.
    case unknownProjection(String)
    /// Several projections of the catalogue fold with this type; call `state` with one of the names
    /// instead.
    case severalProjections(String, names: [String])

    public var description: String {
        switch self {
        case .open(let error): "\(error)"
        case .notALog(let path): "\(path): the file is an LMDB file, but contains no event log"
        case .formatVersion(let path, let found):
            found < Meta.formatVersion
                ? "\(path): the log was made before version 0.1.0, in format \(found); "
                    + "this program reads only format \(Meta.formatVersion)"
                : "\(path): the log was made by a later version of this program, in format "
                    + "\(found); this program reads only format \(Meta.formatVersion)"
        case .storage(.corrupted), .storage(.pageNotFound):
            "the log is damaged: a page of the file contradicts the other pages"
        case .storage(let error):
            error.isSentence ? "\(error)" : "the log could not be read or written: \(error)"
        case .page(let fault): "the log is damaged: page \(fault.page) \(fault.message)"
        case .corrupt(let table, let key, let cause):
            "the log is damaged: row \(key) of table '\(table)': \(cause)"
        case .damaged(let table, let row, let cause):
            "the log is damaged: " + (row.map { "row \(Self.rowText($0, of: table)) of " } ?? "")
                + "table '\(table)': \(cause)"
        case .fold(let error): "\(error)"
        case .clockBehind(let recordedAt, let now):
            ClockLead.sentence(recordedAt, now)
                + ", and every later commit would get that time; correct the clock and try again"
        case .file(let error), .headFile(let error): "\(error)"
        case .rolledBack(let headFile, let known, let mismatch):
            "the log was rolled back or replaced: the head file \(headFile) records position "
                + "\(known.position), with the head \(known), but \(mismatch)"
        case .replica(let path):
            "\(path): the log is a replica, which takes only what 'pull' brings; append to the log "
                + "that it copies, or make it a log of its own with 'pull --promote'"
        case .incomplete(let path, let end, let target):
            "\(path): the pull of the replica was interrupted: its people, texts or keys are of "
                + "position \(target), but its events end at position \(end); pull the rest"
        case .keysNotHere(let path, let need):
            "\(path): \(need) personal texts, names or places, which are not here: the replica was "
                + "made without keys; pull with --texts"
        case .storeSilent(let path, let since, let need):
            "\(path): \(need) personal texts, names or places, which are not shown: the replica was "
                + "last up to date at \(since), and after 7 days without its store it may have "
                + "missed an erasure; use it where the store can be reached"
        case .store(let error): "\(error)"
        case .stream(let error): "\(error)"
        case .follow(let error): "\(error)"
        case .proof(let error): "\(error)"
        case .peopleFull:
            "the log cannot store another person: it has 4,294,967,295, the maximum"
        case .namesFull:
            "the log cannot store another event kind or time zone: it has 65,535, the maximum"
        case .unknownProjection(let name):
            "the catalogue that the log was opened with has no projection '\(name)'"
        case .severalProjections(let type, let names):
            "several projections fold with the type \(type); pass one of their names: "
                + names.joined(separator: ", ")
        }
    }
}

extension LogError {
    /// The position of the event that caused the error; `nil` if no single event caused it.
    public var position: Position? {
        switch self {
        case .corrupt("events", let key, _): Position(key)
        case .damaged("texts", let key?, _):
            PersonalRow.position(of: key.rawSpan).map { Position($0) }
        case .fold(.corrupt(let position, _, _)), .fold(.unknownKind(let position, _)): position
        default: nil
        }
    }
}

/// A reason why an append failed.
public enum AppendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An event that a condition forbids was appended after the decision, at this position.
    ///
    /// Read the log from this position and decide again.
    case conflict(at: Position)
    /// The idempotency key was used for another request, whose commit starts at this position.
    ///
    /// The position is `.origin` if the other request is in the same batch and thus not recorded.
    /// Deciding again will not help.
    case keyReused(key: String, at: Position)
    /// The log cannot store the request, for example because the request breaks a limit of the
    /// format; the text gives the reason.
    case unstorable(String)
    /// The log could not be read or written. Deciding again will not help.
    case log(LogError)

    public var description: String {
        switch self {
        case .conflict(let position):
            "the event at position \(position), appended after the command was decided, may change "
                + "the decision; try again"
        case .keyReused(let key, .origin):
            "the idempotency key '\(key)' was already used for another request of the same batch; "
                + "use another key"
        case .keyReused(let key, let position):
            "the idempotency key '\(key)' was already used for another request, recorded from "
                + "position \(position) on; use another key"
        case .unstorable(let reason): reason
        case .log(let error): "\(error)"
        }
    }
}

extension AppendError {
    /// True if the commit may have been written despite the error.
    ///
    /// The file was replaced or renamed, the disk failed, or the answer of the store of a replica was
    /// lost, while the commit was being written.
    public var mayHaveBeenWritten: Bool {
        switch self {
        case .log(.storage(.replacedDuringCommit)), .log(.storage(.inputOutput)): true
        case .log(.store(.unknown)): true
        default: false
        }
    }
}
