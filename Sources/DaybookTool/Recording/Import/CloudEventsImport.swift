import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog

/// Options of `import` for CloudEvents.
struct CloudEventsImportOptions: ParsableArguments {
    @Option(
        help: .text(
            "File with the keys of texts, names and places, from 'export --texts' (format "
                + "cloudevents).", "file"), completion: .file())
    var texts: String?

    @Flag(
        help:
            "With --texts: make the copy a log of its own, which takes appends (format cloudevents)."
    )
    var promote = false

    func validate() throws {
        if promote, texts == nil { throw ValidationError("--promote requires --texts.") }
    }

    /// Name of the first of these options that is given; `nil` if none is.
    var givenName: String? { texts != nil ? "--texts" : promote ? "--promote" : nil }
}

/// An import of CloudEvents.
///
/// Events with the records of their log give a copy with the same head if there is no log or an
/// empty one; another log gets each of their commits once. Events without records are appended one
/// by one.
struct CloudEventsImport {
    /// Name of the file in messages.
    let name: String
    /// Path of the file, which can be read twice.
    private let path: String
    private let keyPath: String?
    private let promotes: Bool
    private let isTrial: Bool
    private let catalogue: Catalogue
    /// A folder for the segments and for a copy of standard input.
    private let folder: TemporaryFolder
    /// Id of the log of the events; `nil` for events without records.
    private let logID: String?
    private let lineNumbers: LineNumbers
    private let eventCount: Int

    struct Result {
        var outcome: ImportOutcome
        /// Head of the copy; `nil` if the events were appended to another log.
        var head: Head?
        /// True if the copy shows personal texts, names and places.
        var hasTexts = true
    }

    /// Reads and checks all lines of a file; throws `Failure` with the place of the first fault.
    init(
        _ file: String, _ options: CloudEventsImportOptions, isTrial: Bool, _ catalogue: Catalogue
    ) throws {
        name = file == "-" ? "standard input" : file
        keyPath = options.texts
        promotes = options.promote
        self.isTrial = isTrial
        self.catalogue = catalogue
        folder = try TemporaryFolder()
        path = try Self.readableTwice(file, folder)
        var check = CloudEventsCheck(folder.path)
        do {
            try InputFile.forEachLine(of: path) { number, bytes in
                if !bytes.isEmpty { try check.add(try CloudEvent(bytes, line: number)) }
            }
            try check.finish()
        } catch let error as InputError {
            throw Failure(.usage, "\(error.inFile(name)); nothing was imported")
        } catch LogError.file(let error) {
            throw Failure(.usage, error)
        }
        logID = check.logID
        lineNumbers = check.lineNumbers
        eventCount = check.eventCount
        if logID == nil, let given = options.givenName {
            throw Failure(
                .usage,
                "\(given): the events of \(name) have no records of a log, so there is nothing that "
                    + "keys could open")
        }
    }

    /// Returns the path of a regular file with the lines; copies anything else.
    private static func readableTwice(_ file: String, _ folder: TemporaryFolder) throws -> String {
        var status = stat()
        if file != "-", unsafe stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return file
        }
        let copy = folder.path(of: "lines")
        try StreamedFile.write(to: copy, over: .refused, isPrivate: true) { append in
            try InputFile.forEachChunk(of: file) { try append($0) }
        }
        return copy
    }

    /// Imports the events into a log; `force` appends even far ahead of this machine's clock.
    func run(into options: LogOptions, force: Bool) throws -> Result {
        guard let logID else { return Result(outcome: try appendEvents(to: options, force: force)) }
        switch try target(options, logID) {
        case .copy(let known): return try copy(into: try options.path(), after: known)
        case .same: return try compare(with: try options.open(.read))
        case .other:
            if isTrial { try options.requireKeys("a trial of an import") }
            return try transfer(to: try options.open(isTrial ? .read : .write, force: force))
        }
    }

    /// The log to import into.
    private enum Target {
        /// A copy of the log of the events, or no log; with the position that it reaches.
        case copy(after: Position)
        case same
        case other
    }

    /// Returns what the log is that the options name, and closes it again.
    private func target(_ options: LogOptions, _ logID: String) throws -> Target {
        guard try options.exists() else { return .copy(after: .origin) }
        let log = try options.open(.read)
        let last = try mappingLogErrors { try log.head() }
        if log.isReplica, options.address == nil {
            guard log.id == logID else {
                throw Failure(
                    .finding,
                    "\(name): the events are of the log \(logID), but the log is a copy of the log "
                        + "\(log.id), which nothing else may be added to")
            }
            return .copy(after: last)
        }
        if log.id == logID { return .same }
        guard options.address == nil, last == .origin,
            !(try mappingLogErrors { try log.contents.hasPeople() })
        else { return .other }
        return .copy(after: .origin)
    }
}

