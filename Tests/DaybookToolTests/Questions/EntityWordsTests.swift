import Foundation
import TestSupport
import Testing

/// The words by which a command line names an entity.
@Suite struct EntityWordsTests {
    /// The log of the tour: a launch `tuesday` of the device `phone-1`.
    private static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let tour = try String(
            contentsOf: Checkout.root.appending(path: "docs/tour.jsonl"), encoding: .utf8)
        try log.replay("append", "--each", input: tour).ends(0)
        return log
    }

    private static func run(_ line: String, _ log: ScratchLog) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(
            line.split(separator: " ").map(String.init), environment: ["DAYBOOK_LOG": log.path])
    }

    @Test(
        "An entity is named by its projection or the noun of it, and by its key after a space, colon or slash"
    )
    func spellings() throws {
        let log = try Self.log()
        for (before, after) in [
            ("state", ""), ("history", ""), ("blame", ""), ("blame", "cause"), ("trace", ""),
            ("bisect", "--until state!=loading"), ("what-if", "--skip 8"), ("capture", ""),
            ("shrink", "--until state==navigateToLogin"),
        ] {
            let wanted = try Self.run("\(before) splash tuesday \(after)", log)
            wanted.ends(0, "\(before): ")
            for words in ["launch tuesday", "launch:tuesday", "launch/tuesday", "splash/tuesday"] {
                let answer = try Self.run("\(before) \(words) \(after)", log)
                expect(answer.out, equals: wanted.out, "\(before) \(words): \(answer.err)")
            }
        }
        let page = try Self.run("view launch:tuesday --json", log)
        page.ends(0)
        page.shows(#""title":"splash tuesday""#)
        try Self.run("transitions launch", log).shows("splash.state")
        try Self.run("compare --projection launch:tuesday --other-rules source", log)
            .shows("compare splash:")
        try expect(
            Self.run("state launch", log).out, equals: Self.run("state splash", log).out)
        try Self.run("state launch:tuesday monday", log).ends(2)
    }

    @Test(
        "Words that name no projection or entity are answered with those that the log has",
        arguments: [
            ("state device phone-1", 2, "\n  session phone-1        5 events  A device's user"),
            ("history device:phone-1", 2, "\n  version-check phone-1  2 events  The last launch"),
            ("blame device/phone-1 state", 2, "Several projections show a 'device'; give one of"),
            ("state device", 2, "\n  session        1 entity  A device's user"),
            (
                "state device phone-2", 1,
                "no event of device 'phone-2' up to position 8; did you mean 'phone-1'?"
            ),
            ("state launch:tuesdy", 1, "did you mean 'tuesday'?"),
            ("history splash Tuesday", 1, "did you mean 'tuesday'?"),
            ("log --tag launch:tuesdy", 0, "ends at position 8; did you mean 'tuesday'?"),
            (
                "state family f1", 2,
                "no projection shows a 'family'; 'replay log --tag family:f1' lists"
            ),
            ("state lunch tuesday", 2, "There is no projection 'lunch'; did you mean 'launch'?"),
            ("history splash", 2, "Give the key of the entity."),
        ] as [(String, Int32, String)])
    func answers(_ line: String, _ code: Int32, _ message: String) throws {
        let answer = try Self.run(line, try Self.log())
        answer.ends(code)
        answer.says(message, answer.err)
        #expect(answer.out.isEmpty && !answer.err.contains("permissions phone-1"))
    }

    @Test("A key is compared with those that share its beginning, however many the log has")
    func manyKeys() throws {
        let log = try ScratchLog()
        let lines = (0..<500).map { number in
            #"{"event": "launch.app-launched.v1", "at": "2026-01-21T10:00:00Z", "data": {"launchId": "#
                + #""run-\#(1_000 + number)", "appVersion": "1.0.0", "platform": "ios", "#
                + #""firstLaunch": true, "device": "d1"}}"#
        }
        try log.replay("append", input: lines.joined(separator: "\n")).ends(0)
        let answer = try Self.run("state splash run-13x6", log)
        answer.ends(1)
        answer.says("did you mean 'run-1306', 'run-1316' or 'run-1326'?", answer.err)
    }

    @Test("Two moments of one entity are compared field by field, in the form of a history")
    func twoMoments() throws {
        let log = try Self.log()
        let answer = try Self.run("state launch:tuesday --at 4 --to 8", log)
        answer.ends(0)
        #expect(
            answer.out.hasPrefix("splash tuesday, from position 4 to 8\n")
                && answer.out.contains("\n    state: \"loading\" → \"navigateToLogin\"\n"),
            "\(answer.out)")
        let line = try #require(
            try Self.run("state splash tuesday --at 4 --to 8 --json", log).objects().first)
        expect(Set(line.keys), equals: ["projection", "key", "rules", "from", "to", "changes"])
        let changes = try #require(line["changes"] as? [[String: Any]])
        let state = changes.first { $0["field"] as? String == "state" }
        expect(state?["before"] as? String, equals: "loading")
        expect(state?["after"] as? String, equals: "navigateToLogin")
        let new = try Self.run("state splash tuesday --at 1 --to 4", log).out
        #expect(new.contains("\n    launchId: \"tuesday\"\n") && !new.contains("→"), "\(new)")
        try Self.run("state splash tuesday --at 8 --to now", log).shows(": nothing changed")
    }

    @Test(
        "A question about two moments needs an entity and both moments in order",
        arguments: [
            ("state splash --at 1 --to 2", 2, "two moments of one entity"),
            ("state splash tuesday --to 2", 2, "two moments of one entity"),
            ("state splash tuesday --at 8 --to 4", 2, "is before position 8 of --at"),
            ("state splash tuesday --at 4 --to 99", 2, "--to 99: there is no position 99"),
            ("state splash monday --at 4 --to 8", 1, "no event of launch 'monday'"),
        ] as [(String, Int32, String)])
    func refusedMoments(_ line: String, _ code: Int32, _ message: String) throws {
        let answer = try Self.run(line, try Self.log())
        answer.ends(code)
        answer.says(message, answer.err)
    }

    @Test(
        "Options before the command, a number after -n and a time for --from are understood",
        arguments: [
            ("log -n1 --json", "log --limit 1 --json"),
            ("--json log -n 2", "log -n2 --json"),
            ("--at 4 --json state splash", "state splash --at 4 --json"),
            ("--at=4 state splash tuesday", "state splash tuesday --at 4"),
            ("view --from 1970-01-01 --json", "view --from 1 --json"),
        ])
    func sameAnswer(_ line: String, _ other: String) throws {
        let log = try Self.log()
        let (answer, wanted) = (try Self.run(line, log), try Self.run(other, log))
        wanted.ends(0)
        // A page names the words of its command.
        let plain = { (text: String) in text.replacing(/"command":"[^"]*"/, with: "") }
        #expect(plain(answer.out) == plain(wanted.out), "\(answer.err)")
    }

    @Test(
        "A word before the command is the value of the option before it, also if it is a command's name"
    )
    func valueBeforeCommand() throws {
        let log = try Self.log()
        let folder = log.folder
        try FileManager.default.moveItem(
            atPath: log.path, toPath: folder.appendingPathComponent("state").path)
        let answer = try ReplayProcess.run(
            ["--log", "state", "list", "launch"], environment: ["DAYBOOK_LOG": ""], in: folder)
        answer.ends(0)
        answer.shows("tuesday")
        let report = try ReplayProcess.run(
            ["--log", "state", "report", "daily", "--baby", "b", "--date", "2026-03-03"],
            environment: ["DAYBOOK_LOG": ""], in: folder)
        #expect(!report.err.contains("Unknown option"), "\(report.err)")
    }
}
