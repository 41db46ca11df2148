import EventSourcing
import EventStorage
import Playback

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One side of a comparison: entries in order, one at a time.
protocol TraceSide: AnyObject {
    var header: Trace.Header { get }
    func next() throws -> Trace.Entry?
}

/// A trace made of a log while it is read, a few thousand positions at a time.
final class LogSide: TraceSide {
    let header: Trace.Header
    var log: EventLog { reading.log }
    private let reading: ProjectionReading
    private let walk: EntityWalk
    private var tracer: Tracer
    private var buffer: [Trace.Entry] = []
    private var readThrough = Position.origin
    private static let stride: UInt64 = 8_192

    init(
        header: Trace.Header, reading: ProjectionReading, along walk: EntityWalk
    ) {
        self.header = header
        self.reading = reading
        self.walk = walk
        tracer = Tracer(of: walk.projection, rules: header.rules)
    }

    func next() throws -> Trace.Entry? {
        while buffer.isEmpty {
            guard readThrough < reading.through else { return nil }
            let end = Position(
                min(readThrough.rawValue + Self.stride, reading.through.rawValue))
            var entries: [Trace.Entry] = []
            try reading.entities.forEach(along: walk, after: readThrough, through: end) {
                (event, key) throws(LogError) in
                try folding { () throws(FoldError) in
                    entries.append(try tracer.take(event, key))
                }
                return true
            }
            readThrough = end
            // The next one is taken from the end.
            buffer = entries.reversed()
        }
        return buffer.popLast()
    }
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

    func next() throws -> Trace.Entry? {
        guard let next = try Self.line(file, path, &bytes, &start) else { return nil }
        line += 1
        guard !next.isEmpty else { return try self.next() }
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
