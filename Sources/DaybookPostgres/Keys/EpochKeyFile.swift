#if PostgreSQL
    import Daybook
    import DaybookCryptography
    import DaybookLibC
    import DaybookLog

    /// The keys of epochs in a file that only its owner may read.
    ///
    /// `docs/format.md` describes its lines. A new key is appended and synced before it is used. A
    /// destroyed key is overwritten in place and synced. Copies that a file system or a disk keeps
    /// elsewhere remain, and backups of the file must be destroyed too.
    package struct EpochKeyFile: EpochKeySource {
        package let path: String

        private static let header = "daybook-epoch-keys-v1\n"
        /// The digits in place of a destroyed key.
        private static let destroyed = String(repeating: "0", count: 64)

        package init(_ path: String) { self.path = path }

        package func createKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            let file = try OpenFile(path, O_RDWR | O_CREAT)
            try file.lock(LOCK_EX)
            let content = try Content(try file.read(), path)
            let id = Hexadecimal.text(log)
            if let entry = content.entry(of: epoch, log: id) { return try key(entry, epoch, id) }
            // A line that a killed program has begun was never used.
            try file.truncate(to: content.byteCount)
            let key = RandomBytes.fresh(AESGCMKey.byteCount)
            let header = content.byteCount == 0 ? Self.header : ""
            let line = "\(header)\(id) \(epoch) \(Hexadecimal.text(key))\n"
            try file.write(Array(line.utf8), at: content.byteCount)
            try file.sync(withFolder: content.byteCount == 0)
            return key
        }

        package func key(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) -> [UInt8] {
            let file = try OpenFile(path, O_RDONLY)
            try file.lock(LOCK_SH)
            let content = try Content(try file.read(), path)
            let id = Hexadecimal.text(log)
            guard let entry = content.entry(of: epoch, log: id) else {
                throw .missing(source: path, epoch: epoch, log: id)
            }
            return try key(entry, epoch, id)
        }

        /// Creates the file with keys of a log; throws an error if it exists.
        func create(_ keys: [(epoch: Int32, key: [UInt8])], log: [UInt8]) throws(EpochKeyError) {
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL)
            let id = Hexadecimal.text(log)
            let lines = keys.map { "\(id) \($0.epoch) \(Hexadecimal.text($0.key))\n" }
            try file.write(Array((Self.header + lines.joined()).utf8), at: 0)
            try file.sync(withFolder: true)
        }

        package func destroyKey(of epoch: Int32, log: [UInt8]) throws(EpochKeyError) {
            let file = try OpenFile(path, O_RDWR)
            try file.lock(LOCK_EX)
            let content = try Content(try file.read(), path)
            guard let entry = content.entry(of: epoch, log: Hexadecimal.text(log)) else { return }
            try file.write(Array(Self.destroyed.utf8), at: entry.keyOffset)
            try file.sync(withFolder: false)
        }

        package func destroyCopies(of epochs: [Int32], log: [UInt8]) throws(EpochKeyError) {
            for epoch in epochs {
                do throws(EpochKeyError) { _ = try key(of: epoch, log: log) } catch {
                    switch error {
                    case .missing, .destroyed: continue
                    default: throw error
                    }
                }
                try destroyKey(of: epoch, log: log)
            }
        }

        /// The key of an entry, unless it was destroyed.
        private func key(
            _ entry: Entry, _ epoch: Int32, _ id: String
        ) throws(EpochKeyError) -> [UInt8] {
            guard entry.key.contains(where: { $0 != 0 }) else {
                throw .destroyed(source: path, epoch: epoch, log: id)
            }
            return entry.key
        }

        fileprivate struct Entry {
            var log: String
            var epoch: Int32
            var key: [UInt8]
            /// The offset of the digits of the key.
            var keyOffset: Int
        }

        private struct Content {
            private var entries: [Entry] = []
            /// The number of bytes of all complete lines.
            private(set) var byteCount = 0

            init(_ bytes: [UInt8], _ path: String) throws(EpochKeyError) {
                var number = 0
                while let end = bytes[byteCount...].firstIndex(of: UInt8(ascii: "\n")) {
                    number += 1
                    let line = String(decoding: bytes[byteCount..<end], as: UTF8.self)
                    if number == 1 {
                        guard line + "\n" == header else {
                            throw .line(
                                path: path, line: 1,
                                reason: "expected '\(header.dropLast())', as the first line of a "
                                    + "file of keys")
                        }
                    } else {
                        guard let entry = Entry(line, at: byteCount) else {
                            throw .line(
                                path: path, line: number,
                                reason:
                                    "expected the id of a log, the number of an epoch and a key "
                                    + "of 64 hexadecimal digits, with single spaces between them")
                        }
                        entries.append(entry)
                    }
                    byteCount = end + 1
                }
                guard number > 0 || header.utf8.starts(with: bytes) else {
                    throw .line(path: path, line: 1, reason: "the file does not hold epoch keys")
                }
            }

            /// The last entry of an epoch.
            func entry(of epoch: Int32, log: String) -> Entry? {
                entries.last { $0.epoch == epoch && $0.log == log }
            }
        }
    }

    extension EpochKeyFile.Entry {
        /// Reads a line; `nil` if it is malformed.
        fileprivate init?(_ line: String, at offset: Int) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[0].utf8.count == 32, Hexadecimal.bytes(words[0]) != nil,
                let epoch = Int32(words[1]), epoch > 0, "\(epoch)" == words[1],
                let key = Hexadecimal.bytes(words[2]), key.count == AESGCMKey.byteCount
            else { return nil }
            log = String(words[0])
            self.epoch = epoch
            self.key = key
            keyOffset = offset + words[0].utf8.count + words[1].utf8.count + 2
        }
    }

    /// An open file of keys, which is closed at the end of this value.
    private struct OpenFile: ~Copyable {
        private let path: String
        private let descriptor: CInt

        /// Opens a regular file that only its owner may read.
        init(_ path: String, _ flags: CInt) throws(EpochKeyError) {
            if flags & O_CREAT != 0, let role = LogFiles.role(of: path), role != .keys {
                throw .file(
                    path: path, reason: "this is \(role.rawValue), which is not overwritten")
            }
            let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(path) }
            var status = stat()
            var problem: EpochKeyError?
            if unsafe fstat(descriptor, &status) != 0 {
                problem = Self.failure(path)
            } else if status.st_mode & S_IFMT != S_IFREG {
                problem = .file(path: path, reason: "expected a regular file")
            } else if status.st_mode & 0o077 != 0 {
                problem = .file(
                    path: path,
                    reason: "others than the owner have access to the file of keys; use chmod 600")
            }
            if let problem {
                _ = close(descriptor)
                throw problem
            }
            self.path = path
            self.descriptor = descriptor
        }

        deinit { _ = close(descriptor) }

        private static func failure(_ path: String) -> EpochKeyError {
            .file(path: path, reason: unsafe String(cString: strerror(errno)))
        }

        /// Waits for the lock of the file, so that one program changes it at a time.
        func lock(_ kind: CInt) throws(EpochKeyError) {
            while flock(descriptor, kind) != 0 {
                guard errno == EINTR else { throw Self.failure(path) }
            }
        }

        func read() throws(EpochKeyError) -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                    unsafe pread(descriptor, chunk.baseAddress, chunk.count, off_t(bytes.count))
                }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw Self.failure(path) }
                if count == 0 { return bytes }
                bytes += chunk[..<count]
            }
        }

        func write(_ bytes: [UInt8], at offset: Int) throws(EpochKeyError) {
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes[written...].withUnsafeBytes { rest in
                    unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(path) }
                written += count
            }
        }

        func truncate(to size: Int) throws(EpochKeyError) {
            guard ftruncate(descriptor, off_t(size)) == 0 else { throw Self.failure(path) }
        }

        /// Syncs the file, and the folder for a new file.
        func sync(withFolder isNew: Bool) throws(EpochKeyError) {
            guard fsync(descriptor) == 0 else { throw Self.failure(path) }
            guard isNew else { return }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard opened >= 0 else { throw Self.failure(folder) }
            defer { _ = close(opened) }
            guard fsync(opened) == 0 else { throw Self.failure(folder) }
        }
    }
#endif
