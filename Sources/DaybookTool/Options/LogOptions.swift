package import ArgumentParser
package import Daybook
import DaybookInput
package import DaybookInvestigation
import DaybookLMDB
import DaybookLibC
package import DaybookLog

/// Options that select the log, its head file and the time to wait for its lock.
package struct LogOptions: ParsableArguments {
    /// Path of the log; `nil` means the value of the variable DAYBOOK_LOG.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Path of the log, or its address in PostgreSQL, postgres://…?log=NAME; by default the "
                + "value of the variable DAYBOOK_LOG.",
            valueName: "path"), completion: .file())
    package var log: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Longest time to wait while another process writes to the log.",
            valueName: "seconds"))
    var wait: Double = 10

    /// Path of the file with the newest head of the log; `nil` means the value of
    /// DAYBOOK_HEAD_FILE.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "File that holds the newest head of the log; a log without that head was rolled back. "
                + "By default the value of the variable DAYBOOK_HEAD_FILE.",
            valueName: "path"), completion: .file())
    var headFile: String?

    /// Path of the file with the keys of a log in PostgreSQL; `nil` means the value of DAYBOOK_KEY_FILE.
    @Option(
        help: ArgumentHelp(
            "File with the keys of a log in PostgreSQL, which texts, names, places and appends need. "
                + "By default the value of the variable DAYBOOK_KEY_FILE.",
            valueName: "file"), completion: .file())
    var keyFile: String?

    /// Command that prints the keys of a log in PostgreSQL; `nil` means the value of
    /// DAYBOOK_KEY_COMMAND.
    @Option(
        help: ArgumentHelp(
            "Command that gives these keys in place of a file. By default the value of the variable "
                + "DAYBOOK_KEY_COMMAND.",
            valueName: "command"))
    var keyCommand: String?

    package init() {}

    package func validate() throws {
        guard wait >= 0, wait <= 1_000_000_000 else {
            throw ValidationError("--wait: expected seconds like 10 or 0.5, found \(wait).")
        }
        guard keyFile == nil || keyCommand == nil else {
            throw ValidationError("--key-file and --key-command contradict each other; omit one.")
        }
        StoreAddress.prepare(name)
    }

    /// The path or address of the log; `nil` if neither an option nor the environment names one.
    private var name: String? { log ?? Terminal.variable("DAYBOOK_LOG") }

    /// The address of the log in a database; `nil` for a file, or if no log is named.
    var address: String? { name.flatMap { StoreAddress.isAddress($0) ? $0 : nil } }

    /// The place of the keys of a log in a database, from an option; `nil` if none is given.
    var givenKeys: StoreKeySource? {
        keyFile.map { .file($0) } ?? keyCommand.map { .command($0) }
    }

    /// True if an option or the environment names a log.
    package var isNamed: Bool { name != nil }

    /// Returns the path or address of the log.
    ///
    /// - Throws: `ValidationError` if neither an option nor the environment names a log.
    func path() throws -> String {
        if let name { return name }
        throw ValidationError(
            "No log is given; set its path with --log PATH or the variable DAYBOOK_LOG.")
    }

    /// True if the log exists; a log in a database must exist.
    ///
    /// - Throws: `Failure` if the log is missing although the head file records a commit.
    func exists() throws -> Bool {
        if address != nil { return true }
        if Folders.isFolder(try path()) != nil { return true }
        guard let headFile = namedHeadFile else { return false }
        do throws(LogError) {
            try HeadFile(path: headFile).refuseAbsence()
        } catch {
            if case .headFile(let cause) = error { throw Failure(.usage, "\(cause)") }
            throw Failure(error.code, error)
        }
        return false
    }

    /// Opens the log that the options name.
    ///
    /// A log in a database is brought up to date first.
    ///
    /// - Parameters:
    ///   - force: true to append even if the log is far ahead of this machine's clock.
    ///   - appends: false to write only what is derived from the events, which needs no keys.
    package func open(
        _ access: EventLog.Access, force: Bool = false, appends: Bool = true
    ) throws -> EventLog {
        if let address {
            guard headFile == nil, namedHeadFile == nil else {
                throw Failure(
                    .usage,
                    "a log in a database has no head file, because each replica keeps the head "
                        + "that it has seen; omit --head-file, and unset \(Self.headVariable)")
            }
            let keys = try StoreAddress.keys(file: keyFile, command: keyCommand)
            if appends, access != .read { try requireKeys("an append") }
            return Self.prepared(
                try StoredLogs.open(address, keys: keys, wait: wait, force: force))
        }
        guard givenKeys == nil else {
            throw Failure(
                .usage,
                "--key-file and --key-command are for a log in PostgreSQL; a file has its keys itself"
            )
        }
        try refuseFilesOfLogs(access)
        return try Self.open(
            try path(), access, wait: wait, force: force, headFile: namedHeadFile)
    }

    /// Throws a usage failure if standard output is the log, or if the head file or a new log would
    /// be another file of a log.
    private func refuseFilesOfLogs(_ access: EventLog.Access) throws {
        if let role = LogFiles.standardOutputRole {
            throw Failure(
                .usage, "standard output is \(role.rawValue), which is not overwritten")
        }
        if let file = namedHeadFile, let role = LogFiles.role(of: file), role != .head {
            throw Failure(.usage, "\(file): this is \(role.rawValue); expected a head file")
        }
        let path = try path()
        guard access == .create, Folders.isFolder(path) == nil,
            let role = LogFiles.role(ofName: path)
        else { return }
        throw Failure(.usage, "\(path): this is the name of \(role.rawValue); choose another")
    }

    /// Throws a usage failure if the log is in a database and its keys are not given.
    ///
    /// - Parameter noun: the work that needs them, such as `an append`.
    func requireKeys(_ noun: String) throws {
        guard let address, try StoreAddress.keys(file: keyFile, command: keyCommand) == nil
        else { return }
        throw Failure(
            .usage, "\(address): \(noun) needs the keys of the log; \(StoreKeyVariables.advice)")
    }

    /// The path of the head file; `nil` if neither an option nor the environment names one.
    var namedHeadFile: String? { headFile ?? Terminal.variable(Self.headVariable) }

    /// Environment variable with the path of the head file; an empty value names none.
    static let headVariable = "DAYBOOK_HEAD_FILE"

    /// Opens the log at a path or an address.
    ///
    /// - Parameters:
    ///   - path: path of the log, or its address in a database.
    ///   - wait: longest time in seconds to wait for another writer.
    ///   - force: appends even if the log is far ahead of this machine's clock.
    static func open(
        _ path: String, _ access: EventLog.Access, wait: Double = 10, force: Bool = false,
        headFile: String? = nil
    ) throws -> EventLog {
        if StoreAddress.isAddress(path) {
            return prepared(
                try StoredLogs.open(
                    path, keys: try StoreAddress.keys(), wait: wait, force: force))
        }
        let headFile = headFile.map { path in
            HeadFile(path: path) { error in
                StandardError.message(
                    "the events were appended, but the head file \(path) was not updated: \(error)")
                OpenedLogs.noteHeadFileFailure()
            }
        }
        let people = Program.catalogue.people
        do throws(LogError) {
            let log = try EventLog(
                path: path, access: access, writeWait: .milliseconds(Int64(wait * 1_000)),
                ignoresClockLead: force, people: people, headFile: headFile)
            if log.isReadWithoutLock {
                OpenedLogs.add(withoutLock: log)
                StandardError.message(
                    "\(path): reading without the lock file, which cannot be written; if the log "
                        + "changes meanwhile, this command may fail")
            }
            return prepared(log)
        } catch {
            if case .headFile(let cause) = error { throw Failure(.usage, "\(cause)") }
            if case .open(let cause) = error, case .missing(let path) = cause {
                throw Failure(
                    .usage,
                    "\(path): there is no such log; to create it, run '\(Program.name) append'")
            }
            if case .open(.neverBegun) = error {
                throw Failure(
                    .usage, "\(error); to create the log, run '\(Program.name) append'")
            }
            throw Failure(error.code, error)
        }
    }

    /// Returns a log, whose work is counted, and between whose transactions output is written.
    private static func prepared(_ log: EventLog) -> EventLog {
        log.betweenTransactions = { Output.flushIfDue() }
        Progress.addActivity(log.file.activity)
        return log
    }
}

