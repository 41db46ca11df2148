import Daybook
import DaybookInvestigation
import DaybookLog

extension AppendLineReader {
    /// Reads the lines of a file; `-` is standard input.
    ///
    /// - Parameter body: receives each line, parsed and as bytes. If `body` throws an `InputError`,
    ///   the name of the file is added to its message.
    func forEachLine(
        of path: String, _ body: (AppendLine, [UInt8]) throws -> Void
    ) throws {
        let lines = try InputFile.bytes(of: path)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() where !bytes.isEmpty {
            do {
                let bytes = Array(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
                if bytes.isEmpty { continue }
                try body(
                    try read(bytes, line: index + 1, now: .now), bytes)
            } catch let error as InputError {
                throw Failure(.usage, "\(error.inFile(path == "-" ? "standard input" : path))")
            }
        }
    }
}
