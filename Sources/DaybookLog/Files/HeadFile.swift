import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// A file that records the newest head of one log, to detect that the log was rolled back.
///
/// After a commit is on disk and before `append` returns, the head of the commit is written to this
/// file. Every later opening of the log with this file checks that the log still contains the head.
/// After a crash between the two writes, the file may lag behind the log; it is never ahead. Any
/// number of processes may share the file.
///
/// The file protects only against an attacker who can replace the log but not the head file.
///
/// The file has two slots of 4,096 bytes, each a line of text with a checksum, which are written
/// alternately. This costs one sync of allocated space; replacing the file by a rename would cost
/// two syncs and require a separate lock file.
public struct HeadFile: Sendable {
    /// The path of the head file.
    public let path: String
    /// Called with the error after a commit whose head could not be written to the file.
    let whenItLags: @Sendable (LogError) -> Void

    /// Creates a reference to a head file, without reading the file.
    ///
    /// - Parameters:
    ///   - path: the path of the file; opening a log with `.create` creates a missing file.
    ///   - whenItLags: called with the error after a commit whose head could not be written. The
    ///     commit itself is on disk, and the next commit writes its head again.
    public init(path: String, whenItLags: @escaping @Sendable (LogError) -> Void = { _ in }) {
        self.path = path
        self.whenItLags = whenItLags
    }

    /// A log's id and head, as one slot of a head file records them.
    struct Entry: Hashable {
        /// The log's id, as 32 hexadecimal digits.
        var logID: String
        /// The head of the newest commit when the entry was written.
        var head: Head
    }

    /// The longest time that a writer waits while another writer has the file locked, in seconds.
    private static let lockTimeoutSeconds = 10
}

extension HeadFile {
    /// Returns the newer of the two entries; `nil` if the file does not exist.
    ///
    /// Reads without a lock: while a writer changes one slot, the other slot is intact.
    func newestEntry() throws(LogError) -> Entry? {
        for _ in 0..<100 {
            let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else {
                if errno == ENOENT { return nil }
                throw .headFile(.fromErrno(path))
            }
            defer { _ = close(file) }
            let slots = try readSlots(of: file)
            if let newest = Self.newestEntry(of: slots) { return newest }
            // Both slots may be torn if two writers followed each other during the read, which is
            // rare.
            Self.pause()
        }
        throw .headFile(.damagedHeadFile(path: path))
    }

    /// Creates the file with a first entry; returns `false` if another process creates the file
    /// first.
    func create(_ entry: Entry) throws(LogError) -> Bool {
        do throws(LogError) {
            let file = try StagedFile(for: path, isPrivate: false, isLogsOwn: true)
            try unsafe file.write((Self.slotBytes(entry) + Self.slotBytes(entry)).contents.bytes)
            try file.publish()
            return true
        } catch .file(.exists) {
            return false
        } catch .file(.busy) {
            Self.pause()
            return false
        } catch .file(let error) {
            throw .headFile(error)
        }
    }

    /// Writes an entry, unless the file has an entry with the same or a later position.
    func advance(to entry: Entry) throws(LogError) {
        let file = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .headFile(.fromErrno(path)) }
            throw .headFile(.noHeadFile(path: path))
        }
        defer { _ = close(file) }
        try lock(file)
        let slots = try readSlots(of: file)
        guard let newest = Self.newestEntry(of: slots) else {
            throw .headFile(.damagedHeadFile(path: path))
        }
        guard newest.logID == entry.logID else { throw .headFile(.damagedHeadFile(path: path)) }
        guard newest.head.position < entry.head.position else { return }
        // The slot without the newest entry: the older one, or one that a crash left torn.
        let index = slots[0] == newest ? 1 : 0
        let bytes = Self.slotBytes(entry)
        let count = unsafe pwrite(file, bytes, bytes.count, off_t(index * Self.slotByteCount))
        guard count == bytes.count else {
            throw .headFile(count < 0 ? .fromErrno(path) : .failed(path: path, code: EIO))
        }
        guard Self.sync(file) == 0 else { throw .headFile(.fromErrno(path)) }
    }

    /// Locks the file against other writers; throws `.busy` after ten seconds.
    private func lock(_ file: CInt) throws(LogError) {
        var waited = 0
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .headFile(.fromErrno(path)) }
            guard waited < Self.lockTimeoutSeconds * 1_000 else {
                throw .headFile(.busy(path: path))
            }
            waited += 1
            Self.pause()
        }
    }

    /// Waits for a millisecond.
    private static func pause() { _ = usleep(1_000) }

    /// Waits until the content of an open file is on disk; returns 0 on success.
    private static func sync(_ file: CInt) -> CInt {
        #if canImport(Darwin)
            fsync(file)
        #else
            fdatasync(file)
        #endif
    }
}

