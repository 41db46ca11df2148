package import ArgumentParser
package import Daybook
package import DaybookInvestigation
import DaybookLMDB
import DaybookLibC
package import DaybookLog
import DaybookScenarios
import Synchronization

/// The log that a command works on.
package struct LogOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Path of the log; by default the value of the variable DAYBOOK_LOG.",
            valueName: "path"), completion: .file())
    package var log: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Longest time to wait while another process writes to the log.",
            valueName: "seconds"))
    var wait: Double = 10

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File that holds the newest head of the log; a log without that head was rolled back. "
                + "By default the value of the variable DAYBOOK_HEAD_FILE.",
            valueName: "path"), completion: .file())
    var headFile: String?

    package init() {}

    package func validate() throws {
        guard wait >= 0, wait <= 1_000_000_000 else {
            throw ValidationError("--wait: expected seconds like 10 or 0.5, found \(wait).")
        }
    }

    /// True where an option or the environment names one.
    package var isNamed: Bool { log != nil || Terminal.variable("DAYBOOK_LOG") != nil }

    func path() throws -> String {
        if let path = log ?? Terminal.variable("DAYBOOK_LOG") { return path }
        throw ValidationError("Name a log with --log PATH or the variable DAYBOOK_LOG.")
    }

    /// True where there is a log; one that is gone, by the head file, is refused.
    func isThere() throws -> Bool {
        if Folders.isFolder(try path()) != nil { return true }
        guard let headFile = namedHeadFile else { return false }
        do throws(LogError) {
            try HeadFile(path: headFile).refuseAbsence()
        } catch {
            if case .headFile(let cause) = error { throw Failure(.usage, "\(cause)") }
            throw Failure(.log, error)
        }
        return false
    }

    package func open(_ access: EventLog.Access, force: Bool = false) throws -> EventLog {
        try Self.open(
            try path(), access, wait: wait, force: force, headFile: namedHeadFile)
    }

    /// The head file, where an option or the environment names one.
    var namedHeadFile: String? { headFile ?? Terminal.variable(Self.headVariable) }

    /// The variable that names the head file; empty, it names none.
    static let headVariable = "DAYBOOK_HEAD_FILE"
    private static let lagging = Atomic(false)
    /// `true` once a commit's head could not be written to the head file.
    static var headFileLags: Bool { lagging.load(ordering: .relaxed) }

    private static let readWithoutLock = Mutex<[EventLog]>([])
    /// `true` where a log that is read without a lock was written meanwhile.
    static var isOvertaken: Bool { readWithoutLock.withLock { $0.contains(where: \.isOvertaken) } }

    /// Opens the log at `path`.
    ///
    /// - Parameters:
    ///   - wait: the longest time to wait for another writer, in seconds.
    ///   - force: appends also where the log is far ahead of this machine's clock.
    static func open(
        _ path: String, _ access: EventLog.Access, wait: Double = 10, force: Bool = false,
        headFile: String? = nil
    ) throws -> EventLog {
        let headFile = headFile.map { path in
            HeadFile(path: path) { error in
                StandardError.message(
                    "appended, but the head file \(path) lags the log: \(error)")
                lagging.store(true, ordering: .relaxed)
            }
        }
        let people = try ReplayTool.catalogue().people
        do throws(LogError) {
            let log = try EventLog(
                path: path, access: access, writeWait: .milliseconds(Int64(wait * 1_000)),
                ignoresClockLead: force, people: people, headFile: headFile)
            log.betweenTransactions = { Output.rest() }
            Progress.follow(log.activity)
            if log.isReadWithoutLock {
                readWithoutLock.withLock { $0.append(log) }
                StandardError.message(
                    "\(path): read without its lock file, which cannot be written; a "
                        + "change meanwhile may end this with an error")
            }
            return log
        } catch {
            if case .headFile(let cause) = error { throw Failure(.usage, "\(cause)") }
            if case .open(let cause) = error, case .missing(let path) = cause {
                throw Failure(
                    .usage, "\(path): there is no such log; '\(ReplayTool.name) append' makes one")
            }
            if case .open(.neverBegun) = error {
                throw Failure(.usage, "\(error); '\(ReplayTool.name) append' begins it")
            }
            throw Failure(.log, error)
        }
    }
}

