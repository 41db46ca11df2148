import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file whatever its name: two paths to one inode are one file.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// `nil` where there is no file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}

/// The files this process has open: LMDB must not open one twice.
enum OpenFiles {
    private static let files = Mutex<Set<FileIdentity>>([])

    /// `false` if it is taken.
    static func claim(_ file: FileIdentity) -> Bool {
        files.withLock { $0.insert(file).inserted }
    }

    static func release(_ file: FileIdentity) {
        _ = files.withLock { $0.remove(file) }
    }
}

/// Where a file lies.
enum FileSystem {
    /// Whether there is a file at `path`, or nothing at all.
    static func mayBeFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// The name of the network file system that holds `path`, or its folder; `nil` on a local one.
    static func networkName(of path: String) -> String? {
        var status = statfs()
        if statfs(path, &status) != 0 {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? "."
            guard statfs(folder, &status) == 0 else { return nil }
        }
        #if canImport(Glibc)
            return networkName(ofType: UInt32(truncatingIfNeeded: status.f_type))
        #else
            return status.f_flags & UInt32(MNT_LOCAL) == 0 ? "not local" : nil
        #endif
    }

    /// By the type that `statfs` gives. Source: statfs(2).
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
