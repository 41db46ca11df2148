import Daybook

extension Limit {
    /// A status of an HTTP response; some clients say 0 or -1 for none.
    static let httpStatus = Limit(values: -1...999)

    /// How long a token lives in seconds, up to three hundred years.
    static let lifetimeS = Limit(values: -10_000_000_000...10_000_000_000)
}
