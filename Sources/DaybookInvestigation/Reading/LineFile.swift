import Daybook
import DaybookLibC

/// A file that is read line by line.
final class LineFile {
    /// Number of the most recently read line, from 1; 0 before the first.
    private(set) var lineNumber = 0
    private let path: String
    private let descriptor: Int32
    /// Bytes that were read from the file; the bytes before `nextLineStart` have been returned.
    private var bytes: [UInt8] = []
    /// Offset in `bytes` of the next line.
    private var nextLineStart = 0

    /// Opens a file; throws `QuestionError.invalid` if it cannot be read.
    init(_ path: String) throws {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { throw readError() }
    }

    deinit { close(descriptor) }

    /// Returns the next line without its line feed; `nil` at the end of the file.
    func next() throws -> [UInt8]? {
        var searched = nextLineStart
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { nextLineStart = end + 1 }
                lineNumber += 1
                return Array(bytes[nextLineStart..<end])
            }
            searched = bytes.count - nextLineStart
            bytes.removeFirst(nextLineStart)
            nextLineStart = 0
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw readError() }
            guard count > 0 else {
                defer { bytes = [] }
                lineNumber += 1
                return bytes.isEmpty ? nil : bytes
            }
            bytes.append(contentsOf: chunk[..<count])
            // A file without line feeds is not a text file; it is not read any further.
            if bytes.count > 1 << 26 { return bytes }
        }
    }

    /// Calls a parser of a line; adds the path of the file to an error that it throws.
    func namingFile<Value>(_ body: () throws(InputError) -> Value) throws -> Value {
        do throws(InputError) { return try body() } catch {
            throw QuestionError.invalid("\(error.inFile(path))")
        }
    }

    /// Returns the error for the last failed system call.
    private func readError() -> QuestionError {
        .invalid("\(path): the file cannot be read: \(unsafe String(cString: strerror(errno)))")
    }
}
