public import Daybook
import DaybookLibC
import Synchronization

/// Reads the compiled tz database of a machine.
public enum ZoneFiles {
    /// Where systems keep it.
    public static let standardFolder = "/usr/share/zoneinfo"

    /// Makes a source of the zones under `folder`, each read at its first use.
    ///
    /// Only the folder matters, not environment variables or the machine's own zone, so that
    /// `localtime` is not a name.
    ///
    /// - Throws: where the folder does not say which release it is.
    public static func source(
        folder: String = standardFolder
    ) throws(ZoneFilesError) -> ZoneSource {
        guard let version = version(of: folder) else { throw ZoneFilesError(folder: folder) }
        let cache = Cache()
        return ZoneSource(version: version) { (name) throws(UnknownZone) in
            if let zone = cache.zones.withLock({ $0[name] }) { return zone }
            let zone = try zone(name, folder)
            cache.zones.withLock { $0[name] = zone }
            return zone
        }
    }

    private final class Cache: Sendable {
        let zones = Mutex<[String: Zone]>([:])
    }

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

    /// Reads the release from `tzdata.zi`, whose first line is `# version 2025b`, or `+VERSION`.
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

    /// Reads the first line; `nil` unless it is at most 64 printable ASCII characters.
    private static func firstLine(of path: String) -> String? {
        guard let line = bytes(of: path, limit: 65)?.prefix(while: { $0 != 10 && $0 != 13 }),
            line.count <= 64, line.allSatisfy({ (32...126).contains($0) })
        else { return nil }
        return String(decoding: line, as: UTF8.self)
    }

    /// At least the first `limit` bytes of a file; `nil` where there is none.
    ///
    /// No zone is near a megabyte.
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

/// Why there are no zones.
public struct ZoneFilesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder that was to hold them.
    public var folder: String

    /// A line for people.
    public var description: String {
        "\(folder) has neither 'tzdata.zi' nor '+VERSION', so that its release of the tz "
            + "database is unknown"
    }
}
