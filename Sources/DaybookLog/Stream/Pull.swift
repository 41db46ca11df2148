package import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// The making of replicas, and bringing them up to date.
package enum Pull {
    /// Brings a replica up to date with segments that `ship` wrote, and creates a missing one.
    ///
    /// The replica gets the same commits with the same head, and carries out erasures. A pull that
    /// was interrupted is continued by the next one. Each commit is checked by its chain value.
    ///
    /// - Parameters:
    ///   - path: the path of the replica. Another log is not overwritten.
    ///   - keyPath: the file of `ship --texts`, which makes personal texts, names and places readable;
    ///     `nil` leaves them out.
    ///   - promotes: `true` to make a replica with keys a log of its own, which can be appended to.
    ///   - replacesEmpty: `true` to make a log without events a replica.
    ///   - catalogue: the events of which it is known how many personal texts they have, so that a
    ///     missing text is noticed.
    ///   - writeWait: the longest time to wait for another process that makes or writes the replica.
    ///   - progress: called after each segment with the replica's last position.
    package static func run(
        _ source: SegmentSource, into path: String, keysFrom keyPath: String? = nil,
        promotes: Bool = false, replacesEmpty: Bool = false, catalogue: Catalogue = .empty,
        writeWait: Duration = .seconds(10), progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Pulled {
        let keys = try keyPath.map { path throws(LogError) in
            try ReplicaKeys(
                decoding: try WholeFile.read(path), path: path)
        }
        var pull = ReplicaPull(
            into: path, keys, keyPath ?? "", catalogue, replacesEmpty: replacesEmpty,
            waitingAtMost: writeWait)
        try forEachSegment(of: source) { (segment) throws(LogError) in
            try pull.apply(segment)
            progress(pull.position)
        }
        return try pull.finish(named: path, promotes: promotes)
    }

    /// Calls `body` with each segment of a source, in order.
    private static func forEachSegment(
        of source: SegmentSource, _ body: (SegmentReader) throws(LogError) -> Void
    ) throws(LogError) {
        switch source {
        case .folder(let path):
            let folder = try SegmentFolder(path)
            guard !folder.names.isEmpty else { throw .stream(.noSegments(name: path)) }
            for name in folder.names { try body(try folder.reader(of: name)) }
        case .stream(let descriptor, let name):
            var stream = SegmentStream(descriptor: descriptor, name: name)
            while let segment = try stream.next() { try body(segment) }
        }
    }
}

/// The row of a file that makes it a replica.
struct ReplicaFile {
    let file: LogFile

    /// Calls `open`, which opens the log at a path; throws `.notReplica` for another kind of file.
    static func opened(
        _ path: String, _ open: () throws(LogError) -> EventLog
    ) throws(LogError) -> EventLog {
        do throws(LogError) {
            return try open()
        } catch .notALog {
            throw .stream(.notReplica(path: path))
        }
    }

    /// Creates an empty replica without keys.
    static func create(_ path: String, _ logID: [UInt8]) throws(LogError) {
        let staged = try StagedFile(for: path, of: logID, isLogsOwn: true)
        do {
            let log = try EventLog(path: staged.path, access: .create)
            try ReplicaFile(file: log.file).make(of: logID)
        }
        try staged.publish()
    }

    /// Gives a log without events and people the id of another log, as its replica without keys;
    /// leaves any other log as it is.
    func make(of logID: [UInt8]) throws(LogError) {
        try file.writing { (transaction) throws(LogError) in
            let isEmpty = try file.tables.lastPosition(in: transaction) == 0
            let hasPeople = try transaction.lastKey(of: file.tables.people) != nil
            guard isEmpty, !hasPeople else { return }
            for key in [Meta.secret, Meta.identifierSeal] {
                try transaction.remove(key.rawSpan, from: file.tables.meta)
            }
            let values = [
                (Meta.identifier, logID),
                (Meta.replica, ReplicaState(hasKeys: false, target: 0).bytes),
            ]
            for (key, value) in values {
                try transaction.put(value, for: key.rawSpan, in: file.tables.meta)
            }
        }
    }

    /// Makes a replica a log of its own.
    func promote() throws(LogError) {
        try file.writing { (transaction) throws(LogError) in
            for key in [Meta.replica, Meta.contact] {
                try transaction.remove(key.rawSpan, from: file.tables.meta)
            }
        }
    }
}
