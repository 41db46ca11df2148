/// Why a zone cannot be had.
public struct UnknownZone: Error, Hashable, Sendable, CustomStringConvertible {
    public var name: String
    public var reason: String

    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "the time zone '\(name)' \(reason)" }
}

/// Where zones come from, and which release of the tz database that is.
public struct ZoneSource: Sendable {
    /// `2025b`.
    public let version: String
    private let find: @Sendable (String) throws(UnknownZone) -> Zone

    public init(
        version: String, find: @escaping @Sendable (String) throws(UnknownZone) -> Zone
    ) {
        self.version = version
        self.find = find
    }

    /// A zone by its IANA name, or a fixed offset like `+09:00`.
    public func zone(_ name: String) throws(UnknownZone) -> Zone {
        if let fixed = Zone(fixedOffset: name) { return fixed }
        if name.hasPrefix("+") || name.hasPrefix("-") {
            throw UnknownZone(
                name: name,
                reason: "is out of range: an offset is +HH:MM or -HH:MM, up to 14:00")
        }
        return try find(name)
    }
}
