import Daybook

extension Limit {
    /// Status of an HTTP response; some clients report 0 or -1 for no response.
    static let httpStatus = Limit(values: -1...999)

    /// Lifetime of a token in seconds, up to about three hundred years.
    static let lifetimeS = Limit(values: -10_000_000_000...10_000_000_000)
}
