import Daybook

extension CompareCommand: ToolCommand {
    static var examples: [String] {
        let names = ExampleNames.current
        let traces = ["compare before.trace after.trace --expect expected.yaml"]
        guard let rules = names.otherRules else { return traces }
        return traces + ["compare log.daybook --projection \(names.name) --other-rules \(rules)"]
    }

    static var answers: [any Answer.Type] { [CompareAnswer.self, CompareReportAnswer.self] }

    var isPaged: Bool { true }
}
