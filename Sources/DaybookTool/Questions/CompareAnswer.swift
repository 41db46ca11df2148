import Daybook

struct CompareAnswer: Answer {
    static let name = "compare"
    static let summary = "An entity that differs."

    var key = ""
    var position = Position.origin
    var kind = ""
    /// Sides that have the event: both, or only one.
    var `in` = ""
    var cause = ""
    var changes: [ChangePart] = []
    /// Positions and kinds of the last events before the difference, including its event.
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
    /// Sides that have the period: both, or only one.
    var `in` = ""
    var changes: [ChangePart] = []
    /// Entities that cause the difference; `nil`, and left out, if a side is a file.
    var entities: [String]?
    /// Positions and kinds of the events of these entities; left out in the same case.
    var events: [String]?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("period", &period, "in", &`in`, "changes", &changes)
        try field.optionalField("entities", &entities)
        try field.optionalField("events", &events)
    }
}
