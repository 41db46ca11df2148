import Daybook

/// Corrections of a mistyped command line. These are hints for the words of other tools, such as
/// `tail`, and negative values after options.
enum CommandLineCorrections {
    /// Joins a value that begins with a minus and a digit to the option before it. `--from -2h`
    /// becomes `--from=-2h`; otherwise the parser takes `-2h` for an option.
    static func joiningNegativeValues(_ words: [String]) -> [String] {
        var joined: [String] = []
        for (place, word) in words.enumerated() {
            if words[..<place].contains("--") || !isNegative(word) {
                joined.append(word)
            } else if let option = joined.last, option.hasPrefix("--"), option.count > 2,
                !option.contains("=")
            {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static func isNegative(_ word: String) -> Bool {
        word.hasPrefix("-") && word.dropFirst().first?.isNumber == true
    }

    /// Returns a hint that ends the message about an unknown command.
    static func hint(forCommand name: String, in known: [String]) -> String {
        guard let words = equivalents[name.lowercased()],
            let command = words.split(separator: " ").first,
            known.contains(String(command)) || command.hasPrefix("--")
        else { return NearestNames.hint(for: name, in: known) }
        return "; '\(Program.name) \(words)' does that."
    }

    /// Commands of other tools, each with the words that do the same in this tool.
    private static let equivalents = [
        "show": "log POSITION", "cat": "log", "events": "log", "tail": "log --follow",
        "head": "log -n 10", "ls": "list", "ps": "list", "entities": "list", "get": "state",
        "diff": "compare", "status": "stat", "info": "stat", "fsck": "verify",
        "check-log": "verify",
        "run": "check", "test": "check", "add": "append", "write": "append", "put": "append",
        "query": "log --tag NOUN:ID", "find": "log --contains TEXT",
        "search": "log --contains TEXT",
        "grep": "log --contains TEXT",
        "why": "blame", "who": "blame", "reports": "report --help", "copy": "backup",
        "repair": "salvage", "fix": "salvage", "delete": "erase", "forget": "erase",
        "shrink-log": "compact", "vacuum": "compact", "projections": "schema",
        "version": "--version", "commands": "schema", "init": "append", "create": "append",
    ]

    /// Returns a hint about an unknown option of a command; `nil` if there is no hint.
    private static func hint(forOption option: String, _ command: String?) -> String? {
        if reportArguments.contains(option), commandsWithReport.contains(command ?? "") {
            return "Arguments of a report are set with '--with \(option.dropFirst(2))=…'."
        }
        guard let same = boundSynonyms[option] else { return optionHints[option] }
        return commandsWithBounds.contains(command ?? "")
            ? "Did you mean '\(same)'?" : optionHints[same]
    }

    /// Options for arguments of reports, which only the command `report` has.
    private static let reportArguments: Set = [
        "--baby", "--date", "--week", "--month", "--user", "--run", "--zone",
    ]

    private static let commandsWithReport: Set = ["blame", "bisect", "what-if", "trace", "compare"]

    /// Options of other tools for the start or end of a span of time, each with this tool's option.
    private static let boundSynonyms = [
        "--since": "--from", "--after": "--from", "--start": "--from",
        "--until": "--to", "--before": "--to", "--end": "--to",
    ]

    private static let commandsWithBounds: Set = ["log", "report", "compare", "trace", "what-if"]

    /// Hints for options that select events, which other commands than `log` and `view` lack.
    private static let actorHint = "'log --by ACTOR' lists the events of an actor."
    private static let textHint = "'log --contains TEXT' lists the events with a text."

    /// Hints for options of other tools, by the name of the option.
    private static let optionHints = [
        "--last": "'--reverse -n 10' lists the newest ten.",
        "--tail": "'--reverse -n 10' lists the newest ten.",
        "--actor": actorHint, "--author": actorHint, "--user": actorHint, "--by": actorHint,
        "--device": "'log --device ID' lists the events of a device.",
        "--where": "'log --where EXPRESSION' lists events, 'state --where EXPRESSION' entities.",
        "-f": "'log --follow' waits for more.", "--oneline": "Each event is on one line already.",
        "--fix": "A log is not repaired in place; 'salvage' saves what can be read.",
        "--repair": "A log is not repaired in place; 'salvage' saves what can be read.",
        "--type": "Did you mean '--kind'?", "--file": "Did you mean '--log'?",
        "--db": "Did you mean '--log'?", "--database": "Did you mean '--log'?",
        "--format": "'--json' prints JSON.",
        "--output": "Answers go to standard output: '> FILE' writes them to a file.",
        "--count": "'list' shows the number of events; 'wc -l' counts lines.",
        "--grep": textHint, "--search": textHint, "--contains": textHint,
        "--correlation": "'log --json' shows correlations.",
        "--from": "'log --tag NOUN:ID --from TIME' lists events; '--at' answers as of a time.",
        "--to": "'log --tag NOUN:ID --to TIME' lists events; '--at' answers as of a time.",
        "--dry-run": "'what-if --insert FILE' shows what the lines would change.",
        "-n": "'| head -n 10' shows the first ten.",
        "--limit": "'| head -n 10' shows the first ten.",
        "--position": "'log POSITION' shows one event; '--at' answers as of a position.",
    ]

    /// Returns a hint about an unknown option that is named after a kind of entity, such as
    /// `--entry`; else `nil`.
    private static func hint(forNoun option: String, _ command: String?) -> String? {
        let noun = String(option.drop { $0 == "-" })
        let projections = Program.catalogue.projections.values.map(\.noun)
        guard projections.contains(noun) else { return nil }
        return switch command {
        case "log", "capture", "erase": "Did you mean '--tag \(noun):ID'?"
        case "audit", "late": "Did you mean '--of \(noun):ID'?"
        default: "Give the key of the entity after the name of the projection."
        }
    }

    /// Returns the parser's message about an unknown option or an unexpected argument, with a hint
    /// added.
    ///
    /// - Parameter command: name of the command; `nil` if none was recognised.
    static func addingHint(_ message: String, command: String?) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard let first = lines.first else { return message }
        if let option = quotedWord(first, after: "Unknown option '") {
            let plain = first.prefix { $0 != "." }.split(separator: "Did you mean")[0]
            if let hint = hint(forOption: option, command) ?? hint(forNoun: option, command) {
                lines[0] = "\(plain). \(hint)"
            } else if let meant = quotedWord(first, after: "Did you mean '"),
                NearestNames.nearest(to: option, in: [meant]).isEmpty
            {
                lines[0] = "\(plain)."
            }
        } else if first.lowercased().contains("unexpected argument"),
            let word = quotedWord(first, after: "'")
        {
            lines[0] = first + unexpectedArgumentHint(word, command)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a hint for an argument that the command does not expect; empty if there is no hint.
    private static func unexpectedArgumentHint(_ word: String, _ command: String?) -> String {
        if command == "append" {
            return ". Lines are read from standard input: '\(Program.name) append < \(word)'."
        }
        return word.contains(".") || word.contains("/") ? ". Set the log with --log." : ""
    }

    /// Returns the text between `mark` and the next apostrophe; `nil` if either is missing.
    private static func quotedWord(_ text: String, after mark: String) -> String? {
        guard let start = text.firstRange(of: mark)?.upperBound else { return nil }
        let rest = text[start...]
        guard let end = rest.firstIndex(of: "'") else { return nil }
        return String(rest[..<end])
    }
}
