import CDaybookLMDB
import DaybookLibC

/// Functions that open the lock file of a log, in which LMDB keeps its reader slots and locks.
enum LockFile {
    /// Opens the lock file at `path`, and creates it if it is missing.
    ///
    /// The caller must release the file's identity, which this function claims in `OpenFiles`.
    ///
    /// - Parameters:
    ///   - data: the descriptor of the data file.
    ///   - name: the data file's path for messages.
    /// - Returns: `nil` if a read-only environment must do without a lock file: the process may not
    ///   write the file, the medium is read-only or full, or a new lock file would belong to
    ///   another user than the data file.
    static func open(
        _ path: String, _ data: CInt, name: String, _ options: OpenOptions
    ) throws(OpenError) -> (descriptor: CInt, file: FileIdentity)? {
        do throws(LMDBError) {
            // Another process may create or delete the lock file meanwhile.
            for _ in 0..<100 {
                if let status = FileStatus(of: path) {
                    guard let opened = try openExisting(path, status) else { continue }
                    try reserve(opened.descriptor, opened.file, options)
                    return opened
                }
                guard let owner = FileStatus(of: data) else { continue }
                if options.isReadOnly, geteuid() != 0, geteuid() != owner.owner { return nil }
                guard let opened = try create(path, owner) else { continue }
                try reserve(opened.descriptor, opened.file, options)
                return opened
            }
            throw LMDBError(rawValue: EAGAIN)
        } catch .otherLogOpen {
            throw .otherDataFile(path: name, lockFile: path)
        } catch {
            let mayDoWithout: [LMDBError] = [
                .accessDenied, .notPermitted, .readOnlyFileSystem, .diskFull,
            ]
            if options.isReadOnly, mayDoWithout.contains(error) { return nil }
            throw .lockFile(path: path, error)
        }
    }

    /// Opens an existing lock file, and claims its identity; `nil` if it was replaced meanwhile.
    private static func openExisting(
        _ path: String, _ status: FileStatus
    ) throws(LMDBError) -> (descriptor: CInt, file: FileIdentity)? {
        guard status.isRegular, status.linkCount == 1 else { throw .notOneFile }
        guard OpenFiles.claim(status.identity) else { throw .otherLogOpen }
        let descriptor = Descriptor.open(path, O_RDWR)
        guard descriptor >= 0 else {
            let code = errno
            OpenFiles.release(status.identity)
            if code == ENOENT { return nil }
            throw LMDBError(rawValue: code)
        }
        guard FileStatus(of: descriptor)?.identity == status.identity else {
            // The descriptor stays open: another environment of this process may have locked the
            // file that it leads to, and would lose its locks.
            OpenFiles.release(status.identity)
            return nil
        }
        return (descriptor, status.identity)
    }

    /// Creates the lock file with the permissions of the data file, so that every writer can lock
    /// it; returns `nil` if another process created it first.
    private static func create(
        _ path: String, _ data: FileStatus
    ) throws(LMDBError) -> (descriptor: CInt, file: FileIdentity)? {
        let mode = data.mode & 0o666
        let descriptor = Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode)
        guard descriptor >= 0 else {
            if errno == EEXIST { return nil }
            throw LMDBError(rawValue: errno)
        }
        guard let status = FileStatus(of: descriptor), OpenFiles.claim(status.identity) else {
            close(descriptor)
            return nil
        }
        // Either call may be refused; then the file keeps the owner that created it.
        if status.owner != data.owner { _ = fchown(descriptor, data.owner, data.group) }
        if status.group != data.group { _ = fchown(descriptor, uid_t.max, data.group) }
        _ = fchmod(descriptor, mode)
        return (descriptor, status.identity)
    }

    /// Allocates the disk blocks of the lock file. If the disk is full or fails, closes the file
    /// and throws.
    ///
    /// LMDB writes the file through a memory map; on a full disk such a write would end the process
    /// with a signal.
    private static func reserve(
        _ descriptor: CInt, _ file: FileIdentity, _ options: OpenOptions
    ) throws(LMDBError) {
        // A reader slot has 64 bytes; before the slots are two mutexes with 64 to 128 bytes each.
        let needed = (Int(options.maxReaders) + 4) * 64
        let byteCount = max(needed, FileStatus(of: descriptor)?.byteCount ?? 0)
        let code = daybook_reserve(descriptor, Int64(byteCount))
        if code == ENOSPC || code == EDQUOT || code == EIO {
            OpenFiles.willClose(file)
            close(descriptor)
            OpenFiles.release(file)
            throw code == EIO ? LMDBError(rawValue: code) : .diskFull
        }
    }
}