extension EventLog {
    /// The longest time for which this command kept other writers waiting, such as `120 ms`.
    var longestWriteText: String { "\(Int64(file.longestWrite / .milliseconds(1))) ms" }

    /// Warns on standard error if the log is more than a day ahead of this machine's clock.
    func warnOfClockLead() throws {
        if let lead = try mappingLogErrors({ try file.clockLead() }) {
            StandardError.message("\(lead)")
        }
    }
}

/// Options that select the point in time as of which a command answers.
package struct MomentOptions: ParsableArguments {
    /// Limit of the position or recording time of the events to read, such as `12` or `yesterday`;
    /// `nil` for no limit.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Answer from the events up to this position, or recorded up to this time; a day means "
                + "its end.",
            valueName: "position|time"))
    package var at: String?

    /// Latest time, by the devices' clocks, at which an event to read happened; `nil` for no limit.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Answer from the events that happened up to this time, by the devices' clocks; a day "
                + "means its end.",
            valueName: "time"))
    package var validAt: String?

    @OptionGroup(title: "Zone") package var zones: ZoneOptions

    package init() {}

    package func validate() throws {
        guard let zone = zones.zone else { return }
        do {
            CommandTime.setZone(try ZoneOptions.zone(zone, try zones.source()))
        } catch let error as Failure {
            // The parser takes the exit code from its own kind of error.
            throw ValidationError("--zone: \(error.message)")
        }
    }

    /// True if `--at` or `--valid-at` is given.
    package var isGiven: Bool { at != nil || validAt != nil }

    /// Returns the point in time that the options select; without options, the end of the log.
    package func moment() throws -> Moment { try moment(at, "--at") }

    /// Returns the point in time that `--valid-at` and another option than `--at` select.
    func moment(_ text: String?, _ option: String) throws -> Moment {
        let validThrough = try validAt.map { try CommandTime.instant($0, "--valid-at", .end) }
        guard let text else { return Moment(validThrough: validThrough) }
        if let position = UInt64(text) {
            return Moment(.position(position), validThrough: validThrough)
        }
        return Moment(
            .time(try CommandTime.instant(text, option, .end)), validThrough: validThrough)
    }

    /// Returns the position of the last event to read.
    package func through(_ log: EventLog) throws -> Position {
        try mappingPositionErrors { try moment().through(log) }
    }

    /// Returns the time as of which the log is read, by the log's clock.
    package func knownAt(_ log: EventLog) throws -> Instant {
        try mappingPositionErrors { try moment().knownAt(log) }
    }

    /// Returns the time of `--valid-at`; events that happened later are not read. Returns `nil`
    /// without the option.
    package func validThrough() throws -> Instant? { try moment().validThrough }

    /// Calls `body` with a reading of the log as of the selected point in time, and returns the
    /// answer of `body`.
    ///
    /// - Parameter tag: tag of the entity in question, in whose zone `--at` and `--valid-at` are
    ///   read.
    /// - Throws: `Failure` for errors of the log, and for an entity without events up to that time.
    func answer<Answer>(
        _ log: EventLog, _ catalogue: Catalogue, about tag: Daybook.Tag? = nil,
        _ body: (ProjectionReading) throws -> Answer
    ) throws -> Answer {
        try mappingLogErrors {
            try setZoneIfNeeded(ofEntity: tag, in: log)
            let moment = try moment()
            let reading = try mappingPositionErrors {
                try ProjectionReading(log, catalogue, as: moment)
            }
            do {
                let answer = try body(reading)
                let hint = hint(reading.through)
                if !hint.isEmpty {
                    StandardError.message("nothing had been recorded by then\(hint)")
                }
                return answer
            } catch let error as QuestionError {
                guard case .unknownEntity(let noun, let key, _) = error else { throw error }
                throw Failure(
                    .finding,
                    "\(error)" + hint(reading.through) + validAtHint()
                        + (try EntityWords.hint(forKey: key, of: noun, in: log)))
            }
        }
    }

    /// Sets the zone in which times are read to the zone of an entity, if `--at` or `--valid-at`
    /// needs a zone.
    func setZoneIfNeeded(ofEntity tag: Daybook.Tag?, in log: EventLog) throws {
        guard CommandTime.needsZone(at, validAt) else { return }
        try CommandTime.setZone(ofEntity: tag, in: log, tzdata: zones.tzdata)
    }

    /// Runs `body`, and converts the error for a position beyond the end of the log to a `Failure`
    /// with code 2.
    private func mappingPositionErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch QuestionError.noSuchPosition(_, let head) {
            throw Failure(.usage, "--at \(at ?? ""): the log ends at position \(head)")
        }
    }

    /// Returns the part of a message that names the time of `--valid-at`; empty without the option.
    private func validAtHint() -> String {
        validAt.map { " among the events that had happened by \($0), by the devices' clocks" } ?? ""
    }

    /// Returns a hint if the time of `--at` is before the log's first event; otherwise an empty
    /// text.
    private func hint(_ through: Position) -> String {
        guard through == .origin, let at, UInt64(at) == nil else { return "" }
        return ": the log had no event at \(at); use --valid-at to go by the devices' clocks"
    }
}

/// Option to print JSON instead of lines for people.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object, or one object per line for a list.")
    package var json = false

    package init() {}
}
