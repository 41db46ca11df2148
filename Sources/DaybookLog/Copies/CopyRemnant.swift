import Daybook
import DaybookLMDB
import DaybookLibC

/// An unfinished copy of a log, which a killed process left or which is being made.
///
/// It holds keys and texts, from which could be read what was erased since.
public struct CopyRemnant: Hashable, Sendable {
    public var path: String
    public var fate: Fate

    public enum Fate: Hashable, Sendable {
        /// It is gone, or would go where the remnants were only looked for.
        case removed
        /// It stays, for a reason.
        case kept(String)
    }
}

/// A copy under way, as the log notes it before the copy begins.
public struct CopyNote: Hashable, Sendable {
    /// The unfinished file, from the root.
    public var path: String
    var device: UInt64
    var inode: UInt64

    public init(_ copy: borrowing StagedFile) throws(FileError) {
        var status = stat()
        guard unsafe fstat(copy.descriptor, &status) == 0 else { throw .last(copy.path) }
        guard let resolved = unsafe realpath(copy.path, nil) else { throw .last(copy.path) }
        defer { unsafe free(resolved) }
        path = unsafe String(cString: resolved)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    private init(path: String, device: UInt64, inode: UInt64) {
        self.path = path
        self.device = device
        self.inode = inode
    }

    /// Device, inode and length of the path, 8, 8 and 4 bytes, and the path.
    var bytes: [UInt8] {
        let path = Array(path.utf8)
        return device.bytes + inode.bytes + UInt32(path.count).bytes + path
    }

    /// The notes of a row; `nil` where it is not made of them.
    static func notes(_ row: RawSpan) -> [CopyNote]? {
        var notes: [CopyNote] = []
        var offset = 0
        while offset < row.byteCount {
            guard row.byteCount - offset >= 20 else { return nil }
            let device: UInt64 = row.integer(at: offset)
            let inode: UInt64 = row.integer(at: offset + 8)
            let count = Int(row.integer(at: offset + 16) as UInt32)
            offset += 20
            guard row.byteCount - offset >= count else { return nil }
            let bytes = row.extracting(offset..<offset + count).copied()
            guard let path = String(validating: bytes, as: UTF8.self) else { return nil }
            notes.append(CopyNote(path: path, device: device, inode: inode))
            offset += count
        }
        return notes
    }
}

extension EventLog {
    /// Notes in the log at `path` that a copy of it is about to be made, so that erasing and
    /// writing find what is left of the copy should it be interrupted.
    public static func add(_ note: CopyNote, toLogAt path: String) throws(LogError) {
        try EventLog(path: path, access: .write).changeNotes { $0.append(note) }
    }

    /// Takes a note off again, once the copy has its name or is gone.
    public static func remove(_ note: CopyNote, fromLogAt path: String) throws(LogError) {
        try EventLog(path: path, access: .write).changeNotes { $0.removeAll { $0 == note } }
    }

    /// Removes what killed processes left of copies of this log, and tells of what has to stay.
    ///
    /// Visited are the copies that the log has noted, and the file that compacting leaves beside it.
    ///
    /// - Parameter isThorough: `false` to leave out what takes as long as reading such a file.
    public func removeRemnants(isThorough: Bool = true) throws(LogError) -> [CopyRemnant] {
        let (remnants, settled) = try visitRemnants(isThorough, removes: true)
        if !settled.isEmpty { try changeNotes { $0.removeAll(where: settled.contains) } }
        return remnants
    }

    /// Finds what `removeRemnants` would visit, and leaves it.
    public func remnants() throws(LogError) -> [CopyRemnant] {
        try visitRemnants(true, removes: false).remnants
    }

