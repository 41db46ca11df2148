import Foundation
import TestSupport
import Testing

/// Answers on a terminal: the pager, colours, and the width of lines.
@Suite struct TerminalTests {
    /// Runs a command on a terminal of 60 columns, and returns what it shows.
    private func onTerminal(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> String {
        let settings = environment.map { "\($0.key)=\($0.value)" }
        let script = """
            import fcntl, os, pty, struct, sys, termios
            program, count = sys.argv[1], int(sys.argv[2])
            settings = sys.argv[3:3 + count]
            child, terminal = pty.fork()
            if child == 0:
                os.environ.pop("NO_COLOR", None); os.environ.pop("PAGER", None)
                os.environ.pop("COLUMNS", None); os.environ["TERM"] = "xterm"
                for setting in settings:
                    name, value = setting.split("=", 1)
                    os.environ[name] = value
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
                os.execv(program, [program, *sys.argv[3 + count:]])
            shown = b""
            while True:
                try:
                    part = os.read(terminal, 65536)
                except OSError:
                    break
                if not part:
                    break
                shown += part
            os.waitpid(child, 0)
            sys.stdout.write(shown.decode().replace("\\r\\n", "\\n"))
            """
        let answer = try Python.run(
            script,
            [ReplayProcess.binary.path, "\(settings.count)"] + settings + arguments)
        #expect(answer.code == 0)
        return answer.out
    }

    @Test("A terminal shows colours and lines as wide as it is")
    func colours() throws {
        let log = try AnswerTests.log()
        let shown = try onTerminal(["log", "--log", log.path], environment: ["PAGER": ""])
        #expect(shown.contains("\u{1B}[33m1\u{1B}[m"), "\(shown)")
        for line in shown.split(separator: "\n") {
            let plain = line.replacing(/\u{1B}\[[0-9]*m/, with: "")
            #expect(plain.count <= 60, "\(plain)")
        }
        let history = try onTerminal(
            ["history", "splash", "l1", "--log", log.path], environment: ["PAGER": "cat"])
        #expect(history.contains("\u{1B}[32m"), "\(history)")
    }

    @Test(
        "NO_COLOR and a dumb terminal get none",
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func noColour(_ environment: [String: String]) throws {
        let log = try AnswerTests.log()
        let shown = try onTerminal(
            ["log", "--log", log.path], environment: environment.merging(["PAGER": ""]) { $1 })
        #expect(shown.contains("launched on iOS"))
        #expect(!shown.contains("\u{1B}"), "\(shown)")
    }

    @Test("The pager gets answers and messages, and none where there is nothing to show")
    func pager() throws {
        let log = try AnswerTests.log()
        let pager = "sed 's/^/paged: /'"
        let paged = try onTerminal(
            ["log", "--log", log.path], environment: ["PAGER": pager, "NO_COLOR": "1"])
        let lines = paged.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("paged: ") }, "\(paged)")
        let help = try onTerminal(["log", "--help"], environment: ["PAGER": pager])
        #expect(help.contains("paged: OVERVIEW"), "\(help)")
        let wrong = try onTerminal(
            ["state", "sesion", "--log", log.path], environment: ["PAGER": pager])
        #expect(!wrong.contains("paged: "), "\(wrong)")
        let append = try onTerminal(
            ["verify", "--log", log.path], environment: ["PAGER": pager])
        #expect(!append.contains("paged: "), "\(append)")
    }

    @Test("A pager that is left early ends the command well")
    func leftEarly() throws {
        let shown = try onTerminal(
            ["schema"], environment: ["PAGER": "head -n 1"])
        #expect(shown.split(separator: "\n").count == 1, "\(shown)")
    }

    @Test("Output that is no terminal has neither colours nor a pager")
    func piped() throws {
        let log = try AnswerTests.log()
        let answer = try ReplayProcess.run(
            ["log", "--log", log.path], environment: ["PAGER": "sed s/^/paged:/", "TERM": "xterm"])
        #expect(!answer.out.contains("\u{1B}") && !answer.out.contains("paged:"))
    }
}
