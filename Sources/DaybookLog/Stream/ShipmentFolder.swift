import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// The result of writing new commits of a log as segments.
package struct Shipment: Hashable, Sendable {
    /// The head that the segments reach.
    package internal(set) var head = Head.origin
    /// The number of new events.
    package internal(set) var eventCount: UInt64 = 0
    /// The number of new segments.
    package internal(set) var segmentCount = 0
    /// The number of bytes of the new segments.
    package internal(set) var byteCount: Int64 = 0
    /// The number of earlier texts that were written again, because an erasure encrypted them anew
    /// or erased them.
    package internal(set) var rewrittenTextCount = 0

    /// Adds the next shipment.
    fileprivate mutating func add(_ next: Shipment) {
        head = next.head
        eventCount += next.eventCount
        segmentCount += next.segmentCount
        byteCount += next.byteCount
        rewrittenTextCount += next.rewrittenTextCount
    }
}

/// The steps of writing a shipment into a folder of segments.
package struct ShipmentFolder {
    private let log: EventLog

    package init(_ log: EventLog) { self.log = log }

    /// Writes the commits that a folder lacks as segments, from which `pull` makes a replica.
    ///
    /// The segments hold commits, events and people as stored, and texts as encrypted. Each gets
    /// its name after it is on disk. A shipment that was interrupted is written again.
    ///
    /// - Parameters:
    ///   - folder: the folder, which is created if it is missing; its parent must exist.
    ///   - keyPath: the file for the encryption keys and the log's secret, outside the folder, with
    ///     access for its owner only; `nil` to write no keys.
    ///   - segmentByteCount: the size from which a segment is ended.
    package func ship(
        to folder: String, keysTo keyPath: String? = nil, segmentByteCount: Int = 32 << 20
    ) throws(LogError) -> Shipment {
        var shipment = Shipment()
        while true {
            let (part, isOvertaken) = try shipOnce(
                folder, keyPath, segmentByteCount)
            shipment.add(part)
            // An erasure overwrites keys in place, so that keys may be newer than the segments.
            guard isOvertaken else { return shipment }
        }
    }

    /// Throws an error if the log cannot be passed on: as a replica that has not all of a shipment,
    /// or without the keys that are to be written.
    ///
    /// - Parameter keyPath: the file to which the keys are to be written; `nil` for none.
    func checkIsComplete(keysTo keyPath: String?) throws(LogError) {
        if let replica = log.file.replica, !replica.isComplete {
            throw .replica(path: log.path)
        }
        guard let keyPath else { return }
        try log.requireKeys("--texts writes the keys of")
        try ReplicaKeys.checkIsReplaceable(keyPath)
    }

    /// Writes the file of keys, and replaces an existing one.
    ///
    /// - Returns: false if an erasure was recorded after the head, which may have overwritten keys
    ///   that belong to it; then nothing was written.
    func writeKeys(
        to path: String, _ head: Head, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        let keys = try ReplicaKeys(of: log, head, in: transaction)
        guard try LogErasures(log: log).records(ReadWindow(after: head.position)).isEmpty else {
            return false
        }
        let file = try StagedFile(replacing: path, isLogsOwn: true)
        try file.write(keys.bytes.rawSpan)
        try file.replace()
        return true
    }

    /// Writes one shipment.
    ///
    /// - Returns: the shipment, and true if an erasure was recorded before its keys were read, which
    ///   were not written then.
    private func shipOnce(
        _ folder: String, _ keyPath: String?, _ segmentByteCount: Int
    ) throws(LogError) -> (shipment: Shipment, isOvertaken: Bool) {
        try checkIsComplete(keysTo: keyPath)
        try LogFiles.refuse(folder)
        if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST { throw .file(.fromErrno(folder)) }
        if let keyPath { try Self.checkIsOutside(folder, keyPath) }
        let lock = try SegmentFolderLock(folder)
        var segments = try SegmentFolder(folder)
        let last = try segments.removeIncompleteShipment()
        var base = Head.origin
        if let last {
            guard last.header.logID == log.file.identifier else {
                throw .stream(
                    .otherLog(
                        name: last.name, found: Hexadecimal.text(last.header.logID),
                        expected: log.id))
            }
            base = last.end.head
            if try log.mismatch(with: base) != nil {
                throw .stream(
                    .parted(
                        name: last.name,
                        at: try firstDifference(of: segments) ?? base.position))
            }
        }
        let transaction = try log.file.beginReading()
        // A replica takes nothing from a shipment that has no commits.
        let knownPeople = base == .origin ? 0 : last?.header.peopleCount ?? 0
        var writer = try ShipmentWriter(
            log, after: base, knownPeople: knownPeople, segmentByteCount: segmentByteCount,
            in: transaction)
        if writer.hasNews || last == nil {
            let hasErasures = try writer.addErasedPeople(since: base.position)
            try writer.begin(
                rewritingTextsOf: hasErasures ? rekeyedPeople(segments, transaction) : nil,
                in: transaction)
            while let segment = try writer.next(in: transaction) {
                try write(segment, to: folder)
            }
        }
        var isOvertaken = false
        if let keyPath {
            isOvertaken = try !writeKeys(to: keyPath, writer.shipment.head, in: transaction)
        }
        // The folder is locked until here.
        _ = consume lock
        return (writer.shipment, isOvertaken)
    }

    /// Writes a segment, which gets its name after it is on disk.
    private func write(
        _ segment: ShipmentWriter.Segment, to folder: String
    ) throws(LogError) {
        let file = try StagedFile(for: "\(folder)/\(segment.name)")
        try file.write(segment.bytes.rawSpan)
        try file.copyPermissions(of: log.path)
        try file.publish()
    }

    /// Returns the position of the first commit in which segments and log differ; `nil` if the
    /// segments do not show it.
    private func firstDifference(of segments: SegmentFolder) throws(LogError) -> Position? {
        for name in segments.names {
            var reader = try segments.reader(of: name)
            if let position = try reader.firstDifference(from: log) { return position }
        }
        return nil
    }

    /// Returns the people whose key slot is another one than in the segments.
    ///
    /// Their texts were encrypted again after they were shipped.
    private func rekeyedPeople(
        _ segments: SegmentFolder, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Set<UInt32> {
        var slots: [UInt32: UInt32] = [:]
        for name in segments.names {
            var reader = try segments.reader(of: name)
            while let record = try reader.next(), record.kind == .person {
                let (number, row) = try reader.person(record)
                slots[number] = row.slot
            }
        }
        var rekeyed: Set<UInt32> = []
        for (number, slot) in slots {
            let row = try log.file.tables.person(number, in: transaction)
            if !row.isGone, row.slot != slot { rekeyed.insert(number) }
        }
        return rekeyed
    }

    /// Throws an error if a file of keys would be in the folder of the segments, which others copy.
    private static func checkIsOutside(_ folder: String, _ keyPath: String) throws(LogError) {
        let parent = keyPath.lastIndex(of: "/").map { String(keyPath[...$0]) } ?? "."
        let (real, realFolder) = (try realPath(parent), try realPath(folder))
        guard !(real + "/").hasPrefix(realFolder + "/") else {
            throw .stream(
                .keys(
                    path: keyPath,
                    reason:
                        "the keys would be in the folder of the segments; name a file outside it"))
        }
    }

    /// Returns a path without symbolic links.
    private static func realPath(_ path: String) throws(LogError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .file(.fromErrno(path)) }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
