import DaybookLibC
import DaybookLog

/// Writer of files, each written completely or not at all.
///
/// The text goes to a new file with an unpredictable name in the same folder, which then replaces
/// the old file. A symbolic link is not followed, neither at the file's own name nor at the name of
/// the new file, and only a regular file is replaced. So a planted link, pipe or device receives no
/// data and does not block the tool. A file that belongs to a log is never replaced.
package enum OutputFile {
    /// Treatment of a file that exists already at the path.
    package enum Existing: Sendable {
        case refused
        case replaced
        /// The file is replaced if it is empty or begins with this text. The text is chosen so that
        /// only earlier outputs of the same command begin with it.
        case replacedIfItBegins(with: String)

        /// Creates the treatment that `--force` selects.
        package init(force: Bool) { self = force ? .replaced : .refused }
    }

    /// Throws a failure if the file may not be written; call this before the text is made.
    package static func check(_ path: String, over existing: Existing) throws {
        try refuseFileOfLog(path)
        // The name of a file in a folder may depend on the text.
        if Folders.isFolder(path) != true { try check(try Target(path, ""), existing) }
    }

    private static func refuseFileOfLog(_ path: String) throws {
        try mappingLogErrors { try LogFiles.refuse(path) }
    }

    /// Throws a failure if the target exists already and `existing` does not allow replacing it.
    private static func check(_ target: Target, _ existing: Existing) throws {
        try refuseFileOfLog(target.path)
        guard target.mode != nil else { return }
        switch existing {
        case .replaced: return
        case .refused:
            throw Failure(.usage, "\(target.path): the file exists already; --force replaces it")
        case .replacedIfItBegins(let text):
            let bytes = try InputFile.bytes(of: target.path)
            guard bytes.isEmpty || bytes.starts(with: text.utf8) else {
                throw Failure(
                    .usage,
                    "\(target.path): the file exists already and is not an earlier report; give "
                        + "another file")
            }
        }
    }

    /// Writes a text to a file, or the file `name` in a folder; returns the synced file's path.
    @discardableResult
    package static func write(
        _ text: String, to path: String, _ name: String = "", over existing: Existing
    ) throws -> String {
        let target = try Target(path, name)
        try check(target, existing)
        let folder = unsafe open(target.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw unwritableFailure(target.path, SystemError()) }
        defer { close(folder) }
        do throws(SystemError) { try replace(target, in: folder, with: Array(text.utf8)) } catch {
            throw unwritableFailure(target.path, error)
        }
        return target.path
    }

    private struct Target {
        var folder: String
        var name: String
        var path: String
        /// Mode of the existing file; `nil` if there is no file.
        var mode: mode_t?

        init(_ path: String, _ name: String) throws {
            self.init(path: path)
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return }
            if status.st_mode & S_IFMT == S_IFDIR, !name.isEmpty {
                // The name may contain an id from a log, and must not lead out of the folder.
                let name = name.replacing("/", with: "_")
                self.init(path: path.hasSuffix("/") ? path + name : "\(path)/\(name)")
                guard unsafe lstat(self.path, &status) == 0 else { return }
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFLNK:
                throw Failure(
                    .usage,
                    "\(self.path): the path is a link, which is not followed; give the file itself")
            case S_IFDIR:
                throw Failure(.usage, "\(self.path): the path is a folder; give the path of a file")
            default:
                throw Failure(
                    .usage,
                    "\(self.path): the path is not a regular file; write to standard output "
                        + "instead")
            }
            guard unsafe access(self.path, W_OK) == 0,
                status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) != 0
            else { throw Failure(.usage, "\(self.path): you have no permission to write the file") }
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

    /// Writes a new file in the target's folder, and renames it to the target's name.
    private static func replace(
        _ target: Target, in folder: Int32, with bytes: [UInt8]
    ) throws(SystemError) {
        let (file, name) = try create(in: folder, private: target.mode != nil)
        var isRenamed = false
        defer { if !isRenamed { _ = unsafe unlinkat(folder, name, 0) } }
        do throws(SystemError) {
            try FileWriting.write(bytes, to: file)
            if let mode = target.mode { try throwIfFailed(fchmod(file, mode)) }
            try throwIfFailed(fsync(file))
        } catch {
            close(file)
            throw error
        }
        try throwIfFailed(close(file))
        try throwIfFailed(unsafe renameat(folder, name, folder, target.name))
        isRenamed = true
        try throwIfFailed(fsync(folder))
    }

    /// Creates a file with an unpredictable name, which nobody else can read if `isPrivate`.
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

    /// Throws the error of the last system call, unless its result is 0.
    private static func throwIfFailed(_ result: Int32) throws(SystemError) {
        guard result != 0 else { return }
        throw SystemError()
    }

    private static func unwritableFailure(_ path: String, _ error: SystemError) -> Failure {
        Failure(.usage, "\(path): the file cannot be written: \(error)")
    }
}
