/// Why a zone cannot be had.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    /// As it was asked for.
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

/// Where zones come from, and which release of the tz database that is.
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
}
