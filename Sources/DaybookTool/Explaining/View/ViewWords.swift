import Daybook
import DaybookInvestigation

/// The words of the command `view`, as the page shows them.
///
/// The page may be opened by people who have no access to the log. So the command names the log
/// without its folder and, unless texts are shown, hides texts of edited fields.
struct ViewWords {
    private let command: ViewCommand
    private let values: ShownValues

    init(_ command: ViewCommand, _ values: ShownValues) {
        self.command = command
        self.values = values
    }

    var labels: StoryOptions.Labels {
        var labels = StoryOptions.Labels()
        labels.program = Program.name
        labels.version = Program.version
        labels.logOption = logOption
        var words = ["view"] + storyWords
        if command.texts { words.append("--texts") }
        if command.pseudonymise { words.append("--pseudonymise") }
        labels.command = ([Program.name] + words + log).map(Self.quoted).joined(separator: " ")
        return labels
    }

    /// The option that names the log in shown commands, as a shell reads it; empty for none.
    var logOption: String { log.map(Self.quoted).joined(separator: " ") }

    private var log: [String] { command.log.log.map { ["--log", file($0, "LOG")] } ?? [] }

    /// The changes of the history as plain text: `without 17`.
    var changesTitle: String {
        let changed = command.changed
        var parts = changed.skip.map { "without \($0)" }
        parts += changed.edit.map { "with \(shown(edit: $0))" }
        parts += changed.move.map { text in
            "with " + text.split(separator: ":").joined(separator: " after ")
        }
        if let path = changed.insert { parts.append("with the lines of \(file(path, "FILE"))") }
        return parts.joined(separator: ", ")
    }

    /// The words that choose the story, after the name of the command.
    var storyWords: [String] {
        var words = [command.projection, command.key.map(values.id)].compactMap(\.self)
        if let tag = command.tag.flatMap({ Tag($0) }) { words += ["--tag", values.tag(tag)] }
        if let from = command.from { words += ["--from", from] }
        if let to = command.to { words += ["--to", to] }
        words += command.conditions.shown(by: values).words
        if command.rules.rules != .standard { words += ["--rules", "\(command.rules.rules)"] }
        if let rules = command.otherRules?.rules { words += ["--other-rules", "\(rules)"] }
        let changed = command.changed
        words += changed.skip.flatMap { ["--skip", "\($0)"] }
        words += changed.edit.flatMap { ["--edit", shown(edit: $0)] }
        words += changed.move.flatMap { ["--move", $0] }
        if let path = changed.insert { words += ["--insert", file(path, "FILE")] }
        if let report = command.report.report { words += ["--report", report] }
        words += command.report.with.flatMap { ["--with", shown(argument: $0)] }
        if let at = command.moment.at { words += ["--at", at] }
        if let validAt = command.moment.validAt { words += ["--valid-at", validAt] }
        return words
    }

    /// Returns the name of a file without its folder; `placeholder` if ids are replaced.
    private func file(_ path: String, _ placeholder: String) -> String {
        guard values.redaction?.replacesIDs != true else { return placeholder }
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns an edit with its value, which is hidden if it may be a personal text.
    private func shown(edit text: String) -> String {
        guard !values.showsTexts, let equals = text.firstIndex(of: "=") else { return text }
        let value = String(text[text.index(after: equals)...])
        let isPlain =
            Int64(value) != nil || ["true", "false", "null"].contains(value)
            || Timestamp.parse(value) != nil
        return text[...equals] + (isPlain ? value : Redaction.word)
    }

    /// Returns an argument of a report, whose value may be an id.
    private func shown(argument text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else { return text }
        return text[...equals] + values.id(String(text[text.index(after: equals)...]))
    }

    /// Returns a word as a shell reads it.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || "-_./:=@,+".utf8.contains(byte)
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
