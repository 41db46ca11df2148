import EventSourcing
import EventStorage
import Playback

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One side of a comparison: the lines of a trace in order, one at a time.
protocol TraceSide: AnyObject {
    var header: Trace.Header { get }
    /// The next line, without its end.
    func next() throws -> [UInt8]?
    /// What the last line says.
    func entry(_ line: [UInt8]) throws -> Trace.Entry
}

/// A trace made of a log while it is read.
final class LogSide: TraceSide {
    let header: Trace.Header
    let log: EventLog
    private let trace: SharedTrace
    private var bytes: [UInt8] = []
    private var start = 0

    init(header: Trace.Header, reading: ProjectionReading, along walk: EntityWalk) {
        self.header = header
        log = reading.log
        trace = SharedTrace(along: walk, header.rules, reading)
    }

    func next() throws -> [UInt8]? {
        while start == bytes.count {
            guard let stretch = try trace.next() else { return nil }
            bytes = stretch
            start = 0
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        defer { start = min(end + 1, bytes.count) }
        return Array(bytes[start..<end])
    }

    func entry(_ line: [UInt8]) throws -> Trace.Entry { try Trace.entry(line, line: 0) }
}

/// A file of `replay trace`.
final class TraceFile: TraceSide {
    let header: Trace.Header
    private let path: String
    private let file: Int32
    private var bytes: [UInt8] = []
    private var start = 0
    private var line = 1

    /// `nil` for a file that does not begin as a trace.
    init?(_ path: String) throws {
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else {
            throw Failure(
                .usage, "\(path): cannot be read: \(unsafe String(cString: strerror(errno)))")
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
            throw Failure(.usage, "\(error.inFile(path))")
        }
        self.bytes = bytes
        self.start = start
    }

    deinit { close(file) }

    func next() throws -> [UInt8]? {
        while let next = try Self.line(file, path, &bytes, &start) {
            line += 1
            if !next.isEmpty { return next }
        }
        return nil
    }

    func entry(_ next: [UInt8]) throws -> Trace.Entry {
        do throws(InputError) {
            return try Trace.entry(next, line: line)
        } catch {
            throw Failure(.usage, "\(error.inFile(path))")
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
                throw Failure(
                    .usage, "\(path): cannot be read: \(unsafe String(cString: strerror(errno)))")
            }
            guard count > 0 else {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes
            }
            bytes.append(contentsOf: chunk[..<count])
            // What is no text has no lines either.
            if bytes.count > 1 << 26 { return bytes }
        }
    }
}
