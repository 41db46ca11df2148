import Daybook

struct CompareAnswer: Answer {
    static let name = "compare"
    static let summary = "An entity that differs."

    /// Id of the entity; the newest id if it has several.
    var key = ""
    /// Position of the first event after which the states differ: its position on the first side,
    /// or on the second side if only that side has the event.
    var position = Position.origin
    var kind = ""
    /// Sides that have the event: `both`, only the `first` or only the `second`.
    var sides = ""
    /// Text made of the event kind and the differing fields, by which differences are grouped.
    var cause = ""
    /// Fields that differ; `before` is the value of the first side, `after` of the second.
    var changes: [ChangePart] = []
    /// Positions and kinds of the entity's last events, at most five, on the first side.
    var events: [String] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("key", &key, "position", &position, "kind", &kind, "in", &sides)
        try field("cause", &cause, "changes", &changes, "events", &events)
    }
}

struct CompareReportAnswer: Answer {
    static let name = "compare.report"
    static let summary = "A period for which a report differs."

    /// Name of the period, such as `2020-03-08`; empty for a report without periods.
    var period = ""
    var sides = ""
    /// Fields that differ; `before` is the value of the first side, `after` of the second.
    var changes: [ChangePart] = []
    /// Entities that cause the difference; `nil`, and left out, if a side is a file.
    var entities: [String]?
    /// Positions and kinds of their events; `nil` if a side is a file.
    var events: [String]?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("period", &period, "in", &sides, "changes", &changes)
        try field.optionalField("entities", &entities)
        try field.optionalField("events", &events)
    }
}
