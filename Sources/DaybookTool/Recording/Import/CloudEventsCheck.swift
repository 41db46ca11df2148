import Daybook
import DaybookInvestigation
import DaybookLog

/// The numbers of the lines that hold the events of a log.
struct LineNumbers {
    /// For each run of events without blank lines: its first position and line.
    private var runs: [(position: Position, line: Int)] = []

    mutating func add(_ line: Int, at position: Position) {
        if let last = runs.last, last.line + Int(position.rawValue - last.position.rawValue) == line
        {
            return
        }
        runs.append((position, line))
    }

    subscript(position: Position) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 1 }
        let run = runs[low - 1]
        return run.line + Int(position.rawValue - run.position.rawValue)
    }
}

/// The checks of all lines of a file before anything is imported.
struct CloudEventsCheck {
    private let folder: String
    /// The writer of segments; `nil` for events without records.
    private var writer: RecordSegmentWriter?
    private(set) var logID: String?
    private(set) var lineNumbers = LineNumbers()
    private(set) var eventCount = 0
    private var source = ""

    init(_ folder: String) { self.folder = folder }

    /// Checks an event; one with records becomes a part of a segment.
    mutating func add(_ event: CloudEvent) throws {
        eventCount += 1
        if eventCount == 1 {
            source = event.source
            if event.hasRecords { try begin(event) }
        }
        guard event.hasRecords == (writer != nil) else {
            throw InputError(
                "some events of the file have this attribute and some do not", line: event.line,
                field: CloudEvent.recordsName)
        }
        guard let position = writer?.position.next else { return }
        guard event.source == source else {
            throw InputError(
                "the event is of another log than those before; import the events of each log by "
                    + "themselves", line: event.line, field: "source")
        }
        guard event.id == "\(position)" else {
            throw InputError(
                "expected the event at position \(position), found \(JSONWriter.text(event.id)); "
                    + "events of a log must be complete and in order",
                line: event.line, field: "id")
        }
        lineNumbers.add(event.line, at: position)
        let records = try event.records()
        do {
            try writer?.add(records)
        } catch let fault as RecordFault {
            throw InputError(fault.reason, line: event.line, field: CloudEvent.recordsName)
        }
    }

    private mutating func begin(_ event: CloudEvent) throws {
        let id = event.logID ?? ""
        guard let writer = RecordSegmentWriter(folder: folder, logID: id, head: try event.head())
        else {
            throw InputError(
                "expected daybook: and the id of a log in 32 hexadecimal digits, found "
                    + JSONWriter.text(event.source), line: event.line, field: "source")
        }
        self.writer = writer
        logID = id
    }

    mutating func finish() throws {
        guard eventCount > 0 else { throw InputError("there are no events") }
        do {
            try writer?.finish()
        } catch let fault as RecordFault {
            throw InputError(fault.reason)
        }
    }
}
