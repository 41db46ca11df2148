public import Foundation

/// A program that runs beside a test; it is killed with this object if it has not ended.
///
/// Its output goes to files and not to pipes: nothing can block on a full one.
public final class Program: @unchecked Sendable {
    /// Bytes for its standard input.
    public enum Input {
        case text(String)
        case file(FileHandle)
        /// A pipe in which `send` writes and which `closeInput` closes.
        case open
    }

    /// The end of a program and its words.
    public struct Answer: Sendable {
        /// The exit code, or the signal that ended it.
        public var code: Int32
        public var out: String
        public var err: String

        public init(code: Int32, out: String, err: String) {
            (self.code, self.out, self.err) = (code, out, err)
        }

        private struct NoObject: Error { var line: Substring }

        /// Each line of standard output as a JSON object.
        public func objects() throws -> [[String: Any]] {
            try out.split(separator: "\n").map { line in
                guard
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                        as? [String: Any]
                else { throw NoObject(line: line) }
                return object
            }
        }
    }

    /// The command `replay` beside the test bundle.
    public static var replay: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("replay")
    }

    private let process = Process()
    private let folder: TemporaryFolder
    private let input: Pipe?
    private let ended = DispatchSemaphore(value: 0)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: its path or name, and its arguments.
    ///   - output: where its standard output goes; into the answer by default.
    ///   - environment: variables beside those of the tests; `nil` takes one away.
    ///   - workingFolder: where it runs; the folder of the tests by default.
    public init(
        _ words: [String], input: Input = .text(""), output: FileHandle? = nil,
        environment: [String: String?] = [:], in workingFolder: URL? = nil
    ) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let isPath = words[0].hasPrefix("/")
        process.executableURL = URL(fileURLWithPath: isPath ? words[0] : "/usr/bin/env")
        process.arguments = isPath ? Array(words.dropFirst()) : words
        process.environment = ProcessInfo.processInfo.environment.merging(
            environment.compactMapValues { $0 }
        ) { $1 }.filter { environment[$0.key] != .some(nil) }
        if let workingFolder { process.currentDirectoryURL = workingFolder }
        let files = ["in", "out", "err"].map { folder.url.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        if case .open = input { self.input = Pipe() } else { self.input = nil }
        switch input {
        case .text(let text):
            try Data(text.utf8).write(to: files[0])
            process.standardInput = try FileHandle(forReadingFrom: files[0])
        case .file(let file): process.standardInput = file
        case .open: process.standardInput = self.input
        }
        process.standardOutput = try output ?? FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// Runs a program to its end.
    public static func run(
        _ words: [String], input: Input = .text(""), output: FileHandle? = nil,
        environment: [String: String?] = [:], in workingFolder: URL? = nil
    ) throws -> Answer {
        try Program(
            words, input: input, output: output, environment: environment, in: workingFolder
        ).end()
    }

    public var isRunning: Bool { process.isRunning }

    public var id: Int32 { process.processIdentifier }

    /// `true` where a signal has ended it.
    public var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

    /// The standard output so far.
    public var out: String { text("out") }

    /// The messages so far.
    public var err: String { text("err") }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
    }

    /// Writes in its open input.
    public func send(_ text: String) throws {
        try input?.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    public func closeInput() { try? input?.fileHandleForWriting.close() }

    public func signal(_ number: Int32) { Foundation.kill(id, number) }

    /// Ends it at once, whichever signals it has blocked: a child inherits those of a test's thread.
    public func kill() {
        signal(SIGKILL)
        wait()
    }

    /// Closes its open input and waits until it ends.
    @discardableResult
    public func end() throws -> Answer {
        closeInput()
        wait()
        return Answer(
            code: process.terminationStatus,
            out: try String(contentsOfFile: folder.path("out"), encoding: .utf8),
            err: try String(contentsOfFile: folder.path("err"), encoding: .utf8))
    }

    /// Waits until it ends.
    ///
    /// `waitUntilExit` looks every 50 ms whether it has ended, which is as long as most commands take.
    private func wait() {
        ended.wait()
        ended.signal()
        // Releases the run loop's source of the process, and with it the files of its output. A test run
        // starts thousands; with more than some 1,350 open files `run` reads past a buffer's end.
        process.waitUntilExit()
    }
}