extension HeadFile {
    /// The size of a slot in bytes: at least a memory page and a disk sector, so that an
    /// interrupted write damages only one slot.
    static let slotByteCount = 4_096
    /// The first word of each slot: the name and version of the file format.
    private static let formatName = "daybook-head-file-v1"

    /// Returns an entry as a line of text, padded with spaces to the size of a slot.
    static func slotBytes(_ entry: Entry) -> [UInt8] {
        let text = "\(formatName) \(entry.logID) \(entry.head)"
        var bytes = Array("\(text) \(checksum(text))".utf8)
        bytes.append(
            contentsOf: repeatElement(UInt8(ascii: " "), count: slotByteCount - 1 - bytes.count))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Decodes a slot; `nil` unless every byte is as `slotBytes(_:)` writes it.
    static func entry(of bytes: [UInt8]) -> Entry? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let words = text.split(separator: " ", maxSplits: 4)
        guard words.count >= 4, words[0] == formatName, Hexadecimal.bytes(words[1])?.count == 16,
            let head = Head(words[2])
        else { return nil }
        let entry = Entry(logID: String(words[1]), head: head)
        return slotBytes(entry) == bytes ? entry : nil
    }

    /// Returns 8 bytes of a text's SHA-256 in hexadecimal digits, to detect interrupted writes.
    private static func checksum(_ text: String) -> String {
        Hexadecimal.text(SHA256.hash(Array(text.utf8)).prefix(8))
    }

    /// Returns the entry with the greater position; `nil` if neither slot is intact.
    private static func newestEntry(of slots: [Entry?]) -> Entry? {
        slots.compactMap { $0 }.max { $0.head.position < $1.head.position }
    }

    /// Reads the entries in both slots of an open head file; `nil` for a damaged slot.
    private func readSlots(of file: CInt) throws(LogError) -> [Entry?] {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .headFile(.fromErrno(path)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .headFile(.notAFile(path: path)) }
        var bytes = [UInt8](repeating: 0, count: 2 * Self.slotByteCount + 1)
        let capacity = bytes.count
        let count = unsafe pread(file, &bytes, capacity, 0)
        guard count >= 0 else { throw .headFile(.fromErrno(path)) }
        guard count == 2 * Self.slotByteCount else { throw .headFile(.damagedHeadFile(path: path)) }
        return [
            Self.entry(of: Array(bytes[..<Self.slotByteCount])),
            Self.entry(of: Array(bytes[Self.slotByteCount..<count])),
        ]
    }
}

extension HeadFile {
    /// Throws `.rolledBack` if the head file of a missing log records a commit.
    ///
    /// Called when the log file is missing: a log with commits must not be replaced by a new one.
    public func refuseAbsence() throws(LogError) {
        let known = try newestEntry()
        if let gone = known.flatMap(missingLogError) { throw gone }
    }

    /// Returns the error for a missing log whose head file has an entry; `nil` if the entry records
    /// no commit.
    func missingLogError(_ known: Entry) -> LogError? {
        guard known.head.position > .origin else { return nil }
        return .rolledBack(
            headFile: path, known: known.head, .shorter(lastPosition: .origin))
    }
}

extension OpenError {
    /// True if the log file is missing, or nothing was ever written to the file.
    var isMissingLog: Bool {
        switch self {
        case .missing, .neverBegun: true
        default: false
        }
    }
}