extension CloudEventsImport {
    /// Appends the commits that another log lacks.
    private func transfer(to log: EventLog) throws -> Result {
        if let given = promotes ? "--promote" : nil {
            throw Failure(
                .usage, "\(given): the log is another one, which gets the events appended")
        }
        let copy = try temporaryCopy()
        try checkIsReadable(copy)
        var transfer = LogTransfer(of: copy, into: log, catalogue, isTrial: isTrial)
        do {
            return Result(
                outcome: inLines(try transfer.run { Progress.setCount($0, "event") }))
        } catch let error as LogError {
            throw Failure(error.code, error)
        } catch let error as AppendError {
            throw error.failureOfAttempts("the events before were imported")
        }
    }

    /// Makes a copy of the log, or brings it up to date, after all was checked in a temporary copy.
    ///
    /// - Parameter known: the position that the copy reaches; `.origin` for a new one.
    private func copy(into path: String, after known: Position) throws -> Result {
        let copy = try temporaryCopy()
        if known > .origin { try checkContinues(try LogOptions.open(path, .read), copy) }
        let head = try mappingLogErrors { try copy.chainHead() }
        guard isTrial else {
            let pulled = try pull(into: path, keyPath, replacesEmpty: true)
            return result(pulled.head, after: known, hasTexts: pulled.hasKeys)
        }
        return result(head, after: known, hasTexts: copy.hasKeys)
    }

    /// Returns the counts for a log that had the events up to a position before.
    private func result(_ head: Head?, after known: Position, hasTexts: Bool = true) -> Result {
        var outcome = ImportOutcome(rows: eventCount, unit: "event")
        outcome.duplicates = min(eventCount, Int(known.rawValue))
        outcome.accepted = eventCount - outcome.duplicates
        return Result(outcome: outcome, head: head, hasTexts: hasTexts)
    }

    /// Compares the events with those of the log that they are from.
    private func compare(with log: EventLog) throws -> Result {
        let copy = try temporaryCopy()
        try checkContinues(log, copy)
        let (last, own) = try mappingLogErrors { (try copy.head(), try log.head()) }
        guard last <= own else {
            throw Failure(
                .finding,
                "\(name): the events are those of this log, which is no copy and ends at position "
                    + "\(own); nothing was imported")
        }
        return result(nil, after: last)
    }

    /// Throws a failure if a log and a copy have different histories, as far as both reach.
    private func checkContinues(_ log: EventLog, _ copy: EventLog) throws {
        try mappingLogErrors {
            guard log.id == copy.id else {
                throw Failure(
                    .log,
                    "\(name): the events are of the log \(copy.id), but the log is a copy of the "
                        + "log \(log.id)")
            }
            let (own, other) = (try log.chainHead(), try copy.chainHead())
            let differs =
                own.position < other.position
                ? try copy.mismatch(with: own) != nil : try log.mismatch(with: other) != nil
            guard !differs else {
                throw Failure(
                    .log,
                    "\(name): the histories part before position "
                        + "\(min(own.position, other.position).next): one of them was rewritten")
            }
        }
    }

    /// Makes a copy of the log in the temporary folder, and verifies it. Its files are removed at
    /// once, so that a killed import leaves no keys behind.
    private func temporaryCopy() throws -> EventLog {
        let path = folder.path(of: "log")
        _ = try pull(into: path, nil, replacesEmpty: false)
        if let keyPath { _ = try pull(into: path, keyPath, replacesEmpty: false) }
        let copy = try LogOptions.open(path, .read)
        let verification = try mappingLogErrors { try copy.verify(against: catalogue) }
        if let finding = verification.findings.first {
            let line = finding.position > .origin ? ":\(lineNumbers[finding.position])" : ""
            throw Failure(
                .usage,
                "\(name)\(line): the events were changed: \(finding.message); nothing was imported")
        }
        for file in [path, path + "-lock"] { _ = unsafe unlink(file) }
        return copy
    }

    /// Throws a failure if the events of a copy have values that it cannot read without keys.
    private func checkIsReadable(_ copy: EventLog) throws {
        guard !copy.hasKeys, try mappingLogErrors({ try copy.contents.hasPeople() }) else { return }
        throw Failure(
            .finding,
            "\(name): the events have personal texts, names or places, which are encrypted; to "
                + "append them to another log, give the file of 'export --texts' with --texts")
    }

