import Foundation

/// Whole commands of `replay`, each in a process of its own.
struct Commands {
    let replay: String

    /// The program that a release build of this checkout makes.
    static let builtReplay = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../.build/release/replay").standardized.path

    func check() throws {
        guard FileManager.default.isExecutableFile(atPath: replay) else {
            throw Failed(
                description: "there is no \(replay); 'swift build -c release' makes it")
        }
    }

    func timed(
        _ name: String, _ work: String, _ reach: String, repeats: Int = 9,
        _ run: () throws -> Run
    ) throws -> Row {
        var peak = 0.0
        let times = try Measure.alone(repeats) {
            let run = try run()
            peak = run.peakMiB
            return run.seconds
        }
        return Row(
            name: name, work: "\(work), peak \(Row.number(peak)) MiB", unit: "ms",
            own: Row.Figure(nsOf: 1_000_000, times), reach: reach)
    }

    /// The same as a rate: how many of `count` a second.
    func throughput(
        _ name: String, _ work: String, _ reach: String, of count: Int, repeats: Int,
        _ run: () throws -> Run
    ) throws -> Row {
        var row = try timed(name, work, reach, repeats: repeats, run)
        let perSecond = { (ms: Double) in Double(count) / ms * 1_000 }
        row.unit = "events/s"
        (row.own.least, row.own.most) = (perSecond(row.own.most), perSecond(row.own.least))
        row.own.median = perSecond(row.own.median)
        return row
    }

    struct Run {
        var seconds: Double
        /// Resident memory, the mapped log included.
        var peakMiB: Double
    }

    /// Runs the binary from a small process: what the parent has resident counts as the child's.
    ///
    /// - Parameter file: what it prints goes there; nowhere by default.
    func run(_ arguments: [String], into file: String = "/dev/null") throws -> Run {
        let output = Pipe()
        let child = Process()
        child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["--child", file, replay] + arguments
        child.standardOutput = output
        try child.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard child.terminationStatus == 0, numbers.count == 2 else {
            throw Failed(description: "replay \(arguments.joined(separator: " ")) failed")
        }
        return Run(seconds: numbers[0], peakMiB: numbers[1])
    }

    /// Runs a program with its output in a file, and prints seconds and peak MiB.
    static func runChild(_ arguments: [String], into file: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, file, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        texts.append(nil)
        var process = pid_t()
        var status: CInt = 0
        var usage = rusage()
        let seconds = try Measure.seconds {
            guard posix_spawn(&process, arguments[0], &actions, nil, texts, environ) == 0,
                wait4(process, &status, 0, &usage) == process
            else { throw Failed(description: "\(arguments[0]) cannot be run") }
        }
        // Code 1 is an answer too: a difference or a finding.
        guard status == 0 || status == 1 << 8 else {
            throw Failed(description: "\(arguments[0]) failed")
        }
        print(seconds, Double(usage.ru_maxrss) / 1_024)
    }
}
