import Daybook
import DaybookLMDB
import DaybookLibC

/// A source of segments, in order.
package enum SegmentSource: Sendable {
    /// The segments in a folder.
    case folder(path: String)
    /// Segments one after another in an open file or pipe; `name` is its name in errors.
    case stream(descriptor: CInt, name: String)
}

/// A reader of segments that follow each other in a file or pipe.
struct SegmentStream {
    private let descriptor: CInt
    private let name: String
    /// The bytes that were read, from the start of the next segment on.
    private var buffer: [UInt8] = []
    /// The size of a segment beyond which it is refused.
    private static let largestByteCount = 1 << 31

    /// The memory for one read.
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)
    /// The number of segments that were returned.
    private var count = 0

    init(descriptor: CInt, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Returns the next segment; `nil` at the end of the stream.
    mutating func next() throws(LogError) -> SegmentReader? {
        // The offset of the record that has not been read completely.
        var offset = SegmentHeader.byteCount
        while true {
            while offset + 5 <= buffer.count {
                guard SegmentRecord(rawValue: buffer[offset]) != nil, offset < Self.largestByteCount
                else { return try SegmentReader(buffer, named: "\(name), segment \(count + 1)") }
                let bodyCount = Int(buffer.rawSpan.integer(at: offset + 1, as: UInt32.self))
                let end = offset + 5 + bodyCount
                guard end <= buffer.count else { break }
                guard buffer[offset] == SegmentRecord.end.rawValue else {
                    offset = end
                    continue
                }
                let segment = Array(buffer[..<end])
                buffer.removeSubrange(..<end)
                count += 1
                return try SegmentReader(segment, named: "\(name), segment \(count)")
            }
            let isStart = buffer.count >= SegmentHeader.magic.count
            if isStart, SegmentHeader(decoding: buffer.rawSpan) == nil,
                buffer.count >= SegmentHeader.byteCount
            {
                break
            }
            guard buffer.count <= Self.largestByteCount, try readMore() else { break }
        }
        guard buffer.isEmpty else {
            // Throws the error that says what is wrong with these bytes.
            return try SegmentReader(buffer, named: "\(name), segment \(count + 1)")
        }
        guard count > 0 else { throw .stream(.noSegments(name: name)) }
        return nil
    }

    /// Reads more bytes into the buffer; returns `false` at the end of the stream.
    private mutating func readMore() throws(LogError) -> Bool {
        let size = chunk.count
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { bytes in
                unsafe DaybookLibC.read(descriptor, bytes.baseAddress, size)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(.fromErrno(name)) }
            buffer.append(contentsOf: chunk[..<count])
            return count > 0
        }
    }
}