    /// Pulls the segments that were made from the lines.
    private func pull(
        into path: String, _ keyPath: String?, replacesEmpty: Bool
    ) throws -> Pulled {
        try mappingLogErrors { () throws(LogError) in
            do throws(LogError) {
                return try Pull.run(
                    .folder(path: folder.path), into: path, keysFrom: keyPath,
                    promotes: promotes && replacesEmpty, replacesEmpty: replacesEmpty,
                    catalogue: catalogue
                ) { Progress.setCount(Int(clamping: $0.rawValue), "event") }
            } catch { throw inLines(error) }
        }
    }

    /// Returns an error with the line in place of the byte of a segment.
    private func inLines(_ error: LogError) -> LogError {
        switch error {
        case .stream(.segment(let segment, let offset, let reason)):
            guard let position = StoredRecords.position(ofByte: offset, inSegment: segment) else {
                return error
            }
            return .stream(
                .line(
                    name: name, line: lineNumbers[position], field: CloudEvent.recordsName,
                    reason: reason))
        case .stream(.parted(_, let position)): return .stream(.parted(name: name, at: position))
        default: return error
        }
    }

    /// Returns the counts with lines of the file in place of positions.
    private func inLines(_ outcome: ImportOutcome) -> ImportOutcome {
        func inLines(_ row: ImportOutcome.Row) -> ImportOutcome.Row {
            var row = row
            row.line = lineNumbers[Position(UInt64(row.row))]
            return row
        }
        var outcome = outcome
        outcome.rejected = outcome.rejected.map(inLines)
        outcome.notes = outcome.notes?.map(inLines)
        return outcome
    }

    /// Number of events after which a batch is appended.
    private static let eventsPerBatch = 1_000

    /// Appends events without records, each under its source and id.
    private func appendEvents(to options: LogOptions, force: Bool) throws -> ImportOutcome {
        var outcome = ImportOutcome(rows: eventCount, unit: "event")
        let log: EventLog
        if !isTrial {
            log = try options.open(.create, force: force)
        } else if try options.exists() {
            try options.requireKeys("a trial of an import")
            log = try options.open(.read)
        } else {
            log = try LogOptions.open(folder.path(of: "log"), .create)
        }
        let reader = AppendLineReader(catalogue) { ZoneOptions.machineDatabase }
        var batch: [(row: Int, line: AppendLine)] = []
        var row = 0
        try InputFile.forEachLine(of: path) { number, bytes in
            guard !bytes.isEmpty else { return }
            row += 1
            do throws(InputError) {
                let event = try CloudEvent(bytes, line: number)
                guard event.logID == nil || event.logID != log.id else {
                    throw InputError(
                        "the event is one of this log, without its records", field: "source")
                }
                let line = try event.appendLine(with: reader, now: .now)
                if case .event(let event) = line.body { try line.check([event]) }
                batch.append((row, line))
            } catch {
                var error = error
                error.line = nil
                outcome.rejected.append(
                    ImportOutcome.Row(row: row, line: number, code: "invalid", message: "\(error)"))
            }
            guard batch.count >= Self.eventsPerBatch else { return }
            try append(&batch, to: log, &outcome)
            Progress.setCount(row, "event")
        }
        try append(&batch, to: log, &outcome)
        return outcome
    }

    private func append(
        _ lines: inout [(row: Int, line: AppendLine)], to log: EventLog,
        _ outcome: inout ImportOutcome
    ) throws {
        defer { lines = [] }
        guard !lines.isEmpty else { return }
        var counts = ImportOutcome(rows: 0)
        do throws(AppendError) {
            counts = try DecisionBatch.retryingConflicts(in: log, catalogue) {
                (batch) throws(AppendError) in
                var counts = ImportOutcome(rows: 0)
                for (row, line) in lines {
                    do throws(AppendError) {
                        guard try !batch.isRepeated(line.idempotency) else {
                            counts.duplicates += 1
                            continue
                        }
                        _ = try line.decide(in: &batch)
                        counts.accepted += 1
                    } catch .keyReused(_, let position) {
                        counts.rejected.append(
                            ImportOutcome.Row(
                                row: row, line: line.number, code: "keyReused",
                                message: position == .origin
                                    ? "an earlier event has the same source and id"
                                    : "the log has another event with this source and id, at "
                                        + "position \(position)"))
                    }
                }
                if !isTrial { _ = try batch.append() }
                return counts
            }
        } catch { throw error.failureOfAttempts("the events before were imported") }
        outcome.accepted += counts.accepted
        outcome.duplicates += counts.duplicates
        outcome.rejected += counts.rejected
    }
}
