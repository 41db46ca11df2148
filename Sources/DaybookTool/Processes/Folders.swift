import DaybookLibC

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files under a folder.
enum Folders {
    /// Paths of all files and folders below a folder, relative to it, in no order.
    static func subpaths(of folder: String) throws(Failure) -> [String] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
        } catch {
            throw Failure(.usage, "\(folder): cannot be read")
        }
    }

    /// The text of bytes that end with a zero.
    static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// True for a folder, or a link to one; `nil` where there is nothing.
    static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}

/// A folder of its own among the system's temporary ones, which goes with this value.
final class TemporaryFolder {
    let path: String

    init() throws(Failure) {
        let variable = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        let parent = variable.isEmpty ? P_tmpdir : variable
        // The system puts six letters of its own in the place of these.
        let letters = String(repeating: "X", count: 6)
        var name = Array("\(parent)/replay-\(letters)".utf8CString)
        guard unsafe mkdtemp(&name) != nil else {
            let reason = SystemError()
            throw Failure(
                .usage, "no temporary folder can be made in '\(parent)': \(reason)")
        }
        path = Folders.text(name)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    func path(of name: String) -> String { "\(path)/\(name)" }
}
