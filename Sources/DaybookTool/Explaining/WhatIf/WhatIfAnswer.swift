import Daybook
import DaybookInvestigation

struct WhatIfAnswer: Answer {
    static let name = "what-if"
    static let summary = "An entity that would differ, with its states before and after."

    var projection = ""
    /// Key of the entity in the altered history.
    var key = ""
    /// Id of the entity in the log.
    var knownAs = ""
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

    struct FirstDifference: AnswerPart {
        /// Position of the event; of an inserted or moved event, the position that it follows.
        var position = Position.origin
        var isInserted = false
        var kind = ""
        var changes: [ChangePart] = []

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

struct RefusedAnswer: Answer {
    static let name = "what-if.refused"
    static let summary = "The refusals, if the changes affect no entity."

    var projection = ""
    var refusals: [String] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "refusals", &refusals)
    }
}

/// Answer of `what-if --again`: counts of the commands that were decided again.
struct DecidedAgainAnswer: Answer {
    static let name = "what-if.again"
    static let summary = "The commands that were decided again."

    var commandCount: Int64 = 0
    var unchangedCount: Int64 = 0
    var changedCount: Int64 = 0

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "commands", &commandCount, "asBefore", &unchangedCount, "otherwise", &changedCount)
    }
}

struct CommandAnswer: Answer {
    static let name = "what-if.command"
    static let summary = "A command whose outcome would change, and the positions of its events."

    /// Number of the command's line in the file, from 1.
    var line: Int64 = 0
    var command = ""
    /// Position of the command's first recorded event; `nil` if it caused none.
    var firstPosition: Position?
    /// Position of the command's last recorded event; `nil` if it caused none.
    var lastPosition: Position?
    /// Kinds of the events that it would now record; `nil` if it would be refused or repeated.
    var events: [String]?
    /// Reason why it would now be refused; `nil` if it would not.
    var refusal: RefusalPart?
    /// True if an earlier command with the same key would be accepted; else `nil`.
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
        case .refused(let reason): refusal = RefusalPart(code: reason.code, message: reason.message)
        case .repeated: isRepeated = true
        }
    }
}

struct WhatIfReportAnswer: Answer {
    static let name = "what-if.report"
    static let summary = "A period for which a report would differ."

    var report = ""
    /// Name of the period; empty for a report without periods.
    var period = ""
    var rules = RuleSet.standard
    var refusals: [String] = []
    var changes: [ChangePart] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("report", &report, "period", &period, "rules", &rules)
        try field("refusals", &refusals, "changes", &changes)
    }
}
