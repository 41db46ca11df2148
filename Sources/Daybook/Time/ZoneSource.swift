/// The reason why a zone is not available.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name as the caller wrote it.
    public var name: String
    /// A clause that follows the name: `is not in the tz database`.
    public var reason: String

    /// Creates the error for a zone.
    ///
    /// - Parameter reason: a clause that follows the name.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    /// The error as a line for people.
    public var description: String { "the time zone '\(name)' \(reason)" }
}

/// A supplier of time zones from one release of the tz database.
public struct ZoneSource: Sendable {
    /// The release of the tz database, such as `2025b`.
    public let version: String
    /// Returns the zone of a name that is not a fixed offset.
    private let find: @Sendable (String) throws(UnknownZone) -> Zone

    /// Creates a source of the zones of one release.
    ///
    /// - Parameter find: returns the zone of a name that is not a fixed offset, and always the same
    ///   zone for the same name.
    public init(
        version: String, find: @escaping @Sendable (String) throws(UnknownZone) -> Zone
    ) {
        self.version = version
        self.find = find
    }

    /// Returns a zone by its IANA name, or a fixed offset like `+09:00`, `Z` or `UTC`.
    ///
    /// - Throws: the errors of `find`, and an error for an offset that is malformed or beyond 14
    ///   hours.
    public func zone(_ name: String) throws(UnknownZone) -> Zone {
        if let fixed = Zone(fixedOffset: name) { return fixed }
        if name.hasPrefix("+") || name.hasPrefix("-") {
            throw UnknownZone(
                name: name,
                reason: "is not a valid offset; expected +HH:MM or -HH:MM, up to 14:00")
        }
        return try find(name)
    }

    /// True if a zone with the name exists.
    public func has(_ name: String) -> Bool {
        do throws(UnknownZone) {
            _ = try zone(name)
            return true
        } catch {
            return false
        }
    }

    /// Returns the same zones under the name of another release, for reports made with it.
    public func asRelease(_ version: String) -> ZoneSource {
        ZoneSource(version: version, find: find)
    }

    /// True if the name is well formed for a zone, whether or not any release has the zone.
    ///
    /// It has letters, digits, `_`, `+` and `-` between single slashes. Dots are refused, so that a
    /// name cannot lead out of the folder of the database.
    public static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return !["localtime", "posixrules"].contains(name)
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                            || [43, 45, 95].contains($0)
                    }
            }
    }
}
