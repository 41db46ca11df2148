import Daybook
import DaybookLMDB
import DaybookLibC

/// A pull of segments, with or without keys, into a replica that may have to be made.
struct ReplicaPull {
    private let path: String
    /// The keys that came with the segments, which the replica gets last, once they are proven.
    private let keys: ReplicaKeys?
    private let keyPath: String
    private let catalogue: Catalogue
    private let replacesEmpty: Bool
    private let writeWait: Duration
    private let deadline: ContinuousClock.Instant
    private var writer: ReplicaWriter?
    /// The parts that were pulled before the replica was opened anew.
    private var before = Pulled()
    /// True once a segment was left out that has later commits than the keys know.
    private var isAhead = false
    /// True if the replica had events when the pull began, whose texts no keys have proven.
    private var hadUnprovenTexts = false

    init(
        into path: String, _ keys: ReplicaKeys?, _ keyPath: String, _ catalogue: Catalogue,
        replacesEmpty: Bool, waitingAtMost writeWait: Duration
    ) {
        self.path = path
        self.keys = keys
        self.keyPath = keyPath
        self.catalogue = catalogue
        self.replacesEmpty = replacesEmpty
        self.writeWait = writeWait
        deadline = .now + writeWait
    }

    /// The last position of the replica.
    var position: Position { writer?.head.position ?? .origin }

    /// Applies the next segment, after other processes that make or write the replica.
    mutating func apply(_ segment: SegmentReader) throws(LogError) {
        if let keys {
            guard keys.logID == segment.header.logID else {
                throw .stream(
                    .keys(
                        path: keyPath,
                        reason: "the keys are of the log \(Hexadecimal.text(keys.logID)), but the "
                            + "segments of the log \(Hexadecimal.text(segment.header.logID))"))
            }
            guard segment.header.shipment <= keys.head.position.rawValue else {
                isAhead = true
                return
            }
        }
        while true {
            do throws(LogError) {
                try applyOnce(segment)
                return
            } catch {
                // Another process makes the replica, has made it or writes to it.
                guard error.isOfOtherProcess, ContinuousClock.now < deadline else { throw error }
            }
            if let writer { before.add(writer.pulled) }
            writer = nil
            usleep(5_000)
        }
    }

    /// Applies the next segment, and opens the replica before the first one.
    private mutating func applyOnce(_ segment: SegmentReader) throws(LogError) {
        if writer == nil {
            let isWritten = try open(for: segment)
            if isWritten {
                writer?.noteWritten(segment)
                return
            }
        }
        try writer?.apply(segment)
    }

    /// Opens the replica, and makes a missing one with the first segment, so that nothing is there
    /// if the segment is refused.
    ///
    /// - Returns: true if the segment is written.
    private mutating func open(for segment: SegmentReader) throws(LogError) -> Bool {
        let logID = segment.header.logID
        var status = stat()
        let isMissing = unsafe lstat(path, &status) != 0 && errno == ENOENT
        if isMissing { try create(with: segment) }
        if replacesEmpty { try makeReplica(ofEmpty: logID) }
        let log = try prepared(logID)
        let opened = try ReplicaWriter(log, keys: keys, catalogue: catalogue)
        if keys != nil, !log.file.holdsKeys, before.head == .origin, opened.head != .origin {
            hadUnprovenTexts = true
        }
        writer = opened
        return isMissing
    }

    /// Makes a replica without keys that has a segment.
    private mutating func create(with segment: SegmentReader) throws(LogError) {
        let file = try StagedFile(for: path, of: segment.header.logID, isLogsOwn: true)
        let pulled = try firstPart(segment, at: file.path)
        try file.publish()
        before.add(pulled)
    }

    /// Writes a segment into a new log.
    private func firstPart(
        _ segment: SegmentReader, at path: String
    ) throws(LogError) -> Pulled {
        do {
            let log = try EventLog(path: path, access: .create)
            try ReplicaFile(file: log.file).make(of: segment.header.logID)
        }
        let log = try EventLog(path: path, access: .write)
        var first = try ReplicaWriter(log, keys: keys, catalogue: catalogue)
        try first.apply(segment)
        return first.pulled
    }

    /// Makes a log without events a replica without keys; leaves any other log as it is.
    private func makeReplica(ofEmpty logID: [UInt8]) throws(LogError) {
        let log = try opened()
        guard log.file.replica == nil else { return }
        try ReplicaFile(file: log.file).make(of: logID)
    }

    /// Opens the file for writing.
    private func opened() throws(LogError) -> EventLog {
        try ReplicaFile.opened(path) { () throws(LogError) in
            try EventLog(path: path, access: .write, writeWait: writeWait)
        }
    }

