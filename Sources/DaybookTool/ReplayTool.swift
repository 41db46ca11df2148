package import ArgumentParser
public import Daybook
import DaybookInvestigation
import DaybookLibC
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
    public static let version = "0.1.0"

    /// Runs the command that the process's arguments name, and exits with its exit code.
    ///
    /// If the areas contradict each other, a command that needs the areas exits with code 2.
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
    /// - Parameters:
    ///   - further: commands in addition to the generic ones.
    ///   - isTested: true if a test creates the same catalogue, so that some checks are omitted
    ///     here.
    package static func main(
        _ areas: [any Area.Type], formats: [any FileFormats.Type] = [], name: String? = nil,
        version: String = ReplayTool.version, store: StoreDriver? = nil,
        further: [any ParsableCommand.Type],
        isTested: Bool = false
    ) -> Never {
        let name = name ?? executableName
        // The help texts of commands read the name and the areas.
        program.withLock { program in
            program.areas = areas
            program.formats = formats
            program.isTested = isTested
            program.store = store
            program.name = name
        }
        LogFiles.setReplicaFolder(try? ReplicaCache().folder)
        let groups = groups(areas + formats, further)
        let commands = Dictionary(
            groups.flatMap(\.subcommands).map { ($0._commandName, $0) }
        ) { first, _ in first }
        program.withLock { program in
            program.configuration = CommandConfiguration(
                commandName: name,
                abstract: "Explain an app's past from its event log.",
                discussion: """
                    Exit codes: 0 for an answer; 1 for a difference, a finding or a rejected \
                    row; 2 for bad usage, unreadable input, an output that cannot be written \
                    or a full disk; 3 for a damaged or locked log.
                    """,
                version: version, groupedSubcommands: groups)
            program.commands = commands
        }
        run()
    }

    /// Returns the commands in groups, as the help lists them.
    ///
    /// Routes and trial commands are included only if an area or format needs them.
    private static func groups(
        _ files: [any FileFormats.Type], _ further: [any ParsableCommand.Type]
    ) -> [CommandGroup] {
        let routes: [any ParsableCommand.Type] =
            files.contains { !$0.routes.isEmpty } ? [RoutesCommand.self] : []
        var trials: [any ParsableCommand.Type] = []
        for trial in files.flatMap({ $0.trials }) { trials.append(trialCommand(trial)) }
        return [
            group("Recording", [AppendCommand.self, EraseCommand.self, ImportCommand.self]),
            group(
                "Reading",
                [
                    LogCommand.self, ListCommand.self, StateCommand.self, HistoryCommand.self,
                    ReportCommand.self, SchemaCommand.self, ExportCommand.self,
                ] + routes + further),
            group(
                "Explaining",
                [
                    BlameCommand.self, BisectCommand.self, WhatIfCommand.self, LateCommand.self,
                    AuditCommand.self, ViewCommand.self,
                    TransitionsCommand.self, OrderSafetyCommand.self,
                ] + trials),
            group(
                "Testing",
                [
                    CheckCommand.self, CaptureCommand.self, ShrinkCommand.self, TraceCommand.self,
                    CompareCommand.self,
                ]),
            group(
                "Maintenance",
                [
                    StatCommand.self, VerifyCommand.self, BackupCommand.self, RestoreCommand.self,
                    CompactCommand.self, SnapshotCommand.self, ReindexCommand.self,
                    SalvageCommand.self, ShipCommand.self, PullCommand.self, ProveCommand.self,
                    CheckProofCommand.self, DatabaseCommand.self, PushCommand.self,
                ]),
        ]
    }

    /// Returns a group of commands, sorted by name.
    private static func group(
        _ name: String, _ commands: [any ParsableCommand.Type]
    ) -> CommandGroup {
        CommandGroup(
            name: name, subcommands: commands.sorted { $0._commandName < $1._commandName })
    }

    /// Returns the command that runs a trial: a decision with a candidate file.
    private static func trialCommand<Body: Trial>(
        _ trial: Body.Type
    ) -> any ParsableCommand.Type { TrialCommand<Body>.self }

    /// The name of the program in help and messages.
    package static var name: String { program.withLock { $0.name } }

    /// Access to logs in databases; `nil` if another program has it.
    static var store: StoreDriver? { program.withLock { $0.store } }

    /// Name of the command that the process runs; empty if it only shows help.
    static var runningCommand: String { program.withLock { $0.running } }

    /// The version of the program, which `--version` prints.
    static var programVersion: String { program.withLock { $0.configuration.version } }

    /// Returns the catalogue of the program's areas, which is created once.
    ///
    /// - Throws: `Failure` with code 2 if the areas contradict each other.
    package static func catalogue() throws -> Catalogue {
        do throws(InvalidCatalogue) {
            return try catalogueResult.get()
        } catch {
            throw Failure(.usage, error)
        }
    }

    /// The import formats, in the order of listing; empty if the areas contradict each other.
    ///
    /// A command that needs the catalogue then reports the contradiction.
    static var imports: [ImportDescription] { (try? catalogueResult.get())?.imports ?? [] }
    /// The export formats, in the order of listing; empty if the areas contradict each other.
    static var exports: [ExportDescription] { (try? catalogueResult.get())?.exports ?? [] }

    /// Configuration of the root command, for the parser.
    static var configuration: CommandConfiguration { program.withLock { $0.configuration } }

    /// Returns the command with this name; `nil` if the program has no such command.
    static func command(_ name: String) -> (any ParsableCommand.Type)? {
        program.withLock { $0.commands[name] }
    }

    /// Areas, formats and commands of the program, set once by `main`.
    private struct Program: Sendable {
        /// Areas of the app, each with its events, commands and projections.
        var areas: [any Area.Type] = []
        /// Formats that no area lists itself.
        var formats: [any FileFormats.Type] = []
        /// True if the program's tests check the catalogue.
        var isTested = false
        /// Access to logs in databases; `nil` if another program has it.
        var store: StoreDriver?
        /// Name of the program in help and messages.
        var name = ""
        /// Configuration of the root command, for the parser.
        var configuration = CommandConfiguration()
        /// Name of the command that the process runs; empty if it only shows help.
        var running = ""
        /// All commands by name.
        var commands: [String: any ParsableCommand.Type] = [:]
    }

    /// The program that `main` has set up.
    private static let program = Mutex(Program())
    /// The catalogue of the areas, or the contradiction between them; created at first use.
    private static let catalogueResult: Result<Catalogue, InvalidCatalogue> = {
        do throws(InvalidCatalogue) {
            let program = program.withLock { $0 }
            return .success(
                try Catalogue(
                    program.areas, formats: program.formats, isTested: program.isTested))
        } catch {
            return .failure(error)
        }
    }()

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
    /// Runs the command that the arguments name, and ends the process.
    private static func run() -> Never {
        StandardStreams.prepare()
        SignalMessages.installSignalHandlers()
        var running: (any ParsableCommand)?
        do {
            try ProgramArguments.check()
            let words = ProgramArguments.words
            try checkCommandName(words)
            if let asked = words.first.flatMap(command) {
                noteRunning(asked, words)
                let arguments = Array(words.dropFirst())
                try RepeatedOptions.checkVersion(arguments, of: asked)
                try RepeatedOptions.check(arguments, of: asked, asked._commandName)
                keepOnly(asked)
            }
            var command = try Root.parseAsRoot(CommandLineCorrections.joiningNegativeValues(words))
            running = command
            if (command as? any PagedCommand)?.isPaged == true { Pager.request() }
            if !isWaiting(command) { Progress.begin(type(of: command)._commandName) }
            try command.run()
            // The commit is on disk, but the head file is an output that could not be written.
            endProcess(
                LogOptions.headFileLags ? Failure.Code.usage.rawValue : 0)
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

    /// Keeps the name of the command that the process is about to run, unless help is asked for.
    private static func noteRunning(_ command: any ParsableCommand.Type, _ words: [String]) {
        let questions: Set = ["-h", "--help", "--help-hidden", "--version"]
        guard questions.isDisjoint(with: words.prefix { $0 != "--" }) else { return }
        let name = command._commandName
        program.withLock { $0.running = name }
    }

    /// True if the command waits for events, or for a person at the terminal.
    private static func isWaiting(_ command: any ParsableCommand) -> Bool {
        if let log = command as? LogCommand { return log.follow }
        if let view = command as? ViewCommand { return view.isLive }
        return command is AppendCommand && isatty(STDIN_FILENO) != 0
    }

    /// Throws a usage error if the first word is neither an option nor a known command.
    private static func checkCommandName(_ words: [String]) throws {
        guard let name = words.first, !name.hasPrefix("-"), name != "help", command(name) == nil
        else { return }
        let known = configuration.subcommands.map { $0._commandName } + ["help"]
        throw ValidationError(
            "There is no command '\(name)'\(CommandLineCorrections.hint(forCommand: name, in: known))"
        )
    }

    /// Removes all other commands from the root, because the parser would describe them too.
    private static func keepOnly(_ command: any ParsableCommand.Type) {
        program.withLock { $0.configuration.subcommands = [command] }
    }

    /// Returns a message about an option that the command does not have.
    ///
    /// - Returns: `nil` if the command has all options, and for `report`, which checks its own.
    private static func unknownOption() -> String? {
        let words = ProgramArguments.words
        guard let command = words.first.flatMap(command), command != ReportCommand.self,
            let option = RepeatedOptions.firstUnknown(among: Array(words.dropFirst()), of: command)
        else { return nil }
        let name = command._commandName
        return CommandLineCorrections.addingHint(
            """
            Error: Unknown option '\(option)'.
            Usage: \(Root.usageString(for: command))
              See '\(self.name) \(name) --help' for more information.
            """, command: name)
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
        let stated = command as? any UsageProviding
        let message =
            if let command, let error = error as? ValidationError {
                """
                Error: \(error)
                Usage: \(stated?.usage ?? Root.usageString(for: type(of: command)))
                  See '\(stated?.helpCall ?? "\(name) \(type(of: command)._commandName)") --help' \
                for more information.
                """
            } else {
                CommandLineCorrections.addingHint(
                    addingNearestValue(Root.fullMessage(for: error)),
                    command: ProgramArguments.words.first)
            }
        if code == .success {
            let isHelp = message.hasPrefix("OVERVIEW:")
            if isHelp { Pager.request() }
            let hasExamples = message.contains("EXAMPLES:")
            let examples =
                isHelp && !hasExamples ? examples(for: ProgramArguments.all) : ""
            let page = isHelp ? HelpPage.arranged(message) : message
            if !page.isEmpty { Output.text(page + examples + "\n") }
            endProcess(0)
        }
        StandardError.write(lines: HelpPage.wrapped(message: message))
        endProcess(code == .validationFailure ? Failure.Code.usage.rawValue : code.rawValue)
    }
}

/// A command whose usage line depends on its arguments.
protocol UsageProviding {
    /// The usage line; `nil` for the default.
    var usage: String? { get }
    /// The command line that, with `--help` added, shows the command's help; `nil` for the default.
    var helpCall: String? { get }
}

extension ReplayTool {
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
