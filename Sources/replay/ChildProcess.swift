import Foundation

/// Another program, run to its end.
enum ChildProcess {
    struct Ended {
        var code: Int32
        /// What it printed on standard output.
        var output: [UInt8]
    }

    /// - Parameters:
    ///   - environment: added to this process's own.
    ///   - isQuiet: what it says on standard error is not shown.
    static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = [:],
        isQuiet: Bool = false
    ) throws -> Ended {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        do {
            try process.run()
        } catch {
            throw Failure(.usage, "\(program.path): cannot be run")
        }
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return Ended(code: process.terminationStatus, output: bytes)
    }
}
