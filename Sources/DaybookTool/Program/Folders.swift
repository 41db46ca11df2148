import DaybookLibC

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Functions for folders and their files.
enum Folders {
    /// Returns the paths of all files and folders below a folder, relative to it, unordered.
    static func subpaths(of folder: String) throws(Failure) -> [String] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
        } catch {
            throw Failure(.usage, "\(folder): the folder cannot be read; check its permissions")
        }
    }

    /// Decodes a C string: the bytes up to the first zero, as UTF-8.
    static func decodedText(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// True for a folder or a link to one, false for any other file; `nil` if nothing exists at the
    /// path.
    static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

/// New folder in the system's temporary folder, deleted when this value is freed.
final class TemporaryFolder {
    /// Path of the folder.
    let path: String

    init() throws(Failure) {
        let variable = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        let parent = variable.isEmpty ? P_tmpdir : variable
        // The system replaces these letters with six others.
        let letters = String(repeating: "X", count: 6)
        var name = Array("\(parent)/replay-\(letters)".utf8CString)
        guard unsafe mkdtemp(&name) != nil else {
            let reason = SystemError()
            throw Failure(
                .usage, "cannot create a temporary folder in '\(parent)': \(reason)")
        }
        path = Folders.decodedText(name)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder.
    func path(of name: String) -> String { "\(path)/\(name)" }
}
