import Daybook
import DaybookInvestigation

/// Answer of `what-if` about states: an entity that would differ.
struct WhatIfAnswer: Answer {
    static let name = "what-if"
    static let summary = "An entity that would differ, with its states before and after."

    /// Name of the projection.
    var projection = ""
    /// Key of the entity in the altered history.
    var key = ""
    /// Id of the entity in the log.
    var knownAs = ""
    /// Rule set with which the events were folded.
    var rules = RuleSet.standard
    /// Number of events that were folded for the altered history.
    var foldedCount: Int64 = 0
    /// Messages about inserted commands that would be refused.
    var refusals: [String] = []
    /// State in the recorded history; `nil` if no event is about the entity.
    var before: JSONText?
    /// State in the altered history; `nil` if no event is about the entity.
    var after: JSONText?
    /// Fields that differ at the end of the two histories.
    var changes: [ChangePart] = []
    /// First event after which the states differ; `nil` if there is no such event.
    var firstDifference: FirstDifference?

    /// First event after which the recorded and the altered history differ.
    struct FirstDifference: Record {
        /// Position of the event; of an inserted or moved event, the position that it follows.
        var position = Position.origin
        /// True if the event was inserted or moved.
        var isInserted = false
        /// Name of the event's kind.
        var kind = ""
        /// Fields that differ after the event.
        var changes: [ChangePart] = []

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "inserted", &isInserted, "kind", &kind)
            try field("changes", &changes)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "key", &key, "knownAs", &knownAs)
        try field("rules", &rules, "folded", &foldedCount, "refusals", &refusals)
        try field("before", &before, "after", &after, "changes", &changes)
        try field("first", &firstDifference)
    }
}

/// Answer of `what-if` if commands would be refused and no entity would differ.
struct RefusedAnswer: Answer {
    static let name = "what-if.refused"
    static let summary = "The refusals, if the changes affect no entity."

    /// Name of the projection.
    var projection = ""
    /// Messages about inserted commands that would be refused.
    var refusals: [String] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "refusals", &refusals)
    }
}

/// Answer of `what-if --again`: counts of the commands that were decided again.
struct DecidedAgainAnswer: Answer {
    static let name = "what-if.again"
    static let summary = "The commands that were decided again."

    /// Number of commands that were decided again.
    var commandCount: Int64 = 0
    /// Number of commands whose outcome stays the same.
    var unchangedCount: Int64 = 0
    /// Number of commands whose outcome would change.
    var changedCount: Int64 = 0

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "commands", &commandCount, "asBefore", &unchangedCount, "otherwise", &changedCount)
    }
}

/// Answer of `what-if --again`: a command whose outcome would change.
struct CommandAnswer: Answer {
    static let name = "what-if.command"
    static let summary = "A command whose outcome would change, and the positions of its events."

    /// Number of the command's line in the file, from 1.
    var line: Int64 = 0
    /// Name of the command.
    var command = ""
    /// Position of the command's first recorded event; `nil` if it caused none.
    var firstPosition: Position?
    /// Position of the command's last recorded event; `nil` if it caused none.
    var lastPosition: Position?
    /// Kinds of the events that the command would now record; `nil`, and left out, if it would be
    /// refused or repeated.
    var events: [String]?
    /// Reason why the command would now be refused; `nil`, and left out, if it would not be
    /// refused.
    var refusal: RefusalPart?
    /// True if an earlier command with the same idempotency key would be accepted; otherwise `nil`,
    /// and left out.
    var isRepeated: Bool?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "line", &line, "command", &command, "first", &firstPosition, "last", &lastPosition)
        try field.optionalField("events", &events)
        try field.optionalField("refused", &refusal)
        try field.optionalField("repeated", &isRepeated)
    }
}

extension CommandAnswer {
    init(_ replay: CommandReplay) {
        self.init(
            line: Int64(replay.line), command: replay.name, firstPosition: replay.first,
            lastPosition: replay.last)
        switch replay.outcome {
        case .same: break
        case .events(let kinds): events = kinds.map(\.name)
        case .nothing: events = []
        case .refused(let reason):
            refusal = RefusalPart(code: reason.code, message: reason.message)
        case .repeated: isRepeated = true
        }
    }
}

/// Answer of `what-if` about a report: a period whose answer would differ.
struct WhatIfReportAnswer: Answer {
    static let name = "what-if.report"
    static let summary = "A period for which a report would differ."

    /// Name of the report.
    var report = ""
    /// Name of the period; empty for a report without periods.
    var period = ""
    /// Rule set by which the report was answered.
    var rules = RuleSet.standard
    /// Messages about inserted commands that would be refused.
    var refusals: [String] = []
    /// Fields of the answer that differ.
    var changes: [ChangePart] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("report", &report, "period", &period, "rules", &rules)
        try field("refusals", &refusals, "changes", &changes)
    }
}
