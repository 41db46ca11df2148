public import Daybook

// The ways to read a log.
extension EventLog {
    /// Returns a reader of the events that match a query in a window of positions.
    ///
    /// - Parameters:
    ///   - noun: the noun of the entities whose events are all added if one of them matches.
    ///   - kinds: the kinds of the events to add; empty for all kinds.
    public func reader(
        _ query: Query = .all, _ window: ReadWindow = ReadWindow(),
        withEntities noun: String? = nil, kinds: Set<EventKind> = []
    ) -> EventReader {
        EventReader(self, query, window, withEntities: noun, kinds: kinds)
    }

    /// The personal texts of the log.
    public var people: LogPeople { LogPeople(log: self) }

    /// Access to the commits of the log by position, idempotency key or time.
    public var commits: LogCommits { LogCommits(log: self) }

    /// Access to the event kinds, tag nouns and entities that occur in the log.
    public var contents: LogContents { LogContents(log: self) }

    /// Returns HMAC-SHA256 of bytes under the log's secret, for events that store digests of
    /// personal data.
    ///
    /// Without the secret, nobody can check a guess of the data against the digest.
    ///
    /// - Parameter purpose: a word that makes the digests of the same bytes differ between uses.
    /// - Returns: 32 bytes.
    public func keyedDigest(_ purpose: String, of bytes: [UInt8]) -> [UInt8] {
        file.digests.digest("use:\(purpose)", bytes)
    }
}
