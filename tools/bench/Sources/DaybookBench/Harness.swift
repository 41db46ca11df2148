import Foundation

/// Several measurements of one thing.
struct Times {
    let seconds: [Double]

    var median: Double { seconds.sorted()[seconds.count / 2] }
    var least: Double { seconds.min() ?? 0 }
    var most: Double { seconds.max() ?? 0 }
}

/// One line of the table.
struct Row {
    var name: String
    var work: String
    var unit: String
    var base: Figure?
    var own: Figure
    var reach: String
    /// Our rate divided by the baseline's, or time for time where the unit is a time.
    var ratio: Double?

    struct Figure {
        var median: Double
        var least: Double
        var most: Double

        /// Nanoseconds for each of `count`.
        init(nsOf count: Int, _ times: Times) {
            let scale = 1e9 / Double(count)
            (median, least, most) = (times.median * scale, times.least * scale, times.most * scale)
        }

        /// How many of `count` a second.
        init(perSecondOf count: Int, _ times: Times) {
            let count = Double(count)
            (median, least, most) = (count / times.median, count / times.most, count / times.least)
        }

        init(_ value: Double) { (median, least, most) = (value, value, value) }

        var text: String {
            least == most
                ? Row.number(median)
                : "\(Row.number(median)) (\(Row.number(least))–\(Row.number(most)))"
        }
    }

    static func number(_ value: Double) -> String {
        switch value {
        case 1_000_000...: String(format: "%.2f M", value / 1e6)
        case 10_000...: String(format: "%.1f k", value / 1e3)
        case 100...: String(format: "%.0f", value)
        default: String(format: "%.1f", value)
        }
    }

    var text: String {
        let ratio = ratio.map { String(format: "%.2f", $0) } ?? "–"
        return
            "| \(name) | \(work) | \(unit) | \(base?.text ?? "–") | \(own.text) | \(ratio) | \(reach) |"
    }
}

struct Failed: Error, CustomStringConvertible {
    var description: String
}

enum Measure {
    /// Seconds that `body` takes.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Measures two things in turn, so that the machine's moods hit both: one warm-up each, then
    /// `repeats` rounds. Each body gives its own seconds.
    static func pair(
        _ repeats: Int, _ base: () throws -> Double, _ own: () throws -> Double
    ) throws -> (base: Times, own: Times) {
        var bases: [Double] = []
        var owns: [Double] = []
        for round in 0...repeats {
            let (base, own) = (try base(), try own())
            guard round > 0 else { continue }
            bases.append(base)
            owns.append(own)
        }
        return (Times(seconds: bases), Times(seconds: owns))
    }

    static func alone(_ repeats: Int, _ body: () throws -> Double) throws -> Times {
        _ = try body()
        return Times(seconds: try (0..<repeats).map { _ in try body() })
    }
}

/// Where and on what this runs.
enum Machine {
    static func output(_ command: String) -> String {
        guard let pipe = popen(command + " 2>/dev/null", "r") else { return "" }
        defer { pclose(pipe) }
        var text = ""
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, CInt(line.count), pipe) != nil {
            text += String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func describe(_ folder: String, command: [String]? = nil) -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent().path
        let cpu = output("grep -m1 'model name' /proc/cpuinfo | cut -d: -f2")
        let disk = output("df --output=source,fstype '\(folder)' | tail -1")
        let changed =
            output("git -C '\(source)' status --porcelain -- ../../../../Sources") == ""
            ? "" : " with changes in Sources"
        return """
            machine  \(cpu), \(ProcessInfo.processInfo.activeProcessorCount) cores, kernel \(output("uname -r"))
            disk     \(disk.split(separator: " ").joined(separator: " "))
            swift    \(output("swift --version | head -1"))
            lmdb     \(output("pkg-config --modversion lmdb"))
            commit   \(output("git -C '\(source)' rev-parse --short HEAD"))\(changed)
            date     \(output("date -u +%Y-%m-%dT%H:%MZ"))
            command  \((command ?? CommandLine.arguments).joined(separator: " "))
            """
    }

    /// Refuses a folder that lies in memory: a sync costs nothing there.
    static func refuseMemory(_ folder: String) throws {
        let type = output("stat -f -c %T '\(folder)'")
        if ["tmpfs", "ramfs"].contains(type) {
            throw Failed(
                description:
                    "\(folder) is a \(type), where a sync costs nothing; name a folder on a disk with --dir"
            )
        }
    }

    /// A line of the status of a process, by default this one, in MiB.
    static func memory(_ name: String, of process: String = "self") -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let kib = line?.split(whereSeparator: { !$0.isNumber }).last.flatMap { Double($0) }
        return (kib ?? 0) / 1_024
    }
}
