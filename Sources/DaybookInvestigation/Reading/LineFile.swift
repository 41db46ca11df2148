import Daybook
import DaybookLibC

/// A file that is read line by line.
final class LineFile {
    /// The number of the last line, from 1.
    private(set) var line = 0
    private let path: String
    private let file: Int32
    private var bytes: [UInt8] = []
    private var start = 0

    init(_ path: String) throws {
        self.path = path
        file = unsafe open(path, O_RDONLY)
        guard file >= 0 else { throw unreadable() }
    }

    deinit { close(file) }

    /// Returns the next line without its line feed; `nil` at the end of the file.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                line += 1
                return Array(bytes[start..<end])
            }
            searched = bytes.count - start
            bytes.removeFirst(start)
            start = 0
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe read(file, &chunk, chunk.count)
            guard count >= 0 else { throw unreadable() }
            guard count > 0 else {
                defer { bytes = [] }
                line += 1
                return bytes.isEmpty ? nil : bytes
            }
            bytes.append(contentsOf: chunk[..<count])
            // A file without line feeds is not a text file; it is not read any further.
            if bytes.count > 1 << 26 { return bytes }
        }
    }

    /// Parses a part of a line; errors name the file.
    func naming<Value>(_ body: () throws(InputError) -> Value) throws -> Value {
        do throws(InputError) {
            return try body()
        } catch {
            throw QuestionError.invalid("\(error.inFile(path))")
        }
    }

    private func unreadable() -> QuestionError {
        .invalid("\(path): cannot be read: \(unsafe String(cString: strerror(errno)))")
    }
}
