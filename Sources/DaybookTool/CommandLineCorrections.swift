import Daybook

/// Corrections of a mistyped command line. These are hints for the words of other tools, such as
/// `tail`, and negative values after options.
enum CommandLineCorrections {
    /// Returns the words with options that stand before the command after it, and `-n1` as `-n 1`.
    ///
    /// A word is the command only if the words before it are options of this command, each with its
    /// value. So `--log state list` is the command `list` for the log `state`.
    static func arranged(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let words = words[..<end].flatMap(separatingNumber) + words[end...]
        guard words.first?.hasPrefix("-") == true,
            let place = words.prefix(while: { $0 != "--" }).indices.first(where: { place in
                Program.command(words[place]).map {
                    RepeatedOptions.areOptions(words[..<place], of: $0)
                } ?? false
            })
        else { return words }
        let rest = words[place...]
        let terminator = rest.firstIndex(of: "--") ?? rest.endIndex
        return Array(rest[..<terminator] + words[..<place] + rest[terminator...])
    }

    /// Returns `-n` and `1` for `-n1`, and any other word alone.
    private static func separatingNumber(_ word: String) -> [String] {
        let letters = word.dropFirst()
        guard word.hasPrefix("-"), letters.first?.isLetter == true, letters.count > 1,
            letters.dropFirst().allSatisfy(\.isNumber)
        else { return [word] }
        return [String(word.prefix(2)), String(word.dropFirst(2))]
    }

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
        let found = equivalents.filter { words, names in
            guard let command = words.split(separator: " ").first.map(String.init) else {
                return false
            }
            return names.split(separator: " ").contains(Substring(name.lowercased()))
                && (known.contains(command) || command.hasPrefix("--"))
        }.map { "'\(Program.name) \($0.words)'" }
        guard !found.isEmpty else { return NearestNames.hint(for: name, in: known) }
        return "; \(found.joined(separator: " or ")) does that."
    }

    /// Command lines of this tool, each with the words by which other tools call the same.
    private static let equivalents: [(words: String, names: String)] = [
        ("log POSITION", "show"), ("log", "cat events"), ("log --follow", "tail"),
        ("log -n 10", "head"), ("log --tag NOUN:ID", "query"),
        ("log --contains TEXT", "find search grep"),
        ("list", "ls ps entities"), ("state NOUN KEY", "get"), ("blame", "why who"),
        ("state NOUN KEY --at A --to B", "diff"), ("compare", "diff"), ("stat", "status info"),
        ("verify", "fsck check-log"), ("check", "run test"),
        ("append", "add write put init create"), ("report --help", "reports"),
        ("backup", "copy"), ("salvage", "repair fix"), ("erase", "delete forget"),
        ("compact", "shrink-log vacuum"), ("schema", "projections commands describe"),
        ("view", "serve ui open dashboard timeline"), ("export --format sql", "sql"),
        ("--version", "version"),
    ]

    /// Returns a hint about an unknown option of a command; `nil` if there is no hint.
    ///
    /// - Parameter has: true for an option that the command has; a hint names no other.
    static func hint(
        forOption option: String, _ command: String?, has: (String) -> Bool
    ) -> String? {
        if reportArguments.contains(option), commandsWithReport.contains(command ?? "") {
            return "Arguments of a report are set with '--with \(option.dropFirst(2))=…'."
        }
        let same = boundSynonyms[option]
        let hints = [
            optionHints[option], same.map { "Did you mean '\($0)'?" },
            same.flatMap { optionHints[$0] },
        ]
        return hints.lazy.compactMap(\.self).first { hint in
            hint.split(separator: "'").filter { $0.hasPrefix("-") }.allSatisfy {
                has(String($0.prefix { $0 != " " }))
            }
        }
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
        "--days": "--from", "--last": "--from",
    ]

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
        "--code": "Did you mean '--rule'?",
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
            let own = command.flatMap(Program.command)
            let hint = hint(forOption: option, command) { option in
                own.map { RepeatedOptions.areOptions(["\(option)="], of: $0) } ?? false
            }
            if let hint = hint ?? self.hint(forNoun: option, command) {
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
