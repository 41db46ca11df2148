import DaybookLMDB
import DaybookLibC

/// Why no copy of a log was made.
public enum BackupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The log could not be read.
    case log(LogError)
    /// The copy could not be written.
    case file(FileError)

    public var description: String {
        switch self {
        case .log(let error): "\(error)"
        case .file(let error): "\(error)"
        }
    }
}

extension EventLog {
    /// Makes a compacted copy of the log, while others append to it.
    ///
    /// The copy holds the log as of one commit. It has its name once it is whole and on disk; an
    /// existing file is never overwritten. It is not read again: `verify` of the copy proves it.
    ///
    /// A log that was opened for writing notes the copy before it begins, so that what is left of
    /// an interrupted one is found by later writers and erasures. One opened for reading keeps no
    /// note: `EventLog.add(_:toLogAt:)` makes one while the log is closed.
    public func backup(to path: String) throws(BackupError) {
        let file: StagedFile
        do throws(FileError) {
            file = try StagedFile(for: path, from: self.path)
        } catch {
            throw .file(error)
        }
        let note: CopyNote
        do throws(FileError) {
            note = try CopyNote(file)
        } catch {
            throw .file(error)
        }
        let isNoted: Bool
        isNoted = try BackupError.mappingLogErrors(try self.note(note))
        var failure: BackupError?
        do throws(BackupError) {
            try write(file)
        } catch {
            failure = error
        }
        if isNoted {
            do throws(LogError) {
                try removeNote(of: note)
            } catch {
                throw failure ?? .log(error)
            }
        }
        if let failure { throw failure }
    }

    /// Fills a staged file and gives it its name.
    private func write(_ file: consuming StagedFile) throws(BackupError) {
        try writeCopy(to: file)
        do throws(FileError) {
            try file.takePermissions(of: self.path)
            try file.publish()
        } catch {
            throw .file(error)
        }
    }

    /// Writes a compacted copy of the log, as of one commit, to a staged file.
    public func writeCopy(to file: borrowing StagedFile) throws(BackupError) {
        let isDirect = Self.bypassCache(file.descriptor)
        do throws(BackupError) {
            try writeCopy(to: file.descriptor, named: file.target)
        } catch .file(.failed(_, EINVAL)) where isDirect {
            // A file system that takes the flag and not the writes.
            guard ftruncate(file.descriptor, 0) == 0,
                lseek(file.descriptor, 0, SEEK_SET) == 0,
                fcntl(file.descriptor, F_SETFL, O_RDWR) == 0
            else { throw .file(.last(file.target)) }
            try writeCopy(to: file.descriptor, named: file.target)
        }
    }

    /// Writes a compacted copy of the log, as of one commit, to an open file or pipe.
    ///
    /// - Parameter name: what errors call the file.
    public func writeCopy(to descriptor: CInt, named name: String) throws(BackupError) {
        do throws(LMDBError) {
            try environment.copy(to: descriptor)
        } catch {
            // Numbers of the system come from writing, negative ones from LMDB's reading.
            throw error.rawValue > 0
                ? .file(.failed(path: name, code: error.rawValue)) : .log(.storage(error))
        }
    }

    /// Writes past the cache where the file system can, so that a large copy does not push the
    /// log's own pages out of it, and is read back from the disk when it is proven.
    private static func bypassCache(_ descriptor: CInt) -> Bool {
        #if canImport(Darwin)
            fcntl(descriptor, F_NOCACHE, 1) == 0
        #elseif canImport(Glibc)
            // Named `O_DIRECT` under `_GNU_SOURCE` alone, which Swift's importer does not define.
            fcntl(descriptor, F_SETFL, O_RDWR | __O_DIRECT) == 0
        #else
            fcntl(descriptor, F_SETFL, O_RDWR | O_DIRECT) == 0
        #endif
    }
}
