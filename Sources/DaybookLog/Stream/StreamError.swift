package import Daybook

/// A reason why a log could not be shipped, or a replica could not be brought up to date.
package enum StreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The log or the replica could not be read or written.
    case log(LogError)
    /// A segment or a file of keys could not be read or written.
    case file(FileError)
    /// The file is no segment, ends too early or was changed; `offset` is the byte of the fault.
    case segment(name: String, offset: Int, reason: String)
    /// A line of a file has stored rows that are malformed or were changed.
    case line(name: String, line: Int, field: String, reason: String)
    /// The file is no file of keys, was changed, or belongs to another log or to other segments.
    case keys(path: String, reason: String)
    /// A segment is of the log `found`, but the others, or the replica, are of the log `expected`.
    case otherLog(name: String, found: String, expected: String)
    /// Segments are missing: the next one begins after `after`, but the last one ended at `end`.
    case gap(name: String, end: Position, after: Position)
    /// Segments of a shipment are missing before the part `part`.
    case missingPart(name: String, part: UInt32)
    /// Two histories differ from this position on: one of them was rewritten.
    case parted(name: String, at: Position)
    /// The file is a log that is not a replica, so nothing may overwrite it.
    case notReplica(path: String)
    /// There are no segments.
    case noSegments(name: String)

    package var description: String {
        switch self {
        case .log(let error): "\(error)"
        case .file(let error): "\(error)"
        case .segment(let name, let offset, let reason): "\(name), byte \(offset): \(reason)"
        case .line(let name, let line, let field, let reason):
            "\(name):\(line): field '\(field)': \(reason)"
        case .keys(let path, let reason): "\(path): \(reason)"
        case .otherLog(let name, let found, let expected):
            "\(name): the segment is of the log \(found), expected the log \(expected)"
        case .gap(let name, let end, let after):
            "\(name): the segment begins after position \(after), but the segments so far end at "
                + "position \(end); segments are missing"
        case .missingPart(let name, let part):
            "\(name): the segment is part \(part) of its shipment, and parts before it are missing"
        case .parted(let name, let position):
            "\(name): the histories part at position \(position): one of them was rewritten"
        case .notReplica(let path):
            "\(path): the file is a log of its own and no replica, so it is not overwritten"
        case .noSegments(let name): "\(name): there are no segments"
        }
    }
}

extension StreamError: LogErrorHolder {
    /// Evaluates `body` and wraps its file errors.
    static func mappingFileErrors<Result: ~Copyable>(
        _ body: @autoclosure () throws(FileError) -> Result
    ) throws(StreamError) -> Result {
        do throws(FileError) {
            return try body()
        } catch {
            throw .file(error)
        }
    }
}
