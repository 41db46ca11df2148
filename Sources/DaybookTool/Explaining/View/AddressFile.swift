import DaybookLibC
import Synchronization

/// A page that leads a browser to an address with a secret.
///
/// Arguments of a program can be read by every user of the machine, and this file by nobody else.
/// A browser that may not read the folder for temporary files, as in some packages, cannot open it.
final class AddressFile: Sendable {
    /// The folder of the file, to which only its owner has access; `nil` without a file.
    private let folder = Mutex<TemporaryFolder?>(nil)

    /// Writes the file, and returns its path.
    func write(_ address: String) throws -> String {
        let path = try folder.withLock { held in
            let folder = try TemporaryFolder()
            let path = folder.path(of: "open.html")
            held = folder
            return path
        }
        let page = """
            <!doctype html>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Daybook</title>

            """
        try StreamedFile.write(to: path, over: .refused, isPrivate: true) { append in
            try append(Array(page.utf8))
        }
        return path
    }

    func remove() { folder.withLock { $0 = nil } }
}
