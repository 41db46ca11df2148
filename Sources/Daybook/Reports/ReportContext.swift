/// Everything that a report depends on in addition to the events: rules, time zones and times.
public struct ReportContext: Sendable {
    /// The rule set to answer by.
    public var rules: RuleSet
    /// The tz database; `nil` if none is available.
    public var zones: ZoneSource?
    /// The position of the last event that was read.
    public var position: Position
    /// The moment up to which the log was read, by the log's clock.
    public var knownAt: Instant
    /// The end of valid time, by the devices' clocks; `nil` for no end.
    public var validAt: Instant?
    /// True if an answer may contain personal texts.
    ///
    /// An answer that is stored, or compared with another, is made without personal texts.
    public var opensTexts: Bool
    /// Maximum width of a line for people, in columns; no answer depends on it.
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
}

extension ReportContext {
    /// The release of the tz database; empty if none is available.
    public var tzdata: String { zones?.version ?? "" }

    /// Returns a zone of the tz database.
    public func zone(_ name: String) throws(ReportError) -> Zone {
        guard let zones else { throw .noZones(name) }
        do throws(UnknownZone) {
            return try zones.zone(name)
        } catch {
            throw .zone(error)
        }
    }
}

/// The reason why there is no report.
public enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An argument cannot be read.
    case input(InputError)
    /// An event cannot be folded.
    case fold(FoldError)
    /// A time zone is not available.
    case zone(UnknownZone)
    /// The zone of this name is needed, but no tz database is available.
    case noZones(String)
    /// An argument has an invalid value; the text is a sentence about the value that it needs.
    case invalid(argument: String, String)
    /// The log lacks what the answer needs; the text is a sentence that says so.
    case unanswerable(String)

    public var description: String {
        switch self {
        case .input(let error): "\(error)"
        case .fold(let error): "\(error)"
        case .zone(let error): "\(error)"
        case .noZones(let name): "no tz database is available to look up \(name)"
        case .invalid(_, let reason), .unanswerable(let reason): reason
        }
    }
}
