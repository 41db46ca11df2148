import ArgumentParser
public import Daybook
import DaybookInvestigation
public import DaybookLog
import Synchronization

/// Command-line program for an app's areas.
///
/// It has the generic commands, such as `log` and `state`, which work for any app.
///
/// ```swift
/// @main
/// enum Tool {
///     static func main() { ReplayTool.main([Lending.self]) }
/// }
/// ```
public enum ReplayTool {
    /// Version of the generic commands, which `--version` prints by default.
    public static let version = Program.toolVersion

    /// Runs the command that the process's arguments name, and exits with its exit code.
    ///
    /// The program does not look for faults of the areas, such as a name that is declared twice:
    /// `checkArea` of DaybookTesting finds them.
    ///
    /// - Parameters:
    ///   - formats: imports, exports, pictures and other formats that no area lists itself.
    ///   - name: name of the program in help, messages and completions; by default the name of the
    ///     executable.
    ///   - version: answer to `--version`.
    ///   - store: access to logs in databases, such as `.postgreSQL` of DaybookPostgres; `nil` for a
    ///     program that hands a log `postgres://…` over to the program NAME`-postgres` beside it.
    public static func main(
        _ areas: [any Area.Type], formats: [any FileFormats.Type] = [], name: String? = nil,
        version: String = ReplayTool.version, store: StoreDriver? = nil
    ) -> Never {
        main(areas, formats: formats, name: name, version: version, store: store, further: [])
    }

    /// Runs a program that has further commands in addition to the generic ones.
    ///
    /// - Parameter further: commands in addition to the generic ones.
    package static func main(
        _ areas: [any Area.Type], formats: [any FileFormats.Type] = [], name: String? = nil,
        version: String = ReplayTool.version, store: StoreDriver? = nil,
        further: [any ToolCommand.Type]
    ) -> Never {
        let name = name ?? executableName
        // The help texts of commands read the name and the areas.
        Program.set { program in
            program.areas = areas
            program.formats = formats
            program.store = store
            program.name = name
            program.version = version
        }
        LogFiles.setReplicaFolder(try? ReplicaCache().folder)
        let files = Program.catalogue.files
        let groups = groups(trials: files.flatMap { $0.trials }, further)
        let commands = groups.flatMap(\.commands)
        let hasRoutes = files.contains { !$0.routes.isEmpty }
        let shown = commands.filter { hasRoutes || $0 != RoutesCommand.self }
        // Made outside the lock, because the help texts read the program.
        let named = Dictionary(shown.map { ($0._commandName, $0) }) { first, _ in first }
        let answers = commands.flatMap { $0.answers }
        Program.set { program in
            program.commands = named
            program.answers = answers
        }
        configuration = CommandConfiguration(
            commandName: name,
            abstract: "Explain an app's past from its event log.",
            discussion: """
                Exit codes: 0 for an answer; 1 for a difference, a finding or a rejected \
                row; 2 for bad usage, unreadable input, an output that cannot be written \
                or a full disk; 3 for a damaged or locked log.
                """,
            version: version,
            groupedSubcommands: groups.map { group in
                let commands = group.commands.filter { Program.command($0._commandName) != nil }
                return CommandGroup(name: group.name, subcommands: commands.map { $0 })
            })
        run()
    }

    /// Returns all commands in groups, as the help lists them.
    ///
    /// - Parameters:
    ///   - trials: decisions with a candidate file, of which each is a command.
    ///   - further: commands in addition to the generic ones.
    static func groups(
        trials: [any Trial.Type] = [], _ further: [any ToolCommand.Type] = []
    ) -> [Group] {
        let trials = trials.map { command(of: $0) }
        return [
            Group("Recording", [AppendCommand.self, EraseCommand.self, ImportCommand.self]),
            Group(
                "Reading",
                [
                    LogCommand.self, ListCommand.self, StateCommand.self, HistoryCommand.self,
                    ReportCommand.self, SchemaCommand.self, ExportCommand.self, RoutesCommand.self,
                ] + further),
            Group(
                "Explaining",
                [
                    BlameCommand.self, BisectCommand.self, WhatIfCommand.self, LateCommand.self,
                    AuditCommand.self, ViewCommand.self,
                    TransitionsCommand.self, OrderSafetyCommand.self,
                ] + trials),
            Group(
                "Testing",
                [
                    CheckCommand.self, CaptureCommand.self, ShrinkCommand.self, TraceCommand.self,
                    CompareCommand.self,
                ]),
            Group(
                "Maintenance",
                [
                    StatCommand.self, VerifyCommand.self, BackupCommand.self, RestoreCommand.self,
                    CompactCommand.self, SnapshotCommand.self, ReindexCommand.self,
                    SalvageCommand.self, ShipCommand.self, PullCommand.self, ProveCommand.self,
                    CheckProofCommand.self, DatabaseCommand.self, PushCommand.self,
                ]),
        ]
    }

