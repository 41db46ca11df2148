import Foundation
import TestSupport
import Testing

/// The built command.
enum ReplayProcess {
    typealias Answer = Program.Answer

    static let binary = Program.replay

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - inputFile: its standard input, in place of `input`.
    ///   - program: another one in its place.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        output: FileHandle? = nil, inputFile: FileHandle? = nil, program: URL = binary,
        in workingFolder: URL? = nil
    ) throws -> Answer {
        try Program.run(
            [program.path] + arguments, input: inputFile.map { .file($0) } ?? .text(input),
            output: output, environment: environment, in: workingFolder)
    }

    /// Starts the command, with an open input by default.
    static func start(
        _ arguments: [String], input: Program.Input = .open, output: FileHandle? = nil,
        environment: [String: String] = [:]
    ) throws -> Program {
        try Program(
            [binary.path] + arguments, input: input, output: output, environment: environment)
    }
}

/// A log in a folder of its own.
final class ScratchLog {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var path: String { temporary.path("log.daybook") }

    init() throws { temporary = try TemporaryFolder() }

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

// Each of these compiles in a quarter of the time of a macro in its place.
extension Program.Answer {
    /// Expects an exit code; a failure shows the messages.
    func ends(
        _ code: Int32, _ comment: @autoclosure () -> String = "",
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(self.code == code, "\(comment())\(err)", sourceLocation: location)
    }

    /// Expects a text in the messages.
    func says(
        _ text: String, _ comment: @autoclosure () -> String = "",
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(err.contains(text), "\(comment())", sourceLocation: location)
    }

    /// Expects a text in the output.
    func shows(
        _ text: String, _ comment: @autoclosure () -> String = "",
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(out.contains(text), "\(comment())", sourceLocation: location)
    }
}
