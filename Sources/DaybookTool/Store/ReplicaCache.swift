import Daybook
import DaybookCryptography
import DaybookLibC

/// The folder of the user in which replicas of logs in databases are kept. It is `daybook` in
/// $XDG_CACHE_HOME, or in `~/.cache`. Whatever is deleted there is made again.
struct ReplicaCache {
    let folder: String

    /// Finds the folder by variables of the environment, without creating it.
    init(variable: (String) -> String? = Terminal.variable) throws(Failure) {
        let home = variable("HOME").map { $0 + "/.cache" }
        // A relative path is invalid by the specification of this variable, and ignored.
        let named = variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let parent = named ?? home else {
            throw Failure(
                .usage,
                "there is no folder for the replica of the log; set the variable HOME or "
                    + "XDG_CACHE_HOME")
        }
        folder = parent + "/daybook"
    }

    /// Returns the path of the replica of a log.
    ///
    /// The name has the log's id and the start of a digest of the address, so that two databases
    /// with a copy of one log have a replica each.
    ///
    /// - Parameter hasKeys: true for the replica that has the encryption keys of people.
    func path(of logID: [UInt8], at address: String, hasKeys: Bool) -> String {
        let digest = SHA256.hash(Array(address.utf8)).prefix(8)
        let name = "\(Hexadecimal.text(logID))-\(Hexadecimal.text(digest))"
        return "\(folder)/\(name)\(hasKeys ? "-keys" : "").log"
    }

    /// Creates the folder, to which only its owner has access, and the folder around it.
    ///
    /// - Throws: `Failure` if it cannot be created, or if others could replace its files.
    func create() throws(Failure) {
        let parent = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        for path in [parent, folder] where unsafe mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw Failure(.usage, "\(path): the folder cannot be created: \(SystemError())")
        }
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            throw Failure(.usage, "\(folder): the folder cannot be read: \(SystemError())")
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else {
            throw Failure(
                .usage,
                "\(folder): expected a folder of this user that nobody else may write to, for "
                    + "replicas of logs; use chmod 700, or set XDG_CACHE_HOME")
        }
    }
}
