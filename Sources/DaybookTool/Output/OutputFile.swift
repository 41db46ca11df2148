import DaybookLibC

/// Writes a file whole or not at all.
///
/// The text goes to a new file of an unpredictable name in the same folder, which then takes the
/// place of the old one. No link is followed, at the file's own name or at that of the new file, and
/// nothing but a file is replaced, so that a planted link, pipe or device neither receives anything
/// nor holds the tool up.
package enum OutputFile {
    /// The treatment of a file that exists.
    package enum Existing: Sendable {
        case refused
        case replaced
        /// Replaced where it is empty or begins with a text that only this tool's files of the kind
        /// begin with.
        case replacedIfItBegins(with: String)

        /// Refused without `--force`.
        package init(force: Bool) { self = force ? .replaced : .refused }
    }

    /// Refuses a file that may not be written, before work whose result it is to hold.
    package static func check(_ path: String, over existing: Existing) throws {
        // The name of a file within a folder may come of the work.
        if Folders.isFolder(path) != true { try check(try Target(path, ""), existing) }
    }

    private static func check(_ target: Target, _ existing: Existing) throws {
        guard target.mode != nil else { return }
        switch existing {
        case .replaced: return
        case .refused:
            throw Failure(.usage, "\(target.path): is there already; --force replaces it")
        case .replacedIfItBegins(let text):
            let bytes = try InputFile.bytes(of: target.path)
            guard bytes.isEmpty || bytes.starts(with: text.utf8) else {
                throw Failure(
                    .usage,
                    "\(target.path): is there already and no earlier report; name another file")
            }
        }
    }

    /// - Parameters:
    ///   - path: a file, or a folder in which the file is to be called `name`.
    ///   - existing: treatment of a file that exists.
    /// - Returns: the path of the file, which is on the disk.
    @discardableResult
    package static func write(
        _ text: String, to path: String, _ name: String = "", over existing: Existing
    ) throws -> String {
        let target = try Target(path, name)
        try check(target, existing)
        let folder = unsafe open(target.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw unwritable(target.path, SystemError()) }
        defer { close(folder) }
        do throws(SystemError) {
            try replace(target, in: folder, with: Array(text.utf8))
        } catch {
            throw unwritable(target.path, error)
        }
        return target.path
    }

    /// Where a file goes.
    private struct Target {
        var folder: String
        var name: String
        var path: String
        /// The mode of the existing file.
        var mode: mode_t?

        init(_ path: String, _ name: String) throws {
            self.init(path: path)
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return }
            if status.st_mode & S_IFMT == S_IFDIR, !name.isEmpty {
                // Ids come from a log, and may not lead out of the folder.
                let name = name.replacing("/", with: "_")
                self.init(path: path.hasSuffix("/") ? path + name : "\(path)/\(name)")
                guard unsafe lstat(self.path, &status) == 0 else { return }
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFLNK:
                throw Failure(
                    .usage, "\(self.path): is a link, which is not followed; name the file itself")
            case S_IFDIR: throw Failure(.usage, "\(self.path): is a folder")
            default:
                throw Failure(
                    .usage, "\(self.path): is no file; standard output takes the text as well")
            }
            guard unsafe access(self.path, W_OK) == 0,
                status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) != 0
            else { throw Failure(.usage, "\(self.path): may not be written") }
            mode = status.st_mode & 0o777
        }

        private init(path: String) {
            self.path = path
            guard let slash = path.lastIndex(of: "/") else {
                (folder, name) = (".", path)
                return
            }
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
            name = String(path[path.index(after: slash)...])
        }
    }

    private static func replace(
        _ target: Target, in folder: Int32, with bytes: [UInt8]
    ) throws(SystemError) {
        let (file, name) = try create(in: folder, private: target.mode != nil)
        var isPlaced = false
        defer { if !isPlaced { _ = unsafe unlinkat(folder, name, 0) } }
        do throws(SystemError) {
            try FileWriting.write(bytes, to: file)
            if let mode = target.mode { try checked(fchmod(file, mode)) }
            try checked(fsync(file))
        } catch {
            close(file)
            throw error
        }
        try checked(close(file))
        try checked(unsafe renameat(folder, name, folder, target.name))
        isPlaced = true
        try checked(fsync(folder))
    }

    /// Creates a file with an unpredictable name.
    ///
    /// - Parameter isPrivate: `true` if no other user may read it until it gets its final rights.
    private static func create(
        in folder: Int32, private isPrivate: Bool
    ) throws(SystemError) -> (file: Int32, name: String) {
        var generator = SystemRandomNumberGenerator()
        while true {
            let name = ".replay-\(String(generator.next(), radix: 36)).partial"
            let file = unsafe openat(
                folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                isPrivate ? 0o600 : 0o644)
            if file >= 0 { return (file, name) }
            guard errno == EEXIST else { throw SystemError() }
        }
    }

    private static func checked(_ result: Int32) throws(SystemError) {
        guard result != 0 else { return }
        throw SystemError()
    }

    private static func unwritable(_ path: String, _ error: SystemError) -> Failure {
        Failure(.usage, "\(path): cannot be written: \(error)")
    }
}
