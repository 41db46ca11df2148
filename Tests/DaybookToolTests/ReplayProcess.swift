import Foundation
import TestSupport
import Testing

/// Runs the built command.
struct ReplayProcess {
    struct Answer {
        var code: Int32
        var out: String
        var err: String

        /// Each line of standard output as a JSON object.
        func objects() throws -> [[String: Any]] {
            try out.split(separator: "\n").map { line in
                try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                    "\(line)")
            }
        }
    }

    /// The command beside the test bundle.
    static var binary: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("replay")
    }

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - output: where its standard output goes; into the answer by default.
    ///   - inputFile: what it reads on standard input, in place of `input`.
    ///   - program: another one in its place.
    ///   - workingFolder: where it runs; the folder of the tests by default.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        output: FileHandle? = nil, inputFile: FileHandle? = nil, program: URL = binary,
        in workingFolder: URL? = nil
    ) throws -> Answer {
        let process = Process()
        process.executableURL = program
        if let workingFolder { process.currentDirectoryURL = workingFolder }
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files and not pipes: nothing can block on a full one.
        let names = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
        try Data(input.utf8).write(to: names[0])
        for name in names[1...] { try Data().write(to: name) }
        process.standardInput = try inputFile ?? FileHandle(forReadingFrom: names[0])
        process.standardOutput = try output ?? FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.runToEnd()
        return Answer(
            code: process.terminationStatus,
            out: try String(contentsOf: names[1], encoding: .utf8),
            err: try String(contentsOf: names[2], encoding: .utf8))
    }
}

/// A log in a folder of its own.
final class ScratchLog {
    let folder: URL
    var path: String { folder.appendingPathComponent("log.daybook").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("scratch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func replay(_ arguments: String..., input: String = "") throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", path], input: input)
    }

    func file(_ name: String, _ text: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }
}
