import Foundation
import TestSupport
import Testing

/// Processes with the number 1, as the entry points of containers have, and their shared log.
@Suite(.enabled(if: Namespace.isPossible, "needs the right to make PID namespaces"))
struct SharedNumberTests {
    @Test(
        "Beside a process of the same number in another PID namespace every command answers",
        arguments: ["log --follow", "view", "append --each --json"])
    func answersBesideTheSameNumber(_ other: String) throws {
        let endings = try Namespace.lines(
            """
            make()
            other = begin("\(other)")
            for words, text in [
                ["stat", b""], ["state profile b", b""], ["list babies", b""], ["verify", b""],
                ["log --json", b""], ["history profile b", b""], ["audit", b""],
                ["backup -", b""], ["append", line("n1")], ["append --each", line("n2")],
                ["reindex", b""], ["snapshot", b""], ["stat", b""],
            ]:
                done = subprocess.run(
                    [*first, replay, *words.split(), "--log", log], capture_output=True, input=text)
                print(words, done.returncode)
            done = subprocess.run([replay, "log", "--json", "--log", log], capture_output=True)
            print("events", len(done.stdout.splitlines()))
            other.kill()
            """)
        #expect(endings.count == 14)
        #expect(endings.dropLast().filter { !$0.hasSuffix(" 0") } == [])
        #expect(endings.last == "events \(other.hasPrefix("append") ? 4 : 3)")
    }

    @Test("TERM, INT and HUP end process 1 with the exit code of a shell")
    func signalsEndProcess1() throws {
        let endings = try Namespace.lines(
            """
            make()
            for words in ["log --follow", "view", "append --each --json"]:
                for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
                    process = begin(words)
                    os.kill(inner(process), number)
                    print(words, number.name, process.wait(20))
            """)
        let codes = [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)]
        let expected = ["log --follow", "view", "append --each --json"].flatMap { words in
            // The server of a page ends in its own way.
            codes.map { "\(words) \($0.0) \(words == "view" ? 0 : $0.1)" }
        }
        #expect(endings == expected)
    }

    @Test("A follower on an overlay says that another file is at the path, not damage")
    func namesAnOverlay() throws {
        let endings = try Namespace.lines(
            """
            make()
            folder = os.path.dirname(log)
            os.mkdir(folder + "/mount")
            code = subprocess.call(["unshare", "--mount", "bash", "-c", '''
                mount -t tmpfs tmpfs "$1/mount" && cd "$1/mount" && mkdir low up work all &&
                cp "$1/log.daybook" low/log &&
                mount -t overlay overlay -o lowerdir=low,upperdir=up,workdir=work all || exit 77
                mkfifo lines
                "$0" log --follow --json --log all/log > lines 2> words & follower=$!
                exec 9< lines; read -r first <&9
                for turn in 1 2 3; do printf "$2" "n$turn" | "$0" append --log all/log; done
                wait $follower; echo $? $(cat words)
                ''', replay, folder, line("%s").decode()], stderr=subprocess.DEVNULL)
            if code == 77: print("no overlay")
            """)
        let answer = try #require(endings.last)
        #expect(
            answer == "no overlay"
                || answer.hasPrefix("2 replay: another file is at the log's path"))
    }
}

/// PID namespaces of Linux, which need the rights of root.
private enum Namespace {
    static let isPossible =
        (try? Python.run(
            "import subprocess, sys; sys.exit(subprocess.call(['unshare', '-p', '-f', 'true']))", []
        ).code) == 0

    /// Runs a script of Python with functions for process 1 of namespaces, and returns its lines.
    static func lines(_ script: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let answer = try Python.run(
            functions + script, [ReplayProcess.binary.path, folder.path("log.daybook")])
        #expect(answer.code == 0)
        return answer.out.split(separator: "\n").map(String.init)
    }

    private static let functions = """
        import json, os, signal, subprocess, sys
        replay, log = sys.argv[1:]
        # A test's thread may have blocked them.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
        first = ["unshare", "--pid", "--fork", "--kill-child=KILL"]

        def line(baby):
            return (json.dumps({
                "command": "household.change-profile", "at": "2026-02-20T09:00:00Z",
                "data": {"babyId": baby, "zone": "UTC"}}) + "\\n").encode()

        def make():
            subprocess.run([replay, "append", "--log", log], input=line("b"), check=True,
                           stdout=subprocess.DEVNULL)

        def begin(words):
            process = subprocess.Popen(
                [*first, replay, *words.split(), "--log", log], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            process.stdin.write(line(f"n{process.pid}"))
            process.stdin.flush()
            # It has begun once it has answered.
            process.stdout.readline()
            return process

        def inner(process):
            path = f"/proc/{process.pid}/task/{process.pid}/children"
            return int(open(path).read().split()[0])


        """
}
