import Foundation
import TestSupport
import Testing

/// Answers, help and progress as a terminal of 60 columns shows them.
@Suite struct NarrowTerminalTests {
    private static let narrow = ["COLUMNS": "60"]

    private func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let tour = Checkout.root.appending(path: "docs/tour-baby.csv")
        let made = try log.replay(
            "import", "--format", "babyconnect", "--baby", "mia", "--zone",
            "America/Los_Angeles", tour.path)
        #expect(made.code == 0, "\(made.err)")
        return log
    }

    private func expectNarrow(_ text: String, except isWhole: (Substring) -> Bool = { _ in false })
    {
        for line in text.split(separator: "\n") where !isWhole(line) {
            #expect(line.count <= 60, "\(line)")
        }
    }

    @Test("Help and usage keep to the columns, with each argument whole")
    func help() throws {
        let commands = ["audit", "what-if", "compare", "verify", "blame", "append", "report"]
        for command in commands {
            let help = try ReplayProcess.run([command, "--help"], environment: Self.narrow).out
            expectNarrow(help) { $0.hasPrefix("  replay ") }
            let usage = help.split(separator: "\n").drop { !$0.hasPrefix("USAGE: ") }
                .prefix { !$0.hasSuffix(":") }
            for line in usage {
                #expect(
                    line.count { $0 == "[" } == line.count { $0 == "]" }, "\(command): \(line)")
            }
        }
        let wrong = try ReplayProcess.run(["audit", "--at"], environment: Self.narrow).err
        expectNarrow(wrong)
    }

    @Test("An audit shows each finding on lines of its own where a table is too wide")
    func audit() throws {
        let log = try log()
        let settings = Self.narrow.merging(["DAYBOOK_LOG": log.path]) { $1 }
        let shown = try ReplayProcess.run(["audit"], environment: settings).out
        expectNarrow(shown)
        #expect(shown.contains("    expected  an end\n    found     open since"), "\(shown)")
        let table = try log.replay("audit").out
        #expect(table.contains("position  entity"), "\(table)")
    }

    @Test("A day and a week keep to the columns, with hours under their places")
    func charts() throws {
        let log = try log()
        let settings = Self.narrow.merging(["DAYBOOK_LOG": log.path]) { $1 }
        for (report, period) in [("daily", "--date=2020-03-08"), ("weekly", "--week=2020-W10")] {
            let shown = try ReplayProcess.run(
                ["report", report, "--baby", "mia", period], environment: settings)
            #expect(shown.code == 0, "\(shown.err)")
            expectNarrow(shown.out)
            #expect(shown.out.contains("Formula") && shown.out.contains("09"), "\(shown.out)")
        }
        let wide = try log.replay("report", "daily", "--baby", "mia", "--date", "2020-03-08").out
        #expect(wide.split(separator: "\n").contains { $0.count > 60 })
    }

    @Test("Commands are listed by purpose, and options of the log are named after a command's own")
    func groups() throws {
        let root = try ReplayProcess.run(["--help"]).out
        for name in ["RECORDING", "READING", "EXPLAINING", "TESTING", "MAINTENANCE"] {
            #expect(root.contains("\n\(name) SUBCOMMANDS:\n"), "\(root)")
        }
        let help = try ReplayProcess.run(["what-if", "--help"]).out
        let titles = ["\nARGUMENTS:", "\nOPTIONS:", "\nREPORT:", "\nMOMENT:", "\nFurther options"]
        let places = titles.map { help.range(of: $0)?.lowerBound }
        #expect(!places.contains(nil), "\(help)")
        let found = places.compactMap(\.self)
        #expect(found == found.sorted(), "\(help)")
    }

    @Test("Work of more than a second shows its count and rate, on a terminal only")
    func progress() throws {
        let log = try log()
        let script = """
            import os, pty, subprocess, sys, time
            program, path = sys.argv[1:]
            line = '{"command": "household.change-profile", "data": {"babyId": "b%d", "zone": "UTC"}}'
            terminal, slave = pty.openpty()
            child = subprocess.Popen(
                [program, "append", "--each", "--log", path], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=slave)
            os.close(slave)
            for number in range(30):
                child.stdin.write((line % number + "\\n").encode())
                child.stdin.flush()
                time.sleep(0.1)
            child.stdin.close()
            child.wait()
            shown = b""
            while True:
                try:
                    part = os.read(terminal, 65536)
                except OSError:
                    break
                if not part:
                    break
                shown += part
            sys.stdout.write(shown.decode())
            """
        let answer = try Python.run(script, [ReplayProcess.binary.path, log.path])
        #expect(answer.code == 0)
        #expect(answer.out.contains(/append: [12] s, [0-9]+ lines, [0-9.]+\/s/), "\(answer.out)")
        #expect(try log.replay("verify").err.isEmpty)
    }
}
