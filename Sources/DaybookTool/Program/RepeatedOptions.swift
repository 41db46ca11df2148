import ArgumentParser
import Daybook

/// Check for options that take one value and are given more than once.
///
/// The parser silently uses the last value, so a second `--condition` or `--at` would replace the
/// first. The declarations say which options may be repeated; a repeated flag changes nothing.
enum RepeatedOptions {
    /// Throws an error if an option that takes one value is given more than once.
    ///
    /// - Parameters:
    ///   - arguments: arguments after the name of the command.
    ///   - declarations: type that declares the options: the command, or the options that it parses
    ///     itself.
    ///   - call: words of the command line that, with `--help` added, list the options.
    static func check(
        _ arguments: [String], of declarations: any ParsableArguments.Type, _ call: String
    ) throws {
        let given = arguments.prefix { $0 != "--" }
        guard mayRepeat(given), let options = valueOptions(of: declarations) else { return }
        var seen: Set<Int> = []
        var index = given.startIndex
        while index < given.endIndex {
            let argument = given[index]
            index += 1
            guard let place = options.firstIndex(where: { $0.names.contains(name(argument)) })
            else { continue }
            let option = options[place]
            guard option.isRepeating || seen.insert(place).inserted else {
                throw repetitionFailure(of: name(argument), call)
            }
            let isSeparate = !argument.contains("=")
            if isSeparate, index < given.endIndex,
                option.takesAnything || !given[index].hasPrefix("-")
            {
                index += 1
            }
        }
    }

    /// Throws an error if `--version` has a value, which the parser would ignore.
    static func checkVersion(
        _ arguments: [String], of command: any ParsableArguments.Type
    ) throws {
        let given = arguments.prefix { $0 != "--" }
        guard let place = given.firstIndex(of: "--version"), place + 1 < given.endIndex,
            !given[place + 1].hasPrefix("-")
        else { return }
        let names = (valueOptions(of: command) ?? []).flatMap(\.names)
        let meant = names.filter { $0.hasSuffix("-version") }.min()
        throw ValidationError(
            "--version takes no value; it shows the version of \(Program.name)."
                + (meant.map { " Did you mean '\($0) \(given[place + 1])'?" } ?? ""))
    }

    /// Returns the first option among the arguments that the command does not have; `nil` if it has
    /// all of them.
    ///
    /// The parser takes the word after an unknown option for an argument. A command that checks its
    /// arguments first would report that word instead of the option.
    static func firstUnknown(
        among arguments: [String], of command: any ParsableArguments.Type
    ) -> String? {
        let given = arguments.prefix { $0 != "--" }
        guard given.contains(where: { $0.hasPrefix("--") }),
            let declared = declarations(of: command)
        else { return nil }
        let known = Set(declared.flatMap(names)).union(["--help", "--version"])
        return given.lazy.filter { $0.hasPrefix("--") }.map(name).first { !known.contains($0) }
    }

    /// True if all words are options of the command, each with its value.
    static func areOptions(
        _ words: some Sequence<String>, of command: any ToolCommand.Type
    ) -> Bool {
        guard let declared = declarations(of: command.optionDeclarations) else { return false }
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            guard let option = declared.first(where: { names($0).contains(name(word)) }) else {
                return false
            }
            let isFollowed = text(option["kind"]) == "option" && !word.contains("=")
            guard !isFollowed || rest.popFirst() != nil else { return false }
        }
        return true
    }

    /// Returns the failure for an option that is given twice.
    static func repetitionFailure(of option: String, _ call: String) -> Failure {
        Failure(
            .usage,
            "\(option) takes one value but is given twice; '\(Program.name) \(call) --help' "
                + "lists the options")
    }

    /// True if an option is perhaps given twice: a name occurs twice, or there is a short option.
    ///
    /// A short option may mean a long one. For most command lines this avoids reading the
    /// declarations.
    private static func mayRepeat(_ arguments: some Sequence<String>) -> Bool {
        var seen: Set<String> = []
        return arguments.contains { argument in
            guard argument.hasPrefix("-"), argument.utf8.count > 1 else { return false }
            let isShort = !argument.hasPrefix("--")
            return isShort || !seen.insert(name(argument)).inserted
        }
    }

    /// Returns the name of an option: `--at` for `--at=3`.
    private static func name(_ argument: String) -> String {
        String(argument.prefix { $0 != "=" })
    }

    /// An option of a command that takes a value.
    private struct Option {
        /// Long and short names with their dashes, such as `--number` and `-n`.
        var names: Set<String>
        /// True if the option may be given more than once.
        var isRepeating: Bool
        /// True if the next argument is the value even if it looks like an option.
        var takesAnything: Bool
    }

    /// Returns the declared arguments and options of a command, from the parser's description in
    /// JSON; `nil` on error.
    private static func declarations(of command: any ParsableArguments.Type) -> [Tree]? {
        let description: Tree
        do throws(InputError) {
            description = try JSONParser.parse(command._dumpHelp().utf8)
        } catch {
            return nil
        }
        guard case .list(let arguments) = description["command"]?["arguments"]?.content else {
            return nil
        }
        return arguments
    }

    /// Returns the names of an option with their dashes, from the parser's description of it.
    private static func names(_ argument: Tree) -> [String] {
        guard case .list(let names) = argument["names"]?.content else { return [] }
        return names.map(dashedName)
    }

    /// Returns the options of a command that take values.
    private static func valueOptions(of command: any ParsableArguments.Type) -> [Option]? {
        declarations(of: command)?.compactMap { argument in
            guard text(argument["kind"]) == "option" else { return nil }
            return Option(
                names: Set(names(argument)),
                isRepeating: argument["isRepeating"]?.content == .boolean(true),
                takesAnything: text(argument["parsingStrategy"]) == "unconditional")
        }
    }

    /// Returns a name with its dashes, `--at` or `-n`, from the parser's description of it.
    private static func dashedName(_ name: Tree) -> String {
        (text(name["kind"]) == "long" ? "--" : "-") + (text(name["name"]) ?? "")
    }

    /// Returns the text of a JSON value; `nil` if it is not a text.
    private static func text(_ tree: Tree?) -> String? {
        guard case .text(let text) = tree?.content else { return nil }
        return text
    }
}
