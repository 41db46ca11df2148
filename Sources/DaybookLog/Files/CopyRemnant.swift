import Daybook
import DaybookLMDB
import DaybookLibC

/// An unfinished copy of a log, which a killed process left behind or which is still being written.
///
/// The copy contains encryption keys and encrypted texts, so data that is erased in the log later
/// can still be read from the copy.
package struct CopyRemnant: Hashable, Sendable {
    /// The path of the unfinished copy.
    public var path: String
    /// The result of the attempt to remove the copy; in the answer of `remnants()`, which removes
    /// nothing, the expected result.
    public var fate: Fate

    /// The result of an attempt to remove an unfinished copy.
    package enum Fate: Hashable, Sendable {
        /// The copy was removed; in the answer of `remnants()`, it can be removed.
        case removed
        /// The copy could not be removed; the text is the reason, such as "it is a symbolic link".
        case kept(String)
    }
}

/// A note about a copy of the log, stored in the log before the copy begins and removed after it.
package struct CopyNote: Hashable, Sendable {
    /// The absolute path of the unfinished file.
    public var path: String
    /// The device number of the unfinished file, as `stat` returns it.
    var device: UInt64
    /// The inode number of the unfinished file.
    var inode: UInt64

    /// Creates the note about a copy that is written to a staged file.
    public init(_ copy: borrowing StagedFile) throws(LogError) {
        var status = stat()
        guard unsafe fstat(copy.descriptor, &status) == 0 else {
            throw .file(.fromErrno(copy.path))
        }
        guard let resolved = unsafe realpath(copy.path, nil) else {
            throw .file(.fromErrno(copy.path))
        }
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

    /// The stored form, little-endian: device (8 bytes), inode (8), byte count of the path (4),
    /// path.
    var bytes: [UInt8] {
        let path = Array(path.utf8)
        return device.bytes + inode.bytes + UInt32(path.count).bytes + path
    }

    /// Decodes the row `copies` of the table `meta`, which lists notes; `nil` if it is malformed.
    static func decodeAll(_ row: RawSpan) -> [CopyNote]? {
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
