import Daybook

/// The commands and options that a live page may run.
///
/// They read the log, name no file and write nothing. The table names every option of each command,
/// so that a new option is refused until it is added here.
struct PageWords {
    /// Number of arguments that are not options.
    let argumentCount: Int
    /// Allowed options that take a value, such as `--at` and `-n`.
    let values: Set<String>
    /// Allowed options without a value.
    let flags: Set<String>
    /// Options that name a file, write, never end, or are the server's to set.
    let refused: Set<String>

    private init(
        _ argumentCount: Int, values: Set<String> = [], flags: Set<String> = [],
        refused: Set<String> = []
    ) {
        (self.argumentCount, self.values) = (argumentCount, values)
        (self.flags, self.refused) = (flags, refused)
    }

    private static let moment: Set = ["--at", "--valid-at", "--zone"]
    private static let log: Set = ["--log", "--wait", "--head-file", "--key-file", "--key-command"]
    /// Refused options of a command that reads a log as of a moment.
    private static let reading = log.union(["--tzdata"])
    private static let help: Set = ["-h", "--help", "--version"]
    private static let conditions: Set = ["--kind", "--where", "--by", "--device", "--contains"]
    private static let report: Set = ["--report", "--with"]
    /// Options that every command has whose answer is a list or an object.
    private static let answer = help.union(["--json"])

    /// The words of `view` for a story.
    static let story = PageWords(
        2,
        values: moment.union(report).union(conditions).union([
            "--tag", "--from", "--to", "--rules", "--other-rules", "--skip", "--edit", "--move",
        ]),
        refused: reading.union(help).union([
            "--insert", "--output", "--force", "--texts", "--pseudonymise", "--json",
            "--open",
        ]))

    /// The words of each command that answers a question.
    static let questions: [String: PageWords] = [
        "audit": PageWords(
            0,
            values: moment.union([
                "--rule", "--of", "--baby", "--user", "--run", "--format",
            ]),
            flags: answer.union(["--all"]), refused: reading.union(["--old-tzdata"])),
        "bisect": PageWords(
            2, values: moment.union(report).union(["--rules", "--until"]),
            flags: answer.union(["--monotone"]), refused: reading),
        "blame": PageWords(
            3, values: moment.union(report).union(["--rules"]), flags: answer,
            refused: reading),
        "capture": PageWords(
            2, values: moment.union(["--tag", "--after", "--rules", "--title"]),
            flags: help.union(["--pseudonymise"]),
            refused: reading.union(["--output", "--force"])),
        // The arguments are traces or logs.
        "compare": PageWords(
            0,
            values: moment.union(report).union([
                "--projection", "--key", "--rules", "--other-rules", "--from", "--to", "--format",
            ]),
            flags: answer.union(["--all"]), refused: ["--log", "--tzdata", "--expect"]),
        "history": PageWords(2, values: moment.union(["--rules"]), flags: answer, refused: reading),
        "late": PageWords(
            0, values: moment.union(["--of"]), flags: answer, refused: reading),
        "list": PageWords(
            1, values: moment.union(["--format"]), flags: answer.union(["--raw"]), refused: reading),
        "log": PageWords(
            1,
            values: moment.union(conditions).union([
                "--from", "--to", "--tag", "--after", "--commit", "-n", "--limit",
            ]),
            flags: answer.union(["--through", "--chain", "--reverse", "--ids", "--payload"]),
            refused: reading.union(["--query", "--follow", "--await-position"])),
        "order-safety": PageWords(
            1, values: moment.union(["--rules"]), flags: answer, refused: reading),
        "report": PageWords(
            2,
            values: moment.union(["--with", "--from", "--to", "--rules", "--format", "--shape"]),
            flags: answer.union(["--all", "--raw"]),
            refused: reading.union(["--issue", "--by"])),
        "routes": PageWords(1, flags: answer.union(["--drift"])),
        "schema": PageWords(1, flags: answer.union(["--all"])),
        "stat": PageWords(0, flags: answer, refused: log.union(["--sign"])),
        "state": PageWords(
            2, values: moment.union(["--to", "--rules", "--where", "-n", "--limit", "--format"]),
            flags: answer, refused: reading),
        "trace": PageWords(
            2, values: moment.union(report).union(["--from", "--to", "--rules"]),
            flags: help.union(["--digest"]), refused: reading),
        "transitions": PageWords(
            1, values: moment.union(["--rules", "--format"]), flags: answer, refused: reading),
        "what-if": PageWords(
            2,
            values: moment.union(report).union([
                "--from", "--to", "--rules", "--skip", "--edit", "--move",
            ]),
            flags: answer, refused: reading.union(["--insert", "--again"])),
    ]

    /// Returns the words of a command for its arguments; a report has options of its own.
    private static func words(of command: String, _ words: ArraySlice<String>) -> PageWords? {
        guard let own = questions[command] else { return nil }
        guard command == "report", let name = words.first,
            let report = catalogue().reports[name]
        else { return own }
        let fields = report.arguments.filter { field in
            !ReportArguments.reservedNames.contains(field.option)
        }
        let isAllowed = { (option: String) in !own.refused.contains(option) }
        return PageWords(
            own.argumentCount,
            values: own.values.union(
                fields.filter { !$0.isFlag }.map { "--\($0.option)" }.filter(isAllowed)),
            flags: own.flags.union(
                fields.filter(\.isFlag).map { "--\($0.option)" }.filter(isAllowed)),
            refused: own.refused)
    }

    /// Throws an error unless the page may run the words after the program's name.
    static func check(question words: [String], needsPseudonyms: Bool) throws(PageWordsError) {
        guard let name = words.first, let own = self.words(of: name, words.dropFirst()) else {
            let name = words.first ?? ""
            throw .refused(
                "The page does not run '\(name)', but only "
                    + questions.keys.sorted().joined(separator: ", ") + ".")
        }
        try own.check(words.dropFirst())
        guard !needsPseudonyms || name == "capture" && words.contains("--pseudonymise") else {
            throw .refused(
                "With pseudonyms, the page runs only 'capture' with --pseudonymise, since other "
                    + "answers show ids and texts.")
        }
    }

    /// Throws an error unless each word is an argument or an allowed option with its value.
    func check(_ words: some Collection<String>) throws(PageWordsError) {
        var count = 0
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            guard !word.utf8.contains(0) else { throw .refused("A word contains a NUL.") }
            let minus = UInt8(ascii: "-")
            guard word.utf8.first == minus, word != "-", word != "--" else {
                count += word == "--" ? rest.count : 1
                if word == "--" { break }
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            let hasValue = name != word
            if flags.contains(name), !hasValue { continue }
            guard values.contains(name) else {
                throw .refused("The page does not run commands with \(name); a terminal does.")
            }
            guard !hasValue else { continue }
            // A value like -2h is one; other words with a minus are options.
            guard let value = rest.popFirst(),
                value.utf8.first != minus || value.dropFirst().first?.isNumber == true
            else { throw .refused("\(name) needs a value.") }
            guard !value.utf8.contains(0) else { throw .refused("A word contains a NUL.") }
        }
        guard count <= argumentCount else {
            throw .refused("The page runs this command with at most \(argumentCount) arguments.")
        }
    }
}

/// The reason why a page must not run a command.
enum PageWordsError: Error, Equatable { case refused(String) }
