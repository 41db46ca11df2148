import DaybookLMDB
import DaybookLibC

extension EventLog {
    /// Writes a compacted copy of the log to `path`; other writers may append to the log meanwhile.
    ///
    /// The copy contains the log as of one commit. It gets its name only after it is complete and
    /// on disk; an existing file is never overwritten. The copy is not read again: open it and call
    /// `verify` to check it.
    ///
    /// A log that is open for writing first stores a note about the copy, by which later writers
    /// and erasures find the file if the copy is interrupted. A log that is open for reading stores
    /// no note; `CopyNote.add(toLogAt:)` can store one while the log is closed.
    public func backup(to path: String) throws(LogError) {
        let file = try StagedFile(for: path, from: self.path)
        let note = try CopyNote(file)
        let isNoted = !self.file.environment.isReadOnly
        if isNoted { try RemnantSearch(self.file).add(note) }
        do throws(LogError) {
            try BackupFile(self).write(file)
        } catch {
            if isNoted { try? RemnantSearch(self.file).remove(note) }
            throw error
        }
        if isNoted { try RemnantSearch(self.file).remove(note) }
    }

    /// Writes a compacted copy of the log, as of one commit, to an open file or pipe.
    ///
    /// - Parameter name: the name of the file or pipe in errors.
    public func writeCopy(to descriptor: CInt, named name: String) throws(LogError) {
        do throws(CopyError) {
            try file.environment.copy(to: descriptor)
        } catch {
            switch error {
            case .damaged(let fault): throw .page(fault)
            case .unreadable(let error): throw .storage(error)
            case .unwritable(let error):
                throw .file(.failed(path: name, code: error.rawValue))
            }
        }
    }
}

/// The steps of writing a copy of a log.
package struct BackupFile {
    private let log: EventLog

    package init(_ log: EventLog) { self.log = log }

    /// Writes a compacted copy of the log, as of one commit, to a staged file.
    package func writeCopy(to file: borrowing StagedFile) throws(LogError) {
        let isDirect = Self.bypassCache(file.descriptor)
        do throws(LogError) {
            try log.writeCopy(to: file.descriptor, named: file.target)
        } catch .file(.failed(_, EINVAL)) where isDirect {
            // Some file systems accept the flag but reject the writes.
            guard ftruncate(file.descriptor, 0) == 0,
                lseek(file.descriptor, 0, SEEK_SET) == 0,
                fcntl(file.descriptor, F_SETFL, O_RDWR) == 0
            else { throw .file(.fromErrno(file.target)) }
            try log.writeCopy(to: file.descriptor, named: file.target)
        }
    }

    /// Writes the copy to a staged file, sets its permissions and gives it its final name.
    func write(_ file: consuming StagedFile) throws(LogError) {
        try writeCopy(to: file)
        try file.copyPermissions(of: log.path)
        try file.publish()
    }

    /// Makes writes to a file bypass the page cache; returns `false` if that is not supported.
    ///
    /// A large copy then does not evict the log's pages from the cache, and `verify` reads it from
    /// the disk.
    static func bypassCache(_ descriptor: CInt) -> Bool {
        #if canImport(Darwin)
            fcntl(descriptor, F_NOCACHE, 1) == 0
        #elseif canImport(Glibc)
            // `O_DIRECT` requires `_GNU_SOURCE`, which Swift's importer does not define.
            fcntl(descriptor, F_SETFL, O_RDWR | __O_DIRECT) == 0
        #else
            fcntl(descriptor, F_SETFL, O_RDWR | O_DIRECT) == 0
        #endif
    }
}

extension CopyNote {
    /// Stores in the log at `path` that the copy is about to be written.
    ///
    /// If the copy is interrupted, later writers and erasures find the unfinished file by the note.
    package func add(toLogAt path: String) throws(LogError) {
        try RemnantSearch(EventLog(path: path, access: .write).file).add(self)
    }

    /// Removes the note from the log at `path`, after the copy is complete or deleted.
    package func remove(fromLogAt path: String) throws(LogError) {
        try RemnantSearch(EventLog(path: path, access: .write).file).remove(self)
    }
}
