import CDaybookLMDB

extension Environment {
    /// Throws unless the process runs with LMDB 0.9.
    ///
    /// Daybook reads pages itself, by the layout of 0.9.
    ///
    /// - Parameter version: LMDB's version as numbers; by default that of the library in this process.
    static func checkLibrary(_ version: [CInt] = libraryVersion) throws(OpenError) {
        guard version.prefix(2) == [0, 9] else {
            throw .otherLibrary(version: version.map(String.init).joined(separator: "."))
        }
    }

    private static var libraryVersion: [CInt] {
        var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
        mdb_version(&major, &minor, &patch)
        return [major, minor, patch]
    }
}
