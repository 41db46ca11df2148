import Foundation
import TestSupport
import Testing

/// The page that `view` serves, asked as its script asks.
@Suite struct LiveViewTests {
    /// A log with some launches.
    private static func log(_ launches: String...) throws -> ScratchLog {
        let log = try ScratchLog()
        for launch in launches {
            let made = try log.replay("append", input: AppendTests.launch(launch))
            made.ends(0)
        }
        return log
    }

    @Test("The page holds no data of the log, and may ask its own server only")
    func page() throws {
        let live = try Live(Self.log("secret-launch"))
        let client = TestClient(port: live.port)
        client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(live.port)\r\n\r\n")
        let response = try #require(client.response())
        expect(response.status, equals: 200)
        expect(response.fields["content-type"], equals: "text/html; charset=utf-8")
        let policy = try #require(response.fields["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("connect-src 'self'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        for digest in try ViewCommandTests.digests(response.body) {
            #expect(policy.contains(digest) && response.body.contains(digest))
        }
        #expect(response.body.contains(#"id="story">{"daybookLive":1}</script>"#))
        #expect(response.body.contains("; connect-src 'self'\">"))
        for hidden in ["secret-launch", live.token, live.log.folder.lastPathComponent] {
            #expect(!response.body.contains(hidden))
        }
        // A page in a file asks for nothing.
        let file = try live.log.replay("view", "--output", "-").out
        #expect(!file.contains("; connect-src 'self'\">"))
    }

    @Test("Nothing of the log is told without the token")
    func token() throws {
        let live = try Live(Self.log("l1"))
        for path in ["/log", "/bins", "/near", "/head?after=0", "/story", "/ask", "/nothing"] {
            for method in ["GET", "POST"] {
                let client = TestClient(port: live.port)
                client.send(
                    "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(live.port)\r\n"
                        + "Daybook-Token: \(String(repeating: "0", count: 32))\r\n"
                        + "Content-Length: 0\r\n\r\n")
                let response = try #require(client.response())
                expect(response.status, equals: 403)
                expect(response.body, equals: #"{"error":"The token is missing or wrong."}"# + "\n")
            }
        }
        try expect(live.ask("/log").status, equals: 200)
    }

    @Test("Nothing is answered from a log that was removed or replaced, until it is back")
    func replaced() throws {
        let live = try Live(Self.log("l1"))
        let (path, away) = (live.log.path, live.log.path + ".away")
        let paths = ["/log", "/bins", "/near?position=1", "/head?after=0", "/head?after=1"]
        for isReplaced in [false, true] {
            try FileManager.default.moveItem(atPath: path, toPath: away)
            if isReplaced { try FileManager.default.copyItem(atPath: away, toPath: path) }
            for asked in paths {
                let answer = try live.ask(asked)
                expect(answer.status, equals: 500, "\(asked): \(answer.text)")
                #expect(answer.text.contains("was removed or replaced"), "\(answer.text)")
            }
            if isReplaced { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: away, toPath: path)
        }
        try expect(live.ask("/head?after=0").status, equals: 200)
    }

    @Test("The log is described with the words of the first story")
    func description() throws {
        let live = try Live(
            Self.log("l1", "l2"), "splash", "l1", "--edit", "1:device=my phone", "--at", "2")
        let (status, object, _) = try live.ask("/log")
        expect(status, equals: 200)
        expect(object["daybookLive"] as? Int, equals: 1)
        expect(object["program"] as? String, equals: "replay")
        expect(object["logOption"] as? String, equals: "--log log.daybook")
        expect(
            object["words"] as? [String],
            equals: ["splash", "l1", "--edit", "1:device=my phone", "--at", "2"])
        #expect(object["texts"] as? Bool == false && object["pseudonyms"] as? Bool == false)
        let log = try #require(object["log"] as? [String: Any])
        let stat = try #require(try live.log.replay("stat", "--json").objects().first)
        expect(log["id"] as? String, equals: stat["id"] as? String)
        expect(log["head"] as? String, equals: stat["headAtPosition"] as? String)
        expect(log["events"] as? Int, equals: stat["events"] as? Int)
        #expect((object["rules"] as? [String])?.first == "standard")
        let questions = try #require(object["questions"] as? [String])
        #expect(questions.contains("bisect") && !questions.contains("append"))
        let names = (object["projections"] as? [[String: String]])?.compactMap { $0["name"] }
        expect(names?.contains("splash"), equals: true)
        #expect((object["kinds"] as? [String])?.contains("launch.app-launched") == true)
        #expect(object["zone"] is String || object["zone"] is NSNull)
    }

    @Test("A story is the data that the command writes with --json")
    func stories() throws {
        let live = try Live(Self.log("l1", "l2", "l3"))
        for words in [
            [], ["splash", "l1"], ["splash"], ["--tag", "launch:l2"], ["--from", "2", "--to", "3"],
            ["splash", "l1", "--skip", "1"], ["splash", "l1", "--at", "1"],
            ["splash", "l1", "--edit", "1:firstLaunch=true", "--move", "1:2"],
        ] {
            let made = try ReplayProcess.run(["view", "--json", "--log", live.log.path] + words)
            let answer = try live.ask("/story", words)
            expect(answer.status, equals: 200, "\(words): \(answer.text)")
            expect(answer.text, equals: made.out, "\(words)")
            let command = "replay view" + words.map { " \($0)" }.joined() + " --log log.daybook"
            expect(answer.object["command"] as? String, equals: command)
        }
    }

    @Test("What the command refuses is refused with its message, and files are out of reach")
    func refusedStories() throws {
        let live = try Live(Self.log("l1"))
        let path = live.log.folder.appendingPathComponent("made").path
        for (words, part) in [
            (["splash", "l9"], "the log has no event of launch 'l9'"),
            (["splish"], "There is no projection 'splish'"),
            (["--from", "9"], "the log has no such event"),
            (["splash", "l1", "l2"], "at most 2"),
            (["--output", path], "--output"), (["--insert", path], "--insert"),
            (["--log", path], "--log"), (["--json"], "--json"), (["--help"], "--help"),
            (["--texts"], "--texts"),
        ] {
            let answer = try live.ask("/story", words)
            expect(answer.status, equals: 422, "\(words)")
            let error = answer.object["error"] as? String
            expect(error?.contains(part), equals: true, "\(words): \(error ?? "")")
            #expect(error?.hasPrefix("replay:") == false && error?.contains("Usage:") == false)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        for body in ["", "{", "[]", "{}", #"{"words":"a"}"#, #"{"words":[1]}"#] {
            let answer = try live.ask("/story", body: body)
            #expect(answer.status == 422 && answer.object["error"] is String, "\(body)")
        }
    }

    @Test("An answer is the terminal's, with its exit code")
    func questions() throws {
        let live = try Live(Self.log("l1", "l2"))
        for words in [
            ["state", "splash", "l1"], ["state", "splash", "l1", "--json"], ["log", "--reverse"],
            ["log", "-n", "1"], ["list"], ["stat"], ["schema", "launch"], ["audit", "--json"],
            ["history", "splash", "l1"], ["blame", "splash", "l1", "state"], ["late"],
            ["bisect", "splash", "l1", "--until", "state == x"], ["transitions"], ["routes"],
            ["compare", "--projection", "splash", "--other-rules", "x"],
            ["capture", "splash", "l1"],
            ["report"], ["report", "nothing"], ["trace", "splash"], ["order-safety", "splash"],
            ["what-if", "splash", "l1", "--skip", "1"], ["state", "splash", "l9"],
        ] {
            let made = try ReplayProcess.run(words, environment: ["DAYBOOK_LOG": live.log.path])
            let answer = try live.ask("/ask", words)
            expect(answer.status, equals: 200, "\(words): \(answer.text)")
            expect(answer.object["code"] as? Int, equals: Int(made.code), "\(words)")
            expect(answer.object["output"] as? String, equals: made.out, "\(words)")
            expect(answer.object["error"] as? String, equals: made.err, "\(words)")
            expect(answer.object["truncated"] as? Bool, equals: false)
        }
        for words in [["append"], ["log", "--follow"], ["erase", "--tag", "launch:l1"], []] {
            try expect(live.ask("/ask", words).status, equals: 422, "\(words)")
        }
        try expect(live.log.replay("stat", "--json").objects().first?["events"] as? Int, equals: 3)
    }

    @Test("With pseudonyms, stories have no ids and only pseudonymised captures are answered")
    func pseudonyms() throws {
        let live = try Live(Self.log("launch-of-ann"), "--pseudonymise")
        let log = try live.ask("/log")
        expect(log.object["pseudonyms"] as? Bool, equals: true)
        expect(log.object["logOption"] as? String, equals: "--log LOG")
        let story = try live.ask("/story", ["--from", "1"])
        #expect(story.status == 200 && story.text.contains("launch:id-"))
        #expect(!story.text.contains("launch-of-ann"))
        try expect(live.ask("/ask", ["state", "splash"]).status, equals: 422)
        let words = ["capture", "splash", "launch-of-ann", "--pseudonymise"]
        let capture = try live.ask("/ask", words)
        expect(capture.status, equals: 200)
        expect(capture.object["code"] as? Int, equals: 0, "\(capture.text)")
        #expect((capture.object["output"] as? String)?.contains("launch-of-ann") == false)
    }

    @Test("A reader of the head is told of a new event")
    func head() throws {
        let live = try Live(Self.log("l1"))
        let known = try live.ask("/head?after=0")
        expect(known.object["events"] as? Int, equals: 1)
        let client = TestClient(port: live.port)
        client.send(try live.request("/head?after=1"))
        usleep(200_000)
        try live.log.replay("append", input: AppendTests.launch("l2"))
        let response = try #require(client.response())
        #expect(response.body.hasPrefix(#"{"events":3,"head":"3:"#))
        // Who knows more than there is is told at once.
        try expect(live.ask("/head?after=99").status, equals: 200)
        for path in ["/head", "/head?after=", "/head?after=-1", "/head?after=x"] {
            try expect(live.ask(path).status, equals: 400)
        }
    }

    @Test("Paths and methods that are not answered are said to be")
    func paths() throws {
        let live = try Live(Self.log("l1"))
        try expect(live.ask("/nothing").status, equals: 404)
        #expect(try live.ask("//log").status == 404)
        try expect(live.ask("/log/").status, equals: 404)
        try expect(live.ask("/story").status, equals: 405)
        try expect(live.ask("/ask").status, equals: 405)
        try expect(live.ask("/log", []).status, equals: 405)
        try expect(live.ask("/", []).status, equals: 405)
    }

    @Test("A signal ends the server with code 0", arguments: [SIGINT, SIGTERM, SIGHUP])
    func ends(_ signal: Int32) throws {
        let live = try Live(Self.log("l1"))
        let waiting = TestClient(port: live.port)
        waiting.send(try live.request("/head?after=1"))
        #expect(Wait.until { live.process.err.contains("until Ctrl-C") })
        live.process.signal(signal)
        try live.process.end().ends(0)
        #expect(!live.process.wasKilled)
        #expect(waiting.rest().isEmpty)
    }

    @Test("A child ends when its client goes away, and when the server does")
    func children() throws {
        let live = try Live(Self.log("l1"))
        let big = (1...400).map { AppendTests.launch("x\($0)") }.joined()
        try live.log.replay("append", input: big).ends(0)
        for goesAway in [true, false] {
            let clients = (0..<6).map { _ in TestClient(port: live.port) }
            for client in clients {
                client.send(try live.request("/ask", ["order-safety", "splash"]))
            }
            var most = 0
            _ = Wait.until {
                most = Self.childCount(of: live.log)
                return most > 0
            }
            for _ in 0..<20 {
                most = max(most, Self.childCount(of: live.log))
                usleep(5_000)
            }
            #expect(most > 0 && most <= 4)
            if goesAway {
                for client in clients { client.close() }
            } else {
                live.process.signal(SIGINT)
                try live.process.end()
            }
            #expect(Wait.until { Self.childCount(of: live.log) == 0 })
        }
    }

    /// The number of running processes that were started to answer questions about a log.
    private static func childCount(of log: ScratchLog) -> Int {
        let mark = Data("DAYBOOK_LOG=\(log.path)\0".utf8)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.count { name in
            guard Int(name) != nil,
                let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ")
            else { return false }
            return environment.range(of: mark) != nil
        }
    }

    /// Every user of the machine can read the arguments of a program.
    @Test("--open gives a private file to the system's opener, and says if there is none")
    func opens() throws {
        let log = try Self.log("l1")
        let opened = log.folder.appendingPathComponent("opened").path
        let script = """
            #!/bin/sh
            (printf '%s\\n' "$@"; ls -ld "$1" "${1%/*}" | cut -c 1-10; cat "$1") > '\(opened).new'
            env | grep token >> '\(opened).new'
            mv '\(opened).new' '\(opened)'

            """
        for name in ["open", "xdg-open"] {
            let program = try log.file(name, script)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: program)
        }
        for isUsed in [true, false] {
            let live = try Live(log, "--open", path: "\(log.folder.path):/usr/bin:/bin")
            let manager = FileManager.default
            #expect(Wait.until { manager.fileExists(atPath: opened) })
            let lines = try String(contentsOfFile: opened, encoding: .utf8).split(separator: "\n")
            let file = String(try #require(lines.first))
            expect(lines[1...2], equals: ["drwx------", "-rw-------"])
            let address = "http://127.0.0.1:\(live.port)/#token=\(live.token)"
            #expect(
                lines[3...].count { $0.contains(address) } == 1 && lines[3] == "<!doctype html>")
            expect(lines.last, equals: "<title>Daybook</title>", "\(lines)")
            #expect(manager.fileExists(atPath: file))
            if isUsed {
                try expect(live.ask("/log").status, equals: 200)
            } else {
                live.process.signal(SIGTERM)
                try live.process.end()
            }
            #expect(!manager.fileExists(atPath: file))
            try manager.removeItem(atPath: opened)
        }
        let without = try Live(log, "--open", path: log.folder.appendingPathComponent("none").path)
        #expect(Wait.until { without.process.err.contains("open the address yourself") })
        try expect(without.ask("/log").status, equals: 200)
    }

    @Test("Options that do not fit a served page are refused before it is served")
    func refusals() throws {
        let log = try Self.log("l1")
        for (words, part) in [
            (["--open", "--json"], "--open"), (["--open", "--output", "-"], "--open"),
            (["splash", "l1", "--insert", "f"], "--insert"), (["splish"], "no projection"),
            (["--tag", "l1", "--texts", "--pseudonymise"], "contradict"),
        ] {
            let answer = try ReplayProcess.run(["view"] + words + ["--log", log.path])
            #expect(answer.code == 2 && answer.out.isEmpty, "\(words)")
            answer.says(part, "\(words): \(answer.err)")
        }
        let missing = try ReplayProcess.run(["view", "--log", log.path + ".missing"])
        #expect(missing.code == 2 && missing.out.isEmpty)
    }
}
