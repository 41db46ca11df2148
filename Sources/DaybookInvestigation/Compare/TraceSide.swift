public import Daybook
public import DaybookLog

/// One side of a comparison: the lines of a trace in order, one at a time.
public protocol TraceSide: AnyObject {
    var header: Trace.Header { get }
    /// Returns the next line without its line feed; `nil` at the end.
    func next() throws -> [UInt8]?
    /// Number of the line that `next` returned last, from 1; 0 if the trace is not read from a file.
    var lineNumber: Int { get }
    /// Parses a line that `next` returned; errors name its `number`.
    func entry(_ line: [UInt8], number: Int) throws -> Trace.Entry
    /// Allows the side to leave out later lines about the entity with this newest id.
    func leaveOut(_ key: String)
}

extension TraceSide {
    /// Parses the line that `next` returned last.
    func entry(_ line: [UInt8]) throws -> Trace.Entry { try entry(line, number: lineNumber) }

    public func leaveOut(_ key: String) {}
}

/// One side of a comparison: a trace that is computed from a log, as its lines are requested.
public final class LogTrace: TraceSide {
    public let header: Trace.Header
    let walk: EntityWalk
    let rules: RuleSet
    let reading: ProjectionReading
    private var trace: ParallelTrace
    /// The most recently computed lines, joined by line feeds.
    private var bytes: [UInt8] = []
    /// Offset in `bytes` of the next line.
    private var nextLineStart = 0
    /// Newest ids of entities that the next lines to compute leave out.
    private var leftOutKeys: [String] = []
    /// The most recently parsed line.
    private var line = TraceLine()
    /// The names of the projection's fields, in order, and the same as UTF-8.
    private lazy var names = walk.projection.fields.map(\.name)
    private lazy var nameBytes = names.map { Array($0.utf8) }

    /// Creates a trace of a projection, or of the entity with any id `key`.
    public init(
        of projection: ProjectionDescription, _ key: String?, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws {
        header = try reading.traceHeader(projection, rules)
        walk = try reading.entities.walk(of: projection, key)
        self.rules = rules
        self.reading = reading
        trace = ParallelTrace(along: walk, rules, reading)
    }

    /// Starts again from the first event, with the entities with these newest ids only.
    func restart(only keys: Set<String>) {
        trace = ParallelTrace(along: walk, rules, reading, only: keys)
        (bytes, nextLineStart, leftOutKeys) = ([], 0, [])
    }

    public func leaveOut(_ key: String) { leftOutKeys.append(key) }

    public func next() throws -> [UInt8]? {
        while nextLineStart == bytes.count {
            // The lines of a stretch are computed at once, so that keys are collected until then.
            trace.leaveOut(leftOutKeys)
            leftOutKeys = []
            guard let stretch = try trace.next() else { return nil }
            bytes = stretch
            nextLineStart = 0
        }
        let end = bytes[nextLineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        defer { nextLineStart = min(end + 1, bytes.count) }
        return Array(bytes[nextLineStart..<end])
    }

    /// 0, because the lines are computed.
    public var lineNumber: Int { 0 }

    public func entry(_ line: [UInt8], number: Int) throws -> Trace.Entry {
        guard self.line.read(line, nameBytes) else { return try Trace.entry(line, line: number) }
        return try self.line.entry(line, names, number: number)
    }
}

/// A trace of a projection in a file that `replay trace` wrote.
public final class TraceFile: TraceSide {
    public let header: Trace.Header
    /// The file, whose first line has been read.
    private let file: LineFile

    /// Parses the header line; the other lines are read one by one.
    fileprivate init(_ file: LineFile, header line: [UInt8]) throws {
        self.file = file
        header = try file.namingFile { () throws(InputError) in try Trace.header(line) }
    }

    /// Returns the next line without its line feed, skipping empty lines; `nil` at the end.
    public func next() throws -> [UInt8]? {
        while let next = try file.next() {
            if !next.isEmpty { return next }
        }
        return nil
    }

    public var lineNumber: Int { file.lineNumber }

    public func entry(_ line: [UInt8], number: Int) throws -> Trace.Entry {
        try file.namingFile { () throws(InputError) in try Trace.entry(line, line: number) }
    }
}

/// A trace in a file, of a projection or of a report.
public enum RecordedTrace {
    case projection(TraceFile)
    case report(ReportSide)

    /// Opens a file; `nil` if its first line is not the header of a trace.
    public init?(_ path: String) throws {
        let file = try LineFile(path)
        guard let line = try file.next() else { return nil }
        if line.starts(with: Array("{\"daybookTrace\"".utf8)) {
            self = .projection(try TraceFile(file, header: line))
        } else if line.starts(with: Array("{\"daybookReports\"".utf8)) {
            self = .report(try ReportSide(file, header: line))
        } else {
            return nil
        }
    }
}

/// One side of a comparison of reports: the answers of a trace.
public struct ReportSide: Sendable {
    public let header: ReportTrace.Header
    public let entries: [ReportTrace.Entry]

    package init(_ header: ReportTrace.Header, _ answers: [ReportAnswer]) {
        self.header = header
        entries = answers.map { ReportTrace.Entry($0) }
    }

    /// Parses the header line, and reads all other lines of the file.
    fileprivate init(_ file: LineFile, header line: [UInt8]) throws {
        header = try file.namingFile { () throws(InputError) in try ReportTrace.header(line) }
        var entries: [ReportTrace.Entry] = []
        while let next = try file.next() {
            guard !next.isEmpty else { continue }
            entries.append(
                try file.namingFile { () throws(InputError) in
                    try ReportTrace.entry(next, line: file.lineNumber)
                })
        }
        self.entries = entries
    }
}

extension ProjectionReading {
    public func traceHeader(
        _ projection: ProjectionDescription, _ rules: RuleSet
    ) throws(LogError) -> Trace.Header {
        var header = Trace.Header.blank
        header.projection = projection.name
        header.rules = rules
        header.logID = try logID()
        header.through = Int64(clamping: through.rawValue)
        return header
    }

    /// Returns the first line of a trace of a report, whose arguments are an object.
    public func reportHeader(
        _ report: ReportDescription, _ rules: RuleSet, with arguments: Tree
    ) throws(LogError) -> ReportTrace.Header {
        var header = ReportTrace.Header.blank
        header.report = report.name
        header.rules = rules
        header.logID = try logID()
        header.through = Int64(clamping: through.rawValue)
        if case .map(let members) = arguments.content {
            for member in members { header.with[member.key] = member.value.argument }
        }
        return header
    }
}

extension Tree {
    /// The value as it is written in an argument on the command line.
    fileprivate var argument: String {
        if case .text(let text) = content { return text }
        return plain ?? canonicalText
    }
}