    private func visitRemnants(
        _ isThorough: Bool, removes: Bool
    ) throws(LogError) -> (remnants: [CopyRemnant], settled: Set<CopyNote>) {
        let notes = try notes(in: beginReading())
        var remnants: [CopyRemnant] = []
        var settled: Set<CopyNote> = []
        for note in notes {
            let fate = visit(note.path, note, isThorough, removes)
            if fate == nil || fate == .removed { settled.insert(note) }
            if let fate { remnants.append(CopyRemnant(path: note.path, fate: fate)) }
        }
        // Compacting puts its copy beside the file itself, also where a link leads to the log.
        let beside = resolvedPath + ".replay-partial"
        if !notes.contains(where: { $0.path == beside }),
            let fate = visit(beside, nil, isThorough, removes)
        {
            remnants.append(CopyRemnant(path: beside, fate: fate))
        }
        return (remnants, settled)
    }

    /// Decides about one file. `nil` where there is none, or another log's.
    private func visit(
        _ path: String, _ note: CopyNote?, _ isThorough: Bool, _ removes: Bool
    ) -> CopyRemnant.Fate? {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            return .kept(errno == ELOOP ? "it is a link" : Self.reason())
        }
        defer { _ = close(file) }
        var (status, own) = (stat(), stat())
        guard unsafe fstat(file, &status) == 0 else { return .kept(Self.reason()) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .kept("it is no file") }
        // What was left may have been made the log itself.
        guard unsafe stat(self.path, &own) == 0,
            own.st_dev != status.st_dev || own.st_ino != status.st_ino
        else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return .kept("it is being made") }
        guard status.st_nlink == 1 else { return .kept("it has another name as well") }
        switch foreignness(path, status, note, isThorough) {
        case .otherLog: return nil
        case .unknown: return .kept("it does not tell which log it is of")
        case nil: break
        }
        guard removes else { return .removed }
        _ = unsafe unlink(path + "-lock")
        return unsafe unlink(path) == 0 ? .removed : .kept(Self.reason())
    }

    private enum Foreign {
        case otherLog
        case unknown
    }

    /// Tells why a file is not taken for this log's; `nil` for one that is.
    private func foreignness(
        _ path: String, _ status: stat, _ note: CopyNote?, _ isThorough: Bool
    ) -> Foreign? {
        let isNoted =
            note?.device == UInt64(truncatingIfNeeded: status.st_dev)
            && note?.inode == UInt64(truncatingIfNeeded: status.st_ino)
        do throws(OpenError) {
            let file = try PageFile(path: path)
            guard let isWhole = file.isWhole() else {
                // Nothing was written yet, or something else has taken the place.
                return status.st_size == 0 ? nil : .unknown
            }
            guard isThorough || isNoted || isWhole else { return .unknown }
            if let found = SalvageRows(file, { _ in }).identifier {
                return found == identifier ? nil : .otherLog
            }
            // One that ends before the row with the id is known by the note.
            return isNoted ? nil : .unknown
        } catch {
            return status.st_size == 0 ? nil : .unknown
        }
    }

    private var resolvedPath: String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }

    private func notes(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [CopyNote] {
        let key = Meta.copies
        guard let row = try transaction.row(key.rawSpan, in: tables.meta) else { return [] }
        if let notes = CopyNote.notes(row) { return notes }
        throw .damaged(
            table: tables.meta.name, row: key,
            .invalid(
                field: "copies", found: "\(row.byteCount) bytes", expected: "notes of copies"))
    }

    /// Notes a copy that this process makes through the open log; `false` where it may not write.
    func note(_ copy: CopyNote) throws(LogError) -> Bool {
        guard !environment.isReadOnly else { return false }
        try changeNotes { $0.append(copy) }
        return true
    }

    /// Takes off the note of a copy that has its name or is gone.
    func removeNote(of copy: CopyNote) throws(LogError) {
        try changeNotes { $0.removeAll { $0 == copy } }
    }

    private func changeNotes(_ change: (inout [CopyNote]) -> Void) throws(LogError) {
        let key = Meta.copies
        try writing { (transaction) throws(LogError) in
            var notes = try notes(in: transaction)
            change(&notes)
            if notes.isEmpty {
                try transaction.remove(key.rawSpan, from: tables.meta)
            } else {
                try transaction.put(notes.flatMap(\.bytes), for: key.rawSpan, in: tables.meta)
            }
        }
    }
}