    /// Opens the file, and checks that it is a replica of a log that the keys fit.
    private func prepared(_ logID: [UInt8]) throws(LogError) -> EventLog {
        let log = try opened()
        guard let state = log.file.replica else { throw .stream(.notReplica(path: path)) }
        guard log.file.identifier == logID else {
            throw .stream(
                .otherLog(
                    name: path, found: Hexadecimal.text(logID), expected: log.id))
        }
        guard let keys else {
            guard !state.hasKeys else {
                throw .stream(
                    .keys(
                        path: path,
                        reason: "the replica has encryption keys, so it needs those of new people "
                            + "too; give the file of --texts"))
            }
            return log
        }
        guard try log.head() <= keys.head.position else {
            throw .stream(
                .keys(
                    path: path,
                    reason:
                        "the replica is at a later position than the keys, \(keys.head.position); "
                        + "take segments and keys of one run"))
        }
        return log
    }

    /// Ends the pull after the last segment.
    ///
    /// - Parameter name: the name of the source in errors.
    mutating func finish(named name: String, promotes: Bool) throws(LogError) -> Pulled {
        var pulled = try settle(name)
        if let keys {
            try prove(keys)
            // The log is opened anew, because an open one keeps the secret that it was opened with.
            writer = nil
            pulled.hasKeys = true
        }
        guard !promotes || pulled.hasKeys else {
            throw .stream(
                .keys(
                    path: path,
                    reason: "a replica without keys cannot become a log of its own; pull with keys")
            )
        }
        let log: EventLog
        if let writer {
            log = writer.log
        } else {
            log = try EventLog(path: path, access: .write, writeWait: writeWait)
        }
        if let keys { try KeyAdoption(log: log).finishPull(keys) }
        try log.reindex()
        IndexMaintenance(log: log).run(
            through: pulled.head.position.rawValue, afterEvents: pulled.eventCount)
        if promotes { try ReplicaFile(file: log.file).promote() }
        return pulled
    }

    /// Mends what the replica has otherwise than the segments.
    private func settle(_ name: String) throws(LogError) -> Pulled {
        guard let writer else {
            if let keys, isAhead { throw keysError(keys, end: .origin) }
            throw .stream(.noSegments(name: name))
        }
        var pulled = before
        pulled.add(writer.pulled)
        (pulled.head, pulled.hasKeys) = (writer.head, writer.pulled.hasKeys)
        let complete = writer.state.completeThrough
        if complete == writer.head.position.rawValue {
            pulled.mendedCount = try writer.differences.settle(
                in: writer.log, writer.check, completeThrough: complete)
        }
        return pulled
    }

    /// Writes the keys, if they are those of the replica's head and open what it has.
    private func prove(_ keys: ReplicaKeys) throws(LogError) {
        guard let writer else { return }
        let log = writer.log
        guard writer.head == keys.head, !isAhead else {
            if log.file.holdsKeys {
                try KeyAdoption(log: log).listErasedSlots()
                try LogErasures(log: log).finish()
            }
            throw keysError(keys, end: writer.head)
        }
        try KeyAdoption(log: log).check(keys, keyPath)
        if hadUnprovenTexts { try KeyAdoption(log: log).checkTexts(with: keys, catalogue) }
        try KeyAdoption(log: log).adopt(keys)
    }

    /// The error of keys that are of another position than the end of the segments.
    private func keysError(_ keys: ReplicaKeys, end: Head) -> LogError {
        let position = keys.head.position
        if isAhead || end.position > position {
            return .stream(
                .keys(
                    path: keyPath,
                    reason:
                        "the keys are of position \(position), but the segments go on after it; "
                        + "write both again, and take segments and keys of one run"))
        }
        guard end.position < position else {
            return .stream(
                .keys(
                    path: keyPath,
                    reason: "the keys are of the head \(keys.head), but the segments end with "
                        + "\(end); one of the two histories was rewritten"))
        }
        return .stream(
            .keys(
                path: keyPath,
                reason: "the pull was interrupted: the keys are of position \(position), but the "
                    + "segments end at position \(end.position); pull the rest"))
    }
}

extension LogError {
    /// True if the pull may be repeated once another process has made or written the replica.
    fileprivate var isOfOtherProcess: Bool {
        switch self {
        case .file(.busy), .file(.exists): true
        default: false
        }
    }
}

extension Pulled {
    /// Adds the counts of another part of a pull.
    fileprivate mutating func add(_ other: Pulled) {
        eventCount += other.eventCount
        segmentCount += other.segmentCount
        head = other.head
    }
}
