public import Daybook
import DaybookCryptography
import DaybookLibC
import Synchronization

/// Reads the compiled tz database from a folder of the machine.
public enum ZoneFiles {
    /// The folder in which most systems keep the tz database.
    public static let standardFolder = "/usr/share/zoneinfo"

    /// Returns a source of the time zones in `folder`; each zone is read when it is first used.
    ///
    /// Environment variables and the machine's zone have no effect; `localtime` is no valid name.
    ///
    /// - Throws: `ZoneFilesError` if no file of the folder states the release of the tz database.
    public static func source(
        folder: String = standardFolder
    ) throws(ZoneFilesError) -> ZoneSource {
        guard let version = version(of: folder) else { throw ZoneFilesError(folder: folder) }
        let cache = Cache()
        return ZoneSource(
            version: version, digest: cache.digest(of:)
        ) { (name) throws(UnknownZone) in
            if let zone = cache.zones.withLock({ $0[name] }) { return zone }
            let zone = try zone(name, folder)
            cache.zones.withLock { $0[name] = zone }
            return zone
        }
    }

    /// The zones that have been read, and the digests of their transitions, by name.
    private final class Cache: Sendable {
        let zones = Mutex<[String: Zone]>([:])
        let digests = Mutex<[String: Digest]>([:])

        func digest(of zone: Zone) -> Digest {
            if let digest = digests.withLock({ $0[zone.name] }) { return digest }
            let digest = ZoneFiles.digest(of: zone)
            digests.withLock { $0[zone.name] = digest }
            return digest
        }
    }

    /// Computes the digest of a zone's transitions.
    fileprivate static func digest(of zone: Zone) -> Digest {
        Digest(first: SHA256.hash(Array(zone.transitionText.utf8)))
    }

    /// Reads a zone from its file, which has the format TZif.
    private static func zone(_ name: String, _ folder: String) throws(UnknownZone) -> Zone {
        guard ZoneSource.isName(name), let bytes = bytes(of: "\(folder)/\(name)") else {
            throw UnknownZone(name: name, reason: "is not in the tz database under \(folder)")
        }
        do throws(InvalidZone) {
            return try Zone(name: name, tzif: bytes)
        } catch {
            throw UnknownZone(name: name, reason: "cannot be read from \(folder): \(error)")
        }
    }

    /// Returns the release of the tz database, such as `2025b`; `nil` if no file states it.
    ///
    /// It is in the first line of `tzdata.zi`, such as `# version 2025b`, or else of `+VERSION`.
    private static func version(of folder: String) -> String? {
        let prefix = "# version "
        if let line = firstLine(of: "\(folder)/tzdata.zi"), line.hasPrefix(prefix),
            line.count > prefix.count
        {
            return String(line.dropFirst(prefix.count))
        }
        guard let line = firstLine(of: "\(folder)/+VERSION"), !line.isEmpty else { return nil }
        return line
    }

    /// Returns the first line of a file; `nil` unless it is at most 64 printable ASCII characters.
    private static func firstLine(of path: String) -> String? {
        guard let line = bytes(of: path, limit: 65)?.prefix(while: { $0 != 10 && $0 != 13 }),
            line.count <= 64, line.allSatisfy({ (32...126).contains($0) })
        else { return nil }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the bytes of a file, of a long one at least `limit`; `nil` if it cannot be read.
    ///
    /// The default limit suffices for every zone: the files are much smaller than a mebibyte.
    private static func bytes(of path: String, limit: Int = 1 << 20) -> [UInt8]? {
        // Opening must not wait for the other end of a pipe at this path.
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        let capacity = chunk.count
        while bytes.count < limit {
            let count = unsafe read(file, &chunk, capacity)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }
}

extension ZoneSource {
    /// A source that has no zones but fixed offsets.
    package static let fixedOffsets = ZoneSource(
        version: "", digest: ZoneFiles.digest(of:)
    ) { (name) throws(UnknownZone) in
        throw UnknownZone(name: name, reason: "cannot be looked up without a tz database")
    }
}

/// The error for a folder in which no file states the release of the tz database.
public struct ZoneFilesError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder of the tz database.
    public var folder: String

    public var description: String {
        "neither 'tzdata.zi' nor '+VERSION' in \(folder) states the release of the tz database"
    }
}
