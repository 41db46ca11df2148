import CDaybookLMDB
import DaybookLibC
import Synchronization

/// The identity of a file, independent of its name: two paths to one inode are one file.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// The attributes of a file, such as its size and its owner.
struct FileStatus: Sendable {
    let identity: FileIdentity
    let linkCount: Int
    let byteCount: Int
    let isRegular: Bool
    /// Permission bits, without the file type.
    let mode: mode_t
    let owner: uid_t
    let group: gid_t

    /// Reads the attributes of the file at `path`; `nil` if there is no such file. Does not follow
    /// a symbolic link at the end of `path`.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the attributes of the file to which `path` leads; `nil` if there is no such file.
    init?(following path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the attributes of an open file; `nil` on failure.
    init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        linkCount = Int(status.st_nlink)
        byteCount = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        mode = status.st_mode & 0o777
        owner = status.st_uid
        group = status.st_gid
    }
}

enum Descriptor {
    /// Opens a file, but not a symbolic link; returns -1 with `errno` set on failure.
    static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) -> CInt {
        // Without O_NONBLOCK the opening of a FIFO would wait for its other end.
        let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return retrying { openFile(path, flags, mode) }
    }

    /// Opens a file, also through a symbolic link; returns -1 with `errno` set on failure.
    static func openFollowing(_ path: String, _ flags: CInt, mode: mode_t) -> CInt {
        retrying { openFile(path, flags | O_CLOEXEC, mode) }
    }
}

/// Calls the system's `open`, which `Descriptor.open` hides inside `Descriptor`.
private func openFile(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
    open(path, flags, mode)
}

/// The data files and lock files that this process has open. LMDB must not open a file twice, and
/// closing any descriptor of a lock file would release all locks of the process on that file.
enum OpenFiles {
    private struct Files {
        /// Files that are open, also while they are being closed.
        var open: Set<FileIdentity> = []
        /// Files that are being closed.
        var closing: Set<FileIdentity> = []
    }

    private static let files = Mutex(Files())

    /// Records a file as open. Returns `false` if the file is recorded already.
    ///
    /// Waits, for a second at most, for the end of a file that is being closed. A file system may
    /// give the number of a deleted file to a new one as soon as the last descriptor is closed.
    static func claim(_ file: FileIdentity) -> Bool {
        for _ in 0..<10_000 {
            let (isClaimed, isClosing) = files.withLock { files in
                (files.open.insert(file).inserted, files.closing.contains(file))
            }
            if isClaimed || !isClosing { return isClaimed }
            usleep(100)
        }
        return false
    }

    /// Records that a file is about to be closed, and will then be released.
    static func willClose(_ file: FileIdentity) { _ = files.withLock { $0.closing.insert(file) } }

    /// Removes the record of a file that is no longer open.
    static func release(_ file: FileIdentity) {
        files.withLock { files in
            files.open.remove(file)
            files.closing.remove(file)
        }
    }
}

/// Operations on the file system that holds a file.
enum FileSystem {
    /// Syncs the folder of a file, so that new names survive a power failure; `false` on failure.
    static func syncFolder(of path: String) -> Bool {
        guard let realPath = realPath(path) else { return false }
        let folder = realPath.lastIndex(of: "/").map { String(realPath[...$0]) } ?? "."
        let descriptor = Descriptor.openFollowing(folder, O_RDONLY, mode: 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder, and need not.
        return fsync(descriptor) == 0 || errno == EINVAL
    }

    /// Returns the path without symbolic links, or `nil` if no file exists at the path.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the path from the root, with the folder of the process before a relative one.
    static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = realPath(".") else { return path }
        return folder + "/" + path
    }

    /// True if at most a mebibyte is free on the file system that holds the file.
    static func isFull(_ descriptor: CInt) -> Bool {
        var status = statvfs()
        guard retrying({ fstatvfs(descriptor, &status) }) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) <= 1 << 20
    }

    /// True if `path` leads to a regular file or to nothing; false for a folder, for example.
    static func mayBeFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the name of the network file system that holds `path`; `nil` if it is local. If
    /// `path` does not exist, its folder is examined instead.
    static func networkName(of path: String) -> String? {
        var status = statfs()
        if statfs(path, &status) != 0 {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? "."
            guard statfs(folder, &status) == 0 else { return nil }
        }
        #if canImport(Darwin)
            return status.f_flags & UInt32(MNT_LOCAL) == 0 ? "not local" : nil
        #else
            return networkName(ofType: UInt32(truncatingIfNeeded: status.f_type))
        #endif
    }

    /// Returns the name of the network file system with this `f_type`; `nil` if it is local.
    ///
    /// Source: statfs(2).
    static func networkName(ofType type: UInt32) -> String? {
        switch type {
        case 0x6969: "NFS"
        case 0x517B, 0xFF53_4D42, 0xFE53_4D42: "SMB"
        case 0x5346_414F: "AFS"
        case 0x00C3_6400: "Ceph"
        case 0x0102_1997: "9P"
        case 0x6573_5546: "FUSE"
        case 0x0BD0_0BD0: "Lustre"
        default: nil
        }
    }
}
