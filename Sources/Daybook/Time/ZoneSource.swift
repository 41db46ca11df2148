/// The reason why the time zone with a name is not available.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the zone as the caller wrote it.
    public var name: String
    /// The reason as a clause after the name, such as `is not in the tz database`.
    public var reason: String

    /// Creates the error for a zone; the reason is a clause that follows the name in messages.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    /// The name and the reason as a sentence for people.
    public var description: String { "the time zone '\(name)' \(reason)" }
}

/// A supplier of time zones from one release of the tz database.
public struct ZoneSource: Sendable {
    /// The release of the tz database, such as `2025b`.
    public let version: String
    /// Looks up the zone with an IANA name in the database.
    private let find: @Sendable (String) throws(UnknownZone) -> Zone
    private let digest: @Sendable (Zone) -> Digest

    /// Creates a source for the zones of one release of the tz database.
    ///
    /// - Parameters:
    ///   - digest: returns the first 8 bytes of the SHA-256 of a zone's `transitionText`.
    ///   - find: returns the zone with a name that is not a fixed offset; it must always return the
    ///     same zone for the same name.
    public init(
        version: String, digest: @escaping @Sendable (Zone) -> Digest,
        find: @escaping @Sendable (String) throws(UnknownZone) -> Zone
    ) {
        self.version = version
        self.digest = digest
        self.find = find
    }

    /// Returns the digest of a zone's transitions.
    ///
    /// Two sources can name the same release and still differ, because packagers build the database
    /// with other options; the digests of the zones that differ then differ too.
    public func digest(of zone: Zone) -> Digest { digest(zone) }

    /// Returns the zone with an IANA name, or with a fixed offset like `+09:00`, `Z` or `UTC`.
    ///
    /// - Throws: `UnknownZone` if the database has no such zone, or if a fixed offset is malformed
    ///   or more than 14 hours.
    public func zone(_ name: String) throws(UnknownZone) -> Zone {
        if let fixed = Zone(fixedOffset: name) { return fixed }
        if name.hasPrefix("+") || name.hasPrefix("-") {
            throw UnknownZone(
                name: name,
                reason: "is not a valid offset from UTC; expected +HH:MM or -HH:MM, up to 14:00")
        }
        return try find(name)
    }

    /// True if the source has a zone with the name, or the name is a valid fixed offset.
    public func has(_ name: String) -> Bool { (try? zone(name)) != nil }

    /// Returns a source for the same zones under another release's name, to make its reports again.
    ///
    /// - Parameter digest: the digest that the source gives for each zone; `nil` for its own.
    public func asRelease(_ version: String, digest: Digest? = nil) -> ZoneSource {
        let own = self.digest
        return ZoneSource(version: version, digest: { digest ?? own($0) }, find: find)
    }

    /// True if a text has the form of an IANA name, even if no such zone exists.
    ///
    /// A name consists of letters, digits, `_`, `+` and `-`, divided by single slashes. Dots are
    /// not allowed, so that a name used as a path cannot lead out of the folder of the database.
    public static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isAllowed = { (byte: UInt8) in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || [43, 45, 95].contains(byte)
        }
        return !["localtime", "posixrules"].contains(name)
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAllowed) }
    }
}
