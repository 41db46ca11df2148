extension Int64? {
    /// The status of an answer before what it means: `503: `; empty if no answer came.
    var answer: String { map { "\($0): " } ?? "" }
}
