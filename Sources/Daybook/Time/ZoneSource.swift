/// The reason why a zone is not available.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    /// Name as the caller wrote it.
    public var name: String
    /// A clause that follows the name: `is not in the tz database`.
    public var reason: String

    /// - Parameter reason: a clause that follows the name.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    /// A line for people.
    public var description: String { "the time zone '\(name)' \(reason)" }
}

/// A supplier of time zones from one release of the tz database.
public struct ZoneSource: Sendable {
    /// A release of the tz database, like `2025b`.
    public let version: String
    private let find: @Sendable (String) throws(UnknownZone) -> Zone

    /// - Parameter find: answers for the names that are no fixed offset, with the same zone for the
    ///   same name each time.
    public init(
        version: String, find: @escaping @Sendable (String) throws(UnknownZone) -> Zone
    ) {
        self.version = version
        self.find = find
    }

    /// A zone by its IANA name, or a fixed offset like `+09:00`, `Z` or `UTC` that needs no files.
    ///
    /// - Throws: what `find` throws, and for an offset that is beyond 14 hours or badly written.
    public func zone(_ name: String) throws(UnknownZone) -> Zone {
        if let fixed = Zone(fixedOffset: name) { return fixed }
        if name.hasPrefix("+") || name.hasPrefix("-") {
            throw UnknownZone(
                name: name,
                reason: "is no offset: that is +HH:MM or -HH:MM, up to 14:00")
        }
        return try find(name)
    }

    /// True for the name of a zone that there is.
    public func has(_ name: String) -> Bool {
        do throws(UnknownZone) {
            _ = try zone(name)
            return true
        } catch {
            return false
        }
    }

    /// The same zones under the name of another release, for reports that were made by it.
    public func asRelease(_ version: String) -> ZoneSource {
        ZoneSource(version: version, find: find)
    }

    /// `true` if the name is well formed for a zone, whether or not some release has it.
    ///
    /// Letters, digits, `_`, `+` and `-` between single slashes. No dots, so no way out.
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
