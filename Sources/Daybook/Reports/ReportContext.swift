/// Everything that a report depends on besides events: rules, time zones and times.
public struct ReportContext: Sendable {
    /// The rule set by which the report is answered.
    public var rules: RuleSet
    /// The zones of the tz database; `nil` if no database is available.
    public var zones: ZoneSource?
    /// The position of the last event of the log that the answer takes into account.
    public var position: Position
    /// Events appended after this time, by the log's clock, are not taken into account.
    public var knownAt: Instant
    /// Events that occurred after this time, by the devices' clocks, are not taken into account;
    /// `nil` for no such time.
    public var validAt: Instant?
    /// True if an answer may contain personal texts.
    ///
    /// An answer that is stored, or compared with another answer, is made without such texts.
    public var opensTexts: Bool
    /// Maximum width of a line of text for people, in columns. No answer depends on it.
    public var columns: Int

    public init(
        rules: RuleSet, zones: ZoneSource?, position: Position, knownAt: Instant,
        validAt: Instant? = nil, opensTexts: Bool = false, columns: Int = 80
    ) {
        self.rules = rules
        self.zones = zones
        self.position = position
        self.knownAt = knownAt
        self.validAt = validAt
        self.opensTexts = opensTexts
        self.columns = columns
    }

    /// The release of the tz database, such as `2025b`; empty if no database is available.
    public var tzdata: String { zones?.version ?? "" }

    /// Returns the digest of a zone's transitions; `nil` if no database is available.
    public func digest(of zone: Zone) -> Digest? { zones?.digest(of: zone) }

    /// Returns the zone with the given name from the tz database.
    ///
    /// - Throws: `ReportError.noZones` without a database, or `.zone` if it lacks the zone.
    public func zone(_ name: String) throws(ReportError) -> Zone {
        guard let zones else { throw .noZones(name) }
        do throws(UnknownZone) {
            return try zones.zone(name)
        } catch {
            throw .zone(error)
        }
    }
}

/// The reason why a report gives no answer.
public enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An argument of the report cannot be read.
    case input(InputError)
    /// An event cannot be folded.
    case fold(FoldError)
    /// A time zone is not available.
    case zone(UnknownZone)
    /// The zone with this name is needed, but no tz database is available.
    case noZones(String)
    /// An argument has an invalid value; the text is a sentence that tells which value is expected.
    case invalid(argument: String, String)
    /// The log does not contain enough for an answer; the text is a sentence about what is missing.
    case unanswerable(String)

    public var description: String {
        switch self {
        case .input(let error): "\(error)"
        case .fold(let error): "\(error)"
        case .zone(let error): "\(error)"
        case .noZones(let name):
            "the report needs the time zone '\(name)', but no tz database is available"
        case .invalid(_, let reason), .unanswerable(let reason): reason
        }
    }
}
