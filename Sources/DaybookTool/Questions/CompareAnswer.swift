import Daybook

struct CompareAnswer: Answer {
    static let name = "compare"
    static let summary = "An entity that differs."

    var key = ""
    var position = Position.origin
    var kind = ""
    /// The sides that have the event: both, or only one.
    var `in` = ""
    var cause = ""
    var changes: [ChangePart] = []
    /// Positions and kinds of the last events up to the difference.
    var events: [String] = []

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("key", &key, "position", &position, "kind", &kind, "in", &`in`)
        try field("cause", &cause, "changes", &changes, "events", &events)
    }
}

struct CompareReportAnswer: Answer {
    static let name = "compare.report"
    static let summary = "A period for which a report differs."

    var period = ""
    /// The sides that have the period: both, or only one.
    var `in` = ""
    var changes: [ChangePart] = []
    /// The entities without which the difference would be another one; left out where a side is a
    /// file.
    var entities: [String]?
    /// Positions and kinds of the events of these entities.
    var events: [String]?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("period", &period, "in", &`in`, "changes", &changes)
        try field.optionalField("entities", &entities)
        try field.optionalField("events", &events)
    }
}