    /// A group of commands, as the help lists it.
    struct Group {
        /// Title of the group.
        let name: String
        /// Commands of the group, sorted by name.
        let commands: [any ToolCommand.Type]

        init(_ name: String, _ commands: [any ToolCommand.Type]) {
            self.name = name
            self.commands = commands.sorted { $0._commandName < $1._commandName }
        }
    }

    /// Returns the command that runs a trial: a decision with a candidate file.
    private static func command<Body: Trial>(of trial: Body.Type) -> any ToolCommand.Type {
        TrialCommand<Body>.self
    }

    /// Configuration of the root command, for the parser.
    fileprivate(set) static var configuration: CommandConfiguration {
        get { root.withLock { $0 } }
        set { root.withLock { $0 = newValue } }
    }

    private static let root = Mutex(CommandConfiguration())

    /// Name of the executable without its folder.
    private static var executableName: String {
        let path = ProgramArguments.all.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "replay"
    }
}

/// The root command, whose subcommands are all commands of the program.
private struct Root: ParsableCommand {
    static var configuration: CommandConfiguration { ReplayTool.configuration }
}

extension ReplayTool {
    /// The words of the command line, the command first.
    private static let words = CommandLineCorrections.arranged(ProgramArguments.words)

    /// Runs the command that the arguments name, and ends the process.
    private static func run() -> Never {
        StandardStreams.prepare()
        SignalMessages.installSignalHandlers()
        var running: (any ParsableCommand)?
        do {
            try ProgramArguments.check()
            try checkCommandName(words)
            if let asked = words.first.flatMap(Program.command) {
                noteRunning(asked, words)
                let arguments = Array(words.dropFirst())
                try RepeatedOptions.checkVersion(arguments, of: asked)
                try RepeatedOptions.check(arguments, of: asked, asked._commandName)
                keepOnly(asked)
            }
            var command = try parse(words)
            running = command
            let asked = words.first.flatMap(Program.command)?.casting(command)
            if asked?.isPaged == true { Pager.request() }
            if asked?.isWaiting != true { Progress.begin(type(of: command)._commandName) }
            try command.run()
            // The commit is on disk, but the head file is an output that could not be written.
            endProcess(OpenedLogs.headFileLags ? Failure.Code.usage.rawValue : 0)
        } catch let failure as Failure {
            failure.end()
        } catch let error as QuestionError {
            Failure(error).end()
        } catch let error as LogError {
            Failure(error.code, error).end()
        } catch let error as FoldError {
            Failure(.log, error).end()
        } catch {
            end(error, of: running)
        }
    }

    /// Parses the words as a command.
    ///
    /// The parser looks for a request for a completion script by parsing the words twice more, but
    /// not for a command that is part of another program. Without such a request, the root is one
    /// while the words are parsed.
    private static func parse(_ words: [String]) throws -> any ParsableCommand {
        if !words.contains(where: { $0.hasPrefix("--generate-completion-script") }) {
            configuration._superCommandName = ""
        }
        defer { configuration._superCommandName = nil }
        return try Root.parseAsRoot(CommandLineCorrections.joiningNegativeValues(words))
    }

    /// Keeps the command that the process is about to run, unless help is asked for.
    private static func noteRunning(_ command: any ToolCommand.Type, _ words: [String]) {
        let questions: Set = ["-h", "--help", "--help-hidden", "--version"]
        guard questions.isDisjoint(with: words.prefix { $0 != "--" }) else { return }
        Program.set { $0.running = command }
    }

    /// Throws a usage error if the first word is neither an option nor a known command.
    private static func checkCommandName(_ words: [String]) throws {
        guard let name = words.first, !name.hasPrefix("-"), name != "help",
            Program.command(name) == nil
        else { return }
        let known = configuration.subcommands.map { $0._commandName } + ["help"]
        throw ValidationError(
            "There is no command '\(name)'\(CommandLineCorrections.hint(forCommand: name, in: known))"
        )
    }

