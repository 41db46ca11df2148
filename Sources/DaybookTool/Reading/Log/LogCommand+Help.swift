import Daybook

extension LogCommand: ToolCommand {
    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "log --from yesterday --to today --tag \(names.tag)",
            "log --kind \(names.kind) --reverse --limit 10 --payload",
            "log --by ann --contains fever",
            "log --follow --json",
        ]
    }

    static var answers: [any Answer.Type] { [LogAnswer.self, LogEndAnswer.self] }

    /// False with `--follow`, whose answer never ends.
    var isPaged: Bool { !follow }

    var isWaiting: Bool { follow }
}
