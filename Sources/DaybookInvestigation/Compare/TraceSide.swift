public import Daybook
public import DaybookLog
import DaybookScenarios

/// One side of a comparison: the lines of a trace in order, one at a time.
public protocol TraceSide: AnyObject {
    var header: Trace.Header { get }
    /// The next line, without its end.
    func next() throws -> [UInt8]?
    /// Parses the last line returned.
    func entry(_ line: [UInt8]) throws -> Trace.Entry
}

/// A trace made of a log while it is read.
public final class LogSide: TraceSide {
    public let header: Trace.Header
    private let trace: ParallelTrace
    private var bytes: [UInt8] = []
    private var start = 0

    /// - Parameter key: any id of an entity; all entities without it.
    public init(
        of projection: ProjectionDescription, _ key: String?, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws {
        header = try reading.traceHeader(projection, rules)
        trace = ParallelTrace(
            along: try reading.entities.walk(of: projection, key), rules, reading)
    }

    public func next() throws -> [UInt8]? {
        while start == bytes.count {
            guard let stretch = try trace.next() else { return nil }
            bytes = stretch
            start = 0
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        defer { start = min(end + 1, bytes.count) }
        return Array(bytes[start..<end])
    }

    public func entry(_ line: [UInt8]) throws -> Trace.Entry { try Trace.entry(line, line: 0) }
}

/// A file of `replay trace`.
public final class TraceFile: TraceSide {
    public let header: Trace.Header
    private let file: LineFile

    fileprivate init(_ file: LineFile, header line: [UInt8]) throws {
        self.file = file
        header = try file.naming { () throws(InputError) in try Trace.header(line) }
    }

    public func next() throws -> [UInt8]? {
        while let next = try file.next() {
            if !next.isEmpty { return next }
        }
        return nil
    }

    public func entry(_ next: [UInt8]) throws -> Trace.Entry {
        try file.naming { () throws(InputError) in try Trace.entry(next, line: file.line) }
    }
}

/// A file that a trace was written to.
public enum RecordedTrace {
    case projection(TraceFile)
    case report(ReportSide)

    /// `nil` for a file that does not begin as a trace.
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

/// One side of a comparison of reports.
public struct ReportSide: Sendable {
    public let header: ReportTrace.Header
    public let entries: [ReportTrace.Entry]

    /// The answers of a report over a log.
    public init(_ header: ReportTrace.Header, _ answers: [ReportAnswer]) {
        self.header = header
        entries = answers.map { ReportTrace.Entry($0) }
    }

    fileprivate init(_ file: LineFile, header line: [UInt8]) throws {
        header = try file.naming { () throws(InputError) in try ReportTrace.header(line) }
        var entries: [ReportTrace.Entry] = []
        while let next = try file.next() {
            guard !next.isEmpty else { continue }
            entries.append(
                try file.naming { () throws(InputError) in
                    try ReportTrace.entry(next, line: file.line)
                })
        }
        self.entries = entries
    }
}

extension ProjectionReading {
    /// The first line of a trace.
    public func traceHeader(
        _ projection: ProjectionDescription, _ rules: RuleSet
    ) throws(LogError) -> Trace.Header {
        var header = Trace.Header.blank
        header.projection = projection.name
        header.rules = rules
        header.log = try log.commits.at(Position(1)).map { Hexadecimal.text($0.chain) } ?? ""
        header.through = Int64(clamping: through.rawValue)
        return header
    }

    /// The first line of a trace of a report.
    ///
    /// - Parameter arguments: an object, as the report was asked with.
    public func reportHeader(
        _ report: ReportDescription, _ rules: RuleSet, with arguments: Tree
    ) throws(LogError) -> ReportTrace.Header {
        var header = ReportTrace.Header.blank
        header.report = report.name
        header.rules = rules
        header.log = try log.commits.at(Position(1)).map { Hexadecimal.text($0.chain) } ?? ""
        header.through = Int64(clamping: through.rawValue)
        if case .map(let members) = arguments.content {
            for member in members { header.with[member.key] = member.value.argument }
        }
        return header
    }
}

extension Tree {
    /// An argument as it is written on a command line.
    fileprivate var argument: String {
        if case .text(let text) = content { return text }
        return plain ?? canonicalText
    }
}
