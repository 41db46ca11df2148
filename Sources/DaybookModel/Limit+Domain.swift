import Daybook

extension Limit {
    /// Accepted HTTP status codes; some clients report 0 or -1 for no response.
    static let httpStatus = Limit(values: -1...999)

    /// Accepted lifetimes of a token in seconds, up to about 317 years; negative if a server's answer
    /// names a time in the past.
    static let lifetimeS = Limit(values: -10_000_000_000...10_000_000_000)
}
