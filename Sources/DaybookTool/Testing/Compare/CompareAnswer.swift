import Daybook

/// Answer of `compare` about states: an entity that differs.
struct CompareAnswer: Answer {
    static let name = "compare"
    static let summary = "An entity that differs."

    /// Id of the entity; the newest id if it has several.
    var key = ""
    /// Position of the first event after which the states differ: its position on the first side,
    /// or on the second side if only that side has the event.
    var position = Position.origin
    /// Name of the event's kind.
    var kind = ""
    /// Sides that have the event: `both`, only the `first` or only the `second`.
    var sides = ""
    /// Text made of the event kind and the differing fields, by which differences are grouped.
    var cause = ""
    /// Fields that differ, with the value of the first side as `before` and of the second side as
    /// `after`.
    var changes: [ChangePart] = []
    /// Positions and kinds of the entity's last events on the first side up to the difference, at
    /// most five.
    var events: [String] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("key", &key, "position", &position, "kind", &kind, "in", &sides)
        try field("cause", &cause, "changes", &changes, "events", &events)
    }
}

/// Answer of `compare` about reports: a period whose answers differ.
struct CompareReportAnswer: Answer {
    static let name = "compare.report"
    static let summary = "A period for which a report differs."

    /// Name of the period, such as `2020-03-08`; empty for a report without periods.
    var period = ""
    /// Sides that have the period: `both`, only the `first` or only the `second`.
    var sides = ""
    /// Fields that differ, with the value of the first side as `before` and of the second side as
    /// `after`.
    var changes: [ChangePart] = []
    /// Entities that cause the difference; `nil`, and left out, if a side is a file.
    var entities: [String]?
    /// Positions and kinds of the events of these entities; `nil`, and left out, if a side is a
    /// file.
    var events: [String]?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("period", &period, "in", &sides, "changes", &changes)
        try field.optionalField("entities", &entities)
        try field.optionalField("events", &events)
    }
}
