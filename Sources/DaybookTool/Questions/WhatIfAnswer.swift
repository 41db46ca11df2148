import Daybook
import DaybookInvestigation

struct WhatIfAnswer: Answer {
    static let name = "what-if"
    static let summary = "An entity that would differ, with its states before and after."

    var projection = ""
    var key = ""
    /// Id of the entity in the log.
    var knownAs = ""
    var rules = RuleSet.standard
    /// Number of events that were folded for the altered history.
    var folded: Int64 = 0
    var refusals: [String] = []
    var before: JSONText?
    var after: JSONText?
    var changes: [ChangePart] = []
    var first: First?

    /// First event after which the recorded and the altered history differ.
    struct First: Record {
        var position = Position.origin
        var inserted = false
        var kind = ""
        var changes: [ChangePart] = []

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "inserted", &inserted, "kind", &kind)
            try field("changes", &changes)
        }
    }

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "key", &key, "knownAs", &knownAs)
        try field("rules", &rules, "folded", &folded, "refusals", &refusals)
        try field("before", &before, "after", &after, "changes", &changes, "first", &first)
    }
}

struct RefusedAnswer: Answer {
    static let name = "what-if.refused"
    static let summary = "The refusals, if the changes affect no entity."

    var projection = ""
    var refusals: [String] = []

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "refusals", &refusals)
    }
}

struct DecidedAgainAnswer: Answer {
    static let name = "what-if.again"
    static let summary = "The commands that were decided again."

    var commands: Int64 = 0
    var asBefore: Int64 = 0
    var otherwise: Int64 = 0

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("commands", &commands, "asBefore", &asBefore, "otherwise", &otherwise)
    }
}

struct CommandAnswer: Answer {
    static let name = "what-if.command"
    static let summary = "A command whose outcome would change, and the positions of its events."

    var line: Int64 = 0
    var command = ""
    var first: Position?
    var last: Position?
    /// Kinds of the events that the command would now record.
    var events: [String]?
    var refused: RefusalPart?
    /// True if an earlier command with the same key would have been accepted.
    var repeated: Bool?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("line", &line, "command", &command, "first", &first, "last", &last)
        try field.optionalField("events", &events)
        try field.optionalField("refused", &refused)
        try field.optionalField("repeated", &repeated)
    }
}

extension CommandAnswer {
    init(_ replay: CommandReplay) {
        self.init(
            line: Int64(replay.line), command: replay.name, first: replay.first,
            last: replay.last)
        switch replay.outcome {
        case .same: break
        case .events(let kinds): events = kinds.map(\.name)
        case .nothing: events = []
        case .refused(let refusal):
            refused = RefusalPart(code: refusal.code, message: refusal.message)
        case .repeated: repeated = true
        }
    }
}

struct WhatIfReportAnswer: Answer {
    static let name = "what-if.report"
    static let summary = "A period for which a report would differ."

    var report = ""
    var period = ""
    var rules = RuleSet.standard
    var refusals: [String] = []
    var changes: [ChangePart] = []

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("report", &report, "period", &period, "rules", &rules)
        try field("refusals", &refusals, "changes", &changes)
    }
}
