import Daybook
import DaybookLibC

/// Rearrangement and wrapping of the help pages that the parser writes.
enum HelpPage {
    /// Title of the section of options that commands with a log have.
    private static let logTitle = "LOG:"

    /// Returns the page with the command's own options first, and with wrapped lines of usage.
    ///
    /// Options of the log are described on the page of the program; other pages name them.
    ///
    /// - Parameter logHelp: the parser's help about the options of the log, for the page of the
    ///   program.
    static func arranged(_ message: String, logHelp: String = "") -> String {
        var preface: [String] = []
        var sections: [[String]] = []
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
            if isTitle(line) { sections.append([]) }
            if sections.isEmpty {
                preface += wrapped(usage: String(line), into: columns)
            } else {
                sections[sections.count - 1].append(String(line))
            }
        }
        guard let own = sections.firstIndex(where: { $0.first == "OPTIONS:" }) else {
            return message
        }
        let isLast = own == sections.count - 1
        var options = sections.remove(at: own)
        var shared: [String] = []
        if let log = sections.firstIndex(where: { $0.first == logTitle }) {
            shared = (sections.remove(at: log) + options.filter(isVersion)).filter {
                $0.hasPrefix("  --")
            }.compactMap { $0.split(separator: " ").first.map(String.init) }
            options.removeAll(where: isVersion)
        }
        let place = sections.firstIndex { $0.first != "ARGUMENTS:" } ?? sections.count
        sections.insert(options, at: isLast ? place : min(own, sections.count))
        if sections.contains(where: { $0.first?.hasSuffix(" SUBCOMMANDS:") == true }) {
            sections.insert(logOptions(logHelp), at: 1)
        }
        if !shared.isEmpty {
            let names = shared.joined(separator: ", ")
            sections.append(
                Terminal.wrapped(
                    "Further options, which '\(Program.name) --help' describes: \(names).",
                    into: columns, indent: 0))
        }
        let blocks = sections.map { lines in
            lines.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
        }
        return preface.joined(separator: "\n") + "\n" + blocks.joined(separator: "\n\n") + "\n"
    }

    /// True for the line about `--version`.
    private static func isVersion(_ line: String) -> Bool { line.hasPrefix("  --version ") }

    /// Returns the section about the options of the log, from the parser's help about them.
    private static func logOptions(_ help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let options = lines.drop { $0 != "OPTIONS:" }.dropFirst()
        return ["OPTIONS OF COMMANDS WITH A LOG:"] + options.filter { !$0.hasPrefix("  -h, ") }
    }

    /// Returns the section that shows examples of command lines; empty without examples.
    static func section(ofExamples examples: [String]) -> String {
        guard !examples.isEmpty else { return "" }
        return "\n\nEXAMPLES:\n"
            + examples.map { "  \(Program.name) \($0)" }.joined(separator: "\n")
    }

    /// True for a title alone on its line, such as `OPTIONS:`.
    private static func isTitle(_ line: Substring) -> Bool {
        line.last == ":" && line.dropLast().allSatisfy { $0.isUppercase || $0 == " " }
            && line.first?.isUppercase == true
    }

    /// Number of columns of help: the width of the terminal, or 80.
    static var columns: Int { Terminal.layoutWidth < .max ? Terminal.layoutWidth : 80 }

    /// Number of columns of a message: the value of COLUMNS, else the width of the terminal;
    /// unlimited without either.
    private static var messageColumns: Int {
        if let columns = Terminal.variable("COLUMNS").flatMap({ Int($0) }), columns > 0 {
            return max(40, columns)
        }
        var size = winsize()
        guard isatty(STDERR_FILENO) != 0,
            unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return .max }
        return max(40, Int(size.ws_col))
    }

    static func wrapped(message: String) -> String {
        let columns = messageColumns
        return lines(message, into: columns, indent: 7).joined(separator: "\n")
    }

    /// Wraps a page to the width of the terminal; the second column of tables begins at `indent`.
    static func wrapped(_ page: String, indent: Int) -> String {
        lines(page, into: columns, indent: indent).joined(separator: "\n")
    }

    /// Returns the lines of a text, wrapped; `indent` applies to lines of tables only.
    private static func lines(_ text: String, into columns: Int, indent: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            wrapped(usage: String(line), into: columns).flatMap { part in
                let isTable = part.hasPrefix("  ") || part.hasPrefix("Help: ")
                return Terminal.wrapped(part, into: columns, indent: isTable ? indent : 0)
            }
        }
    }

    /// Wraps a line of usage without breaking an argument; returns any other line unchanged.
    private static func wrapped(usage line: String, into columns: Int) -> [String] {
        guard line.lowercased().hasPrefix("usage: "), columns < .max, line.count > columns else {
            return [line]
        }
        var lines: [String] = []
        var current = ""
        for word in arguments(of: line) {
            if !current.isEmpty, current.count + 1 + word.count > columns {
                lines.append(current)
                current = "         " + word
            } else {
                current += (current.isEmpty ? "" : " ") + word
            }
        }
        return lines + [current]
    }

    /// Splits a line at spaces that are outside brackets.
    private static func arguments(of line: String) -> [String] {
        var words: [String] = [""]
        var depth = 0
        for character in line {
            if "[<(".contains(character) { depth += 1 }
            if "]>)".contains(character) { depth -= 1 }
            if character == " ", depth == 0 {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}
