import Daybook
import DaybookScenarios

struct CheckAnswer: Answer {
    static let name = "check"
    static let summary = "A scenario."

    var file = ""
    var scenario = ""
    var variant: String?
    var source = ""
    var rules = RuleSet.standard
    var passed = false
    var failures: [Failure] = []
    var events: [Event] = []

    /// An expectation that was not met.
    struct Failure: Record {
        var place = ""
        var line: Int64 = 0
        var field = ""
        var expected = ""
        var actual = ""
        /// Position of the last event before the failed expectation.
        var through = Position.origin

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &place, "line", &line, "field", &self.field)
            try field("expected", &expected, "actual", &actual, "through", &through)
        }
    }

    /// An event of the scenario.
    struct Event: Record {
        var event = EventPart()
        var payload = JSONText.blank

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try event.fields(&field)
            try field("payload", &payload)
        }
    }

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("file", &file, "scenario", &scenario, "variant", &variant, "source", &source)
        try field("rules", &rules, "passed", &passed, "failures", &failures, "events", &events)
    }
}

extension CheckAnswer {
    init(_ result: ScenarioResult) {
        let scenario = result.scenario
        self.init(
            file: scenario.file, scenario: scenario.title,
            variant: scenario.variant.isEmpty ? nil : scenario.variant, source: scenario.source,
            rules: scenario.rules, passed: result.passed,
            failures: result.failures.map {
                Failure(
                    place: $0.place, line: Int64($0.line), field: $0.field,
                    expected: $0.expected, actual: $0.actual, through: $0.through)
            },
            events: result.events.map {
                Event(event: EventPart($0.recorded), payload: JSONText($0.data))
            })
    }
}

struct CoverageAnswer: Answer {
    static let name = "check.coverage"
    static let summary = "Coverage of an area or a life cycle by the scenarios."

    var coverage = ""
    var covered: Int64 = 0
    var total: Int64 = 0
    var missing: [String] = []

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("coverage", &coverage, "covered", &covered, "total", &total, "missing", &missing)
    }
}

struct UndeclaredAnswer: Answer {
    static let name = "check.undeclared"
    static let summary = "A transition that occurs in scenarios and is not declared."

    var undeclared = ""
    /// True if `--undeclared` allows the transition.
    var named = false

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("undeclared", &undeclared, "named", &named)
    }
}
