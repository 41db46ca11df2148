import Daybook

/// Answer of `report`: members that are added to the JSON of each answer.
struct ReportRow: Answer {
    static let name = "report"
    static let summary = "The question, and the fields that the schema of the report lists."

    /// Name of the report.
    var report = ""
    /// Names and values of the arguments in which the answers of a run differ, such as `[["date",
    /// "2026-03-03"]]`.
    var arguments: [[String]] = []
    /// Position of the last event that was read for the answer.
    var position = Position.origin
    /// Names of members that the answer itself has, which are not added.
    var memberNames: Set<String> = []

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        if !memberNames.contains("report") { try field("report", &report) }
        for argument in arguments where !memberNames.contains(argument[0]) {
            var value = argument[1]
            try field(argument[0], &value)
        }
        if !memberNames.contains("position") { try field("position", &position) }
    }
}
