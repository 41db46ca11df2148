import Foundation

/// Python, where a test needs another language or another process.
public enum Python {
    public static let hasLMDB = (try? run("import lmdb", []).code) == 0

    /// Runs a script; the code is the exit code or the signal that ended it.
    public static func run(
        _ script: String, _ arguments: [String]
    ) throws -> (code: Int32, out: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        let folder = try TemporaryFolder()
        let out = folder.url.appendingPathComponent("out")
        try Data().write(to: out)
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = FileHandle.nullDevice
        try process.runToEnd()
        return (process.terminationStatus, try String(contentsOf: out, encoding: .utf8))
    }
}
