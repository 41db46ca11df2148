import Daybook
import DaybookScenarios

struct CheckAnswer: Answer {
    static let name = "check"
    static let summary = "A scenario."

    var file = ""
    var scenario = ""
    /// Name of the variant; `nil` for a scenario without variants.
    var variant: String?
    /// Origin of the story, such as a document; empty if the scenario states none.
    var source = ""
    var rules = RuleSet.standard
    var hasPassed = false
    var failures: [Failure] = []
    /// All events of the scenario, beginning with those that it gives under `given`.
    var events: [Event] = []

    struct Failure: AnswerPart {
        /// Path and description of the expectation in the scenario: `then[2].state splash l1`.
        var place = ""
        var line: Int64 = 0
        /// Path of the field that differs; empty if the value has no fields or differs as a whole.
        var field = ""
        /// Expected value, or a phrase that describes it.
        var expected = ""
        var actual = ""
        /// Position of the last event before the failed expectation.
        var through = Position.origin

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &place, "line", &line, "field", &self.field)
            try field("expected", &expected, "actual", &actual, "through", &through)
        }
    }

    struct Event: AnswerPart {
        var event = EventPart()
        var payload = JSONText.blank

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try event.fields(&field)
            try field("payload", &payload)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("file", &file, "scenario", &scenario, "variant", &variant, "source", &source)
        try field("rules", &rules, "passed", &hasPassed, "failures", &failures, "events", &events)
    }
}

extension CheckAnswer {
    init(_ result: ScenarioResult) {
        let scenario = result.scenario
        self.init(
            file: scenario.file, scenario: scenario.title,
            variant: scenario.variant.isEmpty ? nil : scenario.variant, source: scenario.source,
            rules: scenario.rules, hasPassed: result.passed,
            failures: result.failures.map {
                Failure(
                    place: $0.place, line: Int64($0.line), field: $0.field,
                    expected: $0.expected, actual: $0.actual, through: $0.through)
            },
            events: result.events.map {
                Event(event: EventPart($0.recorded), payload: JSONText($0.payloadJSON))
            })
    }
}

struct CoverageAnswer: Answer {
    static let name = "check.coverage"
    static let summary = "Coverage of an area or a life cycle by the scenarios."

    /// Name of the set that is to be covered: `kinds` for event kinds, or a life cycle such as
    /// `run.state`.
    var coveredSet = ""
    /// Number of event kinds or transitions that some scenario covers.
    var coveredCount: Int64 = 0
    var totalCount: Int64 = 0
    var uncoveredNames: [String] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field(
            "coverage", &coveredSet, "covered", &coveredCount, "total", &totalCount, "missing",
            &uncoveredNames)
    }
}

struct UndeclaredAnswer: Answer {
    static let name = "check.undeclared"
    static let summary = "A transition that occurs in scenarios and is not declared."

    /// The transition, as `--undeclared` names it.
    var transition = ""
    var isAllowed = false

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("undeclared", &transition, "named", &isAllowed)
    }
}