extension EventLog {
    /// Says on standard error where the log is more than a day ahead of this machine's clock.
    func warnOfClockLead() throws {
        if let lead = try mappingLogErrors({ try clockLead() }) { StandardError.message("\(lead)") }
    }
}

/// As of which moment a command answers.
package struct MomentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Answer from the events up to this position, or recorded up to this time; a day means "
                + "its end.",
            valueName: "position|time"))
    package var at: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Answer from the events that happened up to this time, by the devices' clocks; a day "
                + "means its end.",
            valueName: "time"))
    package var validAt: String?

    package init() {}

    package var isNamed: Bool { at != nil || validAt != nil }

    /// The moment that the options name.
    package func moment() throws -> Moment {
        let validThrough = try validAt.map { try CommandTime.moment($0, "--valid-at", .end) }
        guard let at else { return Moment(validThrough: validThrough) }
        if let position = UInt64(at) {
            return Moment(.position(position), validThrough: validThrough)
        }
        return Moment(.time(try CommandTime.moment(at, "--at", .end)), validThrough: validThrough)
    }

    /// The last position to read.
    package func through(_ log: EventLog) throws -> Position {
        try checking { try moment().through(log) }
    }

    /// The moment up to which the log is read, by its own clock.
    package func knownAt(_ log: EventLog) throws -> Instant {
        try checking { try moment().knownAt(log) }
    }

    /// The end of valid time; `nil` for none.
    package func validThrough() throws -> Instant? { try moment().validThrough }

    /// Answers a question over a log as of the moment.
    ///
    /// - Parameter tag: the entity of the question, in whose zone the moment is written.
    func answer<Answer>(
        _ log: EventLog, _ catalogue: Catalogue, about tag: Daybook.Tag? = nil,
        _ body: (ProjectionReading) throws -> Answer
    ) throws -> Answer {
        try mappingLogErrors {
            try settleZone(on: tag, in: log)
            let moment = try moment()
            let reading = try checking { try ProjectionReading(log, catalogue, as: moment) }
            do {
                let answer = try body(reading)
                let hint = hint(reading.through)
                if !hint.isEmpty { StandardError.message("nothing was recorded then\(hint)") }
                return answer
            } catch let error as QuestionError {
                guard case .unknownEntity = error else { throw error }
                throw Failure(.finding, "\(error)" + hint(reading.through) + validHint())
            }
        }
    }

    /// Reads the moment in the zone of an entity, where it is not written exactly.
    func settleZone(on tag: Daybook.Tag?, in log: EventLog) throws {
        guard CommandTime.needsZone(at, validAt) else { return }
        try CommandTime.settle(on: tag, in: log)
    }

    private func checking<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch QuestionError.noSuchPosition(_, let head) {
            throw Failure(.usage, "--at \(at ?? ""): the log ends at position \(head)")
        }
    }

    /// A hint where only what had happened by a moment is looked at.
    private func validHint() -> String {
        validAt.map { ", of those that had happened by \($0) on the devices' clocks" } ?? ""
    }

    /// A hint for a time before the log began; empty for any other moment.
    private func hint(_ through: Position) -> String {
        guard through == .origin, let at, UInt64(at) == nil else { return "" }
        return ": the log knew nothing at \(at); --valid-at asks by the devices' clocks"
    }
}

/// How the answer is printed.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object, or one object per line for a list.")
    package var json = false

    package init() {}
}

/// An id as logs hold it: in Unicode normalisation form C.
package func identifier(_ text: String) -> String { InputRules.standard.normalise(text) }

/// The catalogue of the program's areas.
package func catalogue() throws -> Catalogue { try ReplayTool.catalogue() }

/// Runs a reading of a log; what is wrong with the log ends the command with code 3.
package func mappingLogErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as LogError {
        throw Failure(.log, error)
    } catch let error as FoldError {
        throw Failure(.log, error)
    }
}
