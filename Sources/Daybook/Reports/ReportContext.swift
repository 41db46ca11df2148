/// The circumstances of a report: everything it depends on beside the events.
public struct ReportContext: Sendable {
    /// The rule set to answer by.
    public var rules: RuleSet
    /// `nil` where no tz database is at hand.
    public var zones: ZoneSource?
    /// The last event that was read.
    public var position: Position
    /// The moment up to which the log was read, by its own clock.
    public var knownAt: Instant
    /// The end of what had happened, by the devices' clocks; `nil` for none.
    public var validAt: Instant?
    /// True where an answer may show personal texts. One that is kept, or compared with another, is
    /// made without.
    public var opensTexts: Bool
    /// The most columns of a line for people; no answer depends on it.
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
    /// The release of the tz database at hand; empty without one.
    public var tzdata: String { zones?.version ?? "" }

    /// A zone of the tz database at hand.
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
    /// An argument is not what the report takes.
    case input(InputError)
    /// An event cannot be folded.
    case fold(FoldError)
    /// A time zone is not available.
    case zone(UnknownZone)
    /// A zone was named, and no tz database is at hand.
    case noZones(String)
    /// An argument, and a sentence on the value that it needs.
    case invalid(argument: String, String)
    /// The log does not hold what the answer needs: a sentence.
    case unanswerable(String)

    public var description: String {
        switch self {
        case .input(let error): "\(error)"
        case .fold(let error): "\(error)"
        case .zone(let error): "\(error)"
        case .noZones(let name): "there is no tz database to look up \(name) in"
        case .invalid(_, let reason), .unanswerable(let reason): reason
        }
    }
}
