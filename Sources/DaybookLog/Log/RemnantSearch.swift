import Daybook
import DaybookLMDB
import DaybookLibC

/// A search for the unfinished copies of a log.
package struct RemnantSearch {
    private let file: LogFile

    package init(_ file: LogFile) { self.file = file }

    /// Removes the unfinished copies of this log.
    ///
    /// Checks the files that the notes name, and the file that interrupted compacting leaves.
    ///
    /// - Parameter isThorough: `true` to search each incomplete file for the id of its log; `false`
    ///   to keep an incomplete file if no note matches it.
    /// - Returns: each copy, with the information that it was removed, or why it was not.
    package func removeRemnants(isThorough: Bool = true) throws(LogError) -> [CopyRemnant] {
        let (remnants, settled) = try checkRemnants(isThorough, removes: true)
        if !settled.isEmpty { try changeNotes { $0.removeAll(where: settled.contains) } }
        return remnants
    }

    /// Returns the unfinished copies that `removeRemnants` would check, without removing any.
    package func remnants() throws(LogError) -> [CopyRemnant] {
        try checkRemnants(true, removes: false).remnants
    }

    /// Stores where a copy of the log is about to be written.
    ///
    /// If the copy is interrupted, later writers and erasures find the unfinished file by the note.
    package func add(_ note: CopyNote) throws(LogError) {
        try changeNotes { $0.append(note) }
    }

    /// Removes the note about a copy that is complete or deleted.
    package func remove(_ note: CopyNote) throws(LogError) {
        try changeNotes { $0.removeAll { $0 == note } }
    }

    /// Checks all unfinished copies that the log can find.
    ///
    /// - Parameter removes: `true` to remove those that can be removed.
    /// - Returns: the copies, and the notes whose file is missing, can be removed, is this log
    ///   itself or belongs to another log.
    private func checkRemnants(
        _ isThorough: Bool, removes: Bool
    ) throws(LogError) -> (remnants: [CopyRemnant], settled: Set<CopyNote>) {
        let notes = try notes(in: file.beginReading())
        var remnants: [CopyRemnant] = []
        var settled: Set<CopyNote> = []
        for note in notes {
            let fate = checkRemnant(note.path, note, isThorough, removes)
            if fate == nil || fate == .removed { settled.insert(note) }
            if let fate { remnants.append(CopyRemnant(path: note.path, fate: fate)) }
        }
        // Compacting writes its copy beside the real file, even if the log was opened through a
        // link.
        let beside = resolvedPath + LogFiles.partialSuffix
        if !notes.contains(where: { $0.path == beside }),
            let fate = checkRemnant(beside, nil, isThorough, removes)
        {
            remnants.append(CopyRemnant(path: beside, fate: fate))
        }
        return (remnants, settled)
    }

    /// Checks one file and, if `removes` is true, removes it; `nil` if the file is missing, is this
    /// log itself or belongs to another log.
    private func checkRemnant(
        _ path: String, _ note: CopyNote?, _ isThorough: Bool, _ removes: Bool
    ) -> CopyRemnant.Fate? {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            return .kept(errno == ELOOP ? "it is a symbolic link" : Self.errnoMessage())
        }
        defer { _ = close(descriptor) }
        var (status, own) = (stat(), stat())
        guard unsafe fstat(descriptor, &status) == 0 else { return .kept(Self.errnoMessage()) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .kept("it is not a regular file") }
        // The unfinished copy may have been renamed to become this log.
        guard unsafe stat(file.path, &own) == 0,
            own.st_dev != status.st_dev || own.st_ino != status.st_ino
        else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            return .kept("another process is writing it")
        }
        guard status.st_nlink == 1 else { return .kept("it has a second hard link") }
        switch mismatch(path, status, note, isThorough) {
        case .otherLog: return nil
        case .unknown: return .kept("the log of which it is a copy cannot be identified")
        case nil: break
        }
        guard removes else { return .removed }
        _ = unsafe unlink(path + "-lock")
        return unsafe unlink(path) == 0 ? .removed : .kept(Self.errnoMessage())
    }

    /// A reason why a file cannot be treated as a copy of this log.
    private enum CopyMismatch {
        /// The file is a copy of a log with another id.
        case otherLog
        /// It cannot be determined of which log the file is a copy.
        case unknown
    }

    /// Returns the reason why a file cannot be treated as a copy of this log; `nil` if it can.
    private func mismatch(
        _ path: String, _ status: stat, _ note: CopyNote?, _ isThorough: Bool
    ) -> CopyMismatch? {
        let isNoted =
            note?.device == UInt64(truncatingIfNeeded: status.st_dev)
            && note?.inode == UInt64(truncatingIfNeeded: status.st_ino)
        guard let pages = try? PageFile(path: path), let isWhole = pages.isWhole() else {
            // Either nothing was written yet, or the file is not a copy of a log.
            return status.st_size == 0 ? nil : .unknown
        }
        guard isThorough || isNoted || isWhole else { return .unknown }
        if let found = SalvageRows(pages, { _ in }).identifier {
            return found == file.identifier ? nil : .otherLog
        }
        // A copy that ends before the row with the id is identified by the note.
        return isNoted ? nil : .unknown
    }

    /// The path of the log file without symbolic links.
    private var resolvedPath: String {
        guard let resolved = unsafe realpath(file.path, nil) else { return file.path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Returns the system's message for the current `errno`.
    private static func errnoMessage() -> String { unsafe String(cString: strerror(errno)) }

    /// Returns the notes that the log has stored about unfinished copies.
    private func notes(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [CopyNote] {
        let key = Meta.copies
        guard let row = try transaction.row(key.rawSpan, in: file.tables.meta) else { return [] }
        if let notes = CopyNote.decodeAll(row) { return notes }
        throw .damaged(
            table: file.tables.meta.name, row: key,
            .invalid(
                field: "copies", found: "\(row.byteCount) bytes that are not notes",
                expected: "notes about unfinished copies"))
    }

    /// Changes the stored notes about unfinished copies with `change`, in one transaction.
    private func changeNotes(_ change: (inout [CopyNote]) -> Void) throws(LogError) {
        let key = Meta.copies
        try file.writing { (transaction) throws(LogError) in
            var notes = try notes(in: transaction)
            change(&notes)
            if notes.isEmpty {
                try transaction.remove(key.rawSpan, from: file.tables.meta)
            } else {
                try transaction.put(notes.flatMap(\.bytes), for: key.rawSpan, in: file.tables.meta)
            }
        }
    }
}