    /// Removes all other commands from the root, because the parser would describe them too.
    private static func keepOnly(_ command: any ToolCommand.Type) {
        configuration.subcommands = [command]
    }

    /// Returns a message about an option that the command does not have.
    ///
    /// - Returns: `nil` if the command has all options, and for `report`, which checks its own.
    private static func unknownOption() -> String? {
        guard let command = words.first.flatMap(Program.command), command != ReportCommand.self,
            let option = RepeatedOptions.firstUnknown(among: Array(words.dropFirst()), of: command)
        else { return nil }
        let name = command._commandName
        return CommandLineCorrections.addingHint(
            """
            Error: Unknown option '\(option)'.
            Usage: \(Root.usageString(for: command))
              See '\(Program.name) \(name) --help' for more information.
            """, command: name)
    }

    /// Returns the message about a wrong usage of a command.
    private static func message(
        _ error: ValidationError, about command: any ParsableCommand
    ) -> String {
        let asked = command as? any ToolCommand
        let usage = asked?.usage ?? Root.usageString(for: type(of: command))
        let call = asked?.helpCall ?? "\(Program.name) \(type(of: command)._commandName)"
        return """
            Error: \(error)
            Usage: \(usage)
              See '\(call) --help' for more information.
            """
    }

    /// Prints an error or a help page, and ends the process.
    ///
    /// - Parameter command: the command whose usage was wrong; `nil` if no command was parsed.
    private static func end(_ error: any Error, of command: (any ParsableCommand)?) -> Never {
        let code = Root.exitCode(for: error)
        if command == nil, code != .success,
            !Root.fullMessage(for: error).contains("Unknown option"), let message = unknownOption()
        {
            StandardError.write(lines: HelpPage.wrapped(message: message))
            endProcess(Failure.Code.usage.rawValue)
        }
        let message =
            if let command, let error = error as? ValidationError {
                self.message(error, about: command)
            } else {
                CommandLineCorrections.addingHint(
                    addingNearestValue(Root.fullMessage(for: error)),
                    command: words.first)
            }
        if code == .success {
            let isHelp = message.hasPrefix("OVERVIEW:")
            if isHelp { Pager.request() }
            let hasExamples = message.contains("EXAMPLES:")
            let examples = isHelp && !hasExamples ? examples(for: words) : ""
            let page =
                isHelp
                ? HelpPage.arranged(
                    message, logHelp: LogOptions.helpMessage(columns: HelpPage.columns))
                : message
            if !page.isEmpty { Output.text(page + examples + "\n") }
            endProcess(0)
        }
        StandardError.write(lines: HelpPage.wrapped(message: message))
        endProcess(code == .validationFailure ? Failure.Code.usage.rawValue : code.rawValue)
    }
}

extension ReplayTool {
    /// Returns the section of examples for the help of the command that the words name; empty
    /// without a command.
    private static func examples(for words: [String]) -> String {
        let named = words.first == "help" ? words.dropFirst().first : words.first
        return HelpPage.section(
            ofExamples: named.flatMap(Program.command)?.examples ?? [])
    }

    /// Adds the closest allowed value to the parser's message about an invalid value.
    private static func addingNearestValue(_ message: String) -> String {
        let mark = " is invalid for "
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        guard let line = lines.first, let end = line.firstRange(of: mark),
            let list = line.firstRange(of: "one of "),
            let value = quotedTexts(line[..<end.lowerBound]).last
        else {
            return message
        }
        let names = quotedTexts(line[list.upperBound...])
        if names.isEmpty { return addingNearestListedValue(lines) }
        let hint = NearestNames.hint(for: value, in: names)
        guard hint != "." else { return message }
        lines[0] = (line.hasSuffix(".") ? String(line.dropLast()) : line) + hint
        return lines.joined(separator: "\n")
    }

    /// Adds the closest allowed value to a message that lists the values on separate lines.
    private static func addingNearestListedValue(_ lines: [String]) -> String {
        var lines = lines
        let item = "  - "
        let values = lines.dropFirst().filter { $0.hasPrefix(item) }.map {
            String($0.dropFirst(item.count))
        }
        if let last = lines.lastIndex(where: { $0.hasPrefix(item) }),
            let value = lines.first.flatMap({ quotedTexts($0[...]).first }),
            let name = NearestNames.nearest(to: value, in: values).first
        {
            lines.insert("Did you mean '\(name)'?", at: last + 1)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the texts between single quotation marks.
    private static func quotedTexts(_ text: Substring) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
}
