import Daybook
import DaybookLibC

/// Functions that read files and standard input.
package enum InputFile {
    /// Largest size in bytes of a file or line that is read: 512 MiB, because a device may have no
    /// end.
    private static let byteLimit = 1 << 29

    /// Returns all bytes of a file; `-` is standard input.
    package static func bytes(of path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachChunk(of: path) { chunk in
            guard bytes.count + chunk.count <= byteLimit else { throw tooLongFailure(path) }
            bytes.append(contentsOf: chunk)
        }
        return bytes
    }

    /// Returns the failure for a file or line that is longer than `byteLimit`.
    private static func tooLongFailure(_ name: String) -> Failure {
        Failure(
            .usage,
            "\(name): this input is longer than \(byteLimit >> 20) MiB, the most that can be read")
    }

    /// Calls `body` with each chunk of a file; `-` is standard input.
    package static func forEachChunk(of path: String, _ body: ([UInt8]) throws -> Void) throws {
        let file = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY)
        guard file >= 0 else { throw unreadableFailure(path) }
        defer { if file != STDIN_FILENO { close(file) } }
        try forEachChunk(ofOpen: file, path, body)
    }

    /// Calls `body` with each chunk of the rest of an open file.
    ///
    /// - Parameter path: name of the file in error messages.
    static func forEachChunk(
        ofOpen file: Int32, _ path: String, _ body: ([UInt8]) throws -> Void
    ) throws {
        while let chunk = try chunk(of: file, path) { try body(chunk) }
    }

    /// Calls `body` with each line of standard input, without its line ending, as soon as it
    /// arrives.
    ///
    /// - Parameter body: receives the number of the line, from 1, and its bytes.
    static func forEachLine(_ body: (Int, [UInt8]) throws -> Void) throws {
        try forEachLine(ofOpen: STDIN_FILENO, "standard input", body)
    }

    /// Calls `body` with each line of a file, without its line ending and byte order mark.
    static func forEachLine(
        of path: String, _ body: (Int, [UInt8]) throws -> Void
    ) throws {
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else { throw unreadableFailure(path) }
        defer { close(file) }
        try forEachLine(ofOpen: file, path, body)
    }

    /// Calls `body` with each line of the rest of an open file.
    private static func forEachLine(
        ofOpen file: Int32, _ path: String, _ body: (Int, [UInt8]) throws -> Void
    ) throws {
        var number = 0
        var line: [UInt8] = []
        func finishLine() throws {
            number += 1
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if number == 1, line.starts(with: FileKind.byteOrderMark) { line.removeFirst(3) }
            try body(number, line)
            line.removeAll(keepingCapacity: true)
        }
        while let chunk = try chunk(of: file, path) {
            var rest = chunk[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line.append(contentsOf: rest[..<end])
                try finishLine()
                rest = rest[(end + 1)...]
            }
            line.append(contentsOf: rest)
            guard line.count <= byteLimit else { throw tooLongFailure("line \(number + 1)") }
        }
        if !line.isEmpty { try finishLine() }
    }

    /// Returns the next bytes of a file; `nil` at its end.
    private static func chunk(of file: Int32, _ path: String) throws -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let capacity = chunk.count
        var count = -1
        repeat {
            count = unsafe read(file, &chunk, capacity)
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw unreadableFailure(path) }
        return count == 0 ? nil : Array(chunk[..<count])
    }

    /// Returns the failure for a file that cannot be read, with the reason in `errno`.
    static func unreadableFailure(_ path: String) -> Failure {
        Failure(
            .usage,
            "\(path): this input cannot be read: \(unsafe String(cString: strerror(errno)))")
    }
}
