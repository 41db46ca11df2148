public import CivilTime
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads the compiled tz database of a machine.
public enum ZoneFiles {
    /// Where systems keep it.
    public static let standardFolder = "/usr/share/zoneinfo"

    /// The zones under `folder`, read as they are asked for.
    ///
    /// - Throws: where the folder does not say which release it is.
    public static func source(
        folder: String = standardFolder
    ) throws(ZoneFilesError) -> ZoneSource {
        guard let version = version(of: folder) else {
            throw ZoneFilesError(folder: folder)
        }
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
        let isName = name.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                || [43, 45, 47, 95].contains($0)
        }
        guard isName, !name.isEmpty, !name.hasPrefix("/"), !name.hasSuffix("/"),
            let bytes = bytes(of: "\(folder)/\(name)")
        else {
            throw UnknownZone(name: name, reason: "is not in the tz database under \(folder)")
        }
        do throws(InvalidZone) {
            return try Zone(name: name, tzif: bytes)
        } catch {
            throw UnknownZone(name: name, reason: "cannot be read from \(folder): \(error)")
        }
    }

    /// From `tzdata.zi`, whose first line is `# version 2025b`, or from `+VERSION`.
    private static func version(of folder: String) -> String? {
        if let line = bytes(of: "\(folder)/tzdata.zi", limit: 64)?.prefix(while: { $0 != 10 }) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("# version ") { return String(text.dropFirst(10)) }
        }
        return bytes(of: "\(folder)/+VERSION", limit: 64).map {
            String(decoding: $0.prefix { $0 > 32 }, as: UTF8.self)
        }
    }

    /// `nil` where there is no such file. No zone is beyond a megabyte.
    private static func bytes(of path: String, limit: Int = 1 << 20) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY)
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
    public var folder: String

    public var description: String {
        "\(folder) has neither 'tzdata.zi' nor '+VERSION', so that nobody can tell which release "
            + "of the tz database it is; name a folder with --tzdata"
    }
}
