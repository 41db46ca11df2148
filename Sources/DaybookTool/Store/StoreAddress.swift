import Daybook
import DaybookLibC
import DaybookLog

/// The address of a log in a database, which a command takes in place of the path of a file.
enum StoreAddress {
    /// True for an address, false for the path of a file.
    static func isAddress(_ text: String) -> Bool {
        ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
    }

    /// Prepares the running command for a log that it names, before it reads any input.
    ///
    /// For the path of a file, keeps it from the command's output. For an address, ends the process if the command refuses logs in databases, and replaces it
    /// if another program has access to them.
    static func prepare(_ log: String?) {
        guard let log else { return }
        guard isAddress(log) else { return LogFiles.addLog(log) }
        // The parser checks the options before it shows help.
        guard let command = Program.runningCommand else { return }
        do {
            try command.checkStoreUse()
            if Program.store == nil { try handOver() }
        } catch { error.end() }
    }

    /// The program's access to databases; without any, the program that has it takes over.
    static func driver() throws(Failure) -> StoreDriver {
        guard let driver = Program.store else { try handOver() }
        return driver
    }

    /// Replaces this process by the program with access to databases, which lies beside this one.
    /// It gets all arguments and the environment.
    private static func handOver() throws(Failure) -> Never {
        let own = try ChildProcess.ownPath()
        let name = "\(Program.name)-postgres"
        let program = "\(own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex))\(name)"
        var problem = SystemError(code: ELOOP)
        if program != own { problem = ProgramArguments.handOver(to: program) }
        guard problem.code == ENOENT || problem.code == ELOOP else {
            throw Failure(.usage, "\(program): the program cannot be run: \(problem)")
        }
        throw Failure(
            .usage,
            "logs in PostgreSQL are read by the program \(program), which is not there; build it "
                + "with 'swift build --traits PostgreSQL --product \(name)', which needs libpq-dev")
    }

    /// Returns the place of the keys: a file or a command; `nil` if none is given. Options come
    /// before the environment.
    static func keys(file: String? = nil, command: String? = nil) throws -> StoreKeySource? {
        if let source = source(file, command) { return source }
        let variables = (
            Terminal.variable(StoreKeyVariables.file), Terminal.variable(StoreKeyVariables.command)
        )
        guard variables.0 == nil || variables.1 == nil else {
            throw Failure(
                .usage,
                "the variables \(StoreKeyVariables.file) and \(StoreKeyVariables.command) contradict "
                    + "each other; unset one of them")
        }
        return source(variables.0, variables.1)
    }

    private static func source(_ file: String?, _ command: String?) -> StoreKeySource? {
        file.map { .file($0) } ?? command.map { .command($0) }
    }
}
