public import EventSourcing
public import EventStorage
import LibC
public import Playback

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
    private let path: String
    private let file: Int32
    private var bytes: [UInt8] = []
    private var start = 0
    private var line = 1

    /// `nil` for a file that does not begin as a trace.
    public init?(_ path: String) throws {
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else {
            throw QuestionError.invalid(
                "\(path): cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        var bytes: [UInt8] = []
        var start = 0
        guard let line = try Self.line(file, path, &bytes, &start),
            line.starts(with: Array("{\"daybookTrace\"".utf8))
        else {
            close(file)
            return nil
        }
        self.path = path
        self.file = file
        do throws(InputError) {
            header = try Trace.header(line)
        } catch {
            throw QuestionError.invalid("\(error.inFile(path))")
        }
        self.bytes = bytes
        self.start = start
    }

    deinit { close(file) }

    public func next() throws -> [UInt8]? {
        while let next = try Self.line(file, path, &bytes, &start) {
            line += 1
            if !next.isEmpty { return next }
        }
        return nil
    }

    public func entry(_ next: [UInt8]) throws -> Trace.Entry {
        do throws(InputError) {
            return try Trace.entry(next, line: line)
        } catch {
            throw QuestionError.invalid("\(error.inFile(path))")
        }
    }

    /// The next line, without its end; `nil` at the end of the file.
    private static func line(
        _ file: Int32, _ path: String, _ bytes: inout [UInt8], _ start: inout Int
    ) throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(bytes[start..<end])
            }
            searched = bytes.count - start
            bytes.removeFirst(start)
            start = 0
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe read(file, &chunk, chunk.count)
            guard count >= 0 else {
                throw QuestionError.invalid(
                    "\(path): cannot be read: \(unsafe String(cString: strerror(errno)))")
            }
            guard count > 0 else {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes
            }
            bytes.append(contentsOf: chunk[..<count])
            // A file without line feeds is not text; reading stops early.
            if bytes.count > 1 << 26 { return bytes }
        }
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
        header.log = try log.commit(at: Position(1)).map { Hexadecimal.text($0.chain) } ?? ""
        header.through = Int64(clamping: through.rawValue)
        return header
    }
}
