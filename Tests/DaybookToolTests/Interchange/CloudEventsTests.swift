import Foundation
import TestSupport
import Testing

/// A log whose events are exported as CloudEvents.
struct CloudEventsLog {
    let log: ScratchLog

    /// Makes a log with names, texts and places, with a commit of two events and with causes.
    init() throws {
        log = try ScratchLog()
        let lines = """
            {"command": "household.change-profile", "at": "2026-02-15T00:00:00Z", "actor": "O'Hara", "data": {"babyId": "b", "zone": "Asia/Seoul"}}
            {"command": "baby-care.record", "at": "2026-02-20T02:00:00.5Z", "actor": "ana", "device": "d1", "correlation": "flow", "data": {"entryId": "e1", "babyId": "b", "kind": "memo", "startedUs": "2026-02-20T02:00:00Z", "value": {"note": "spat some of it"}}}
            {"command": "baby-care.start", "at": "2026-02-20T01:00:00Z", "zone": "Asia/Seoul", "data": {"entryId": "e2", "babyId": "b", "kind": "sleep"}}
            {"command": "baby-care.complete", "at": "2026-02-20T03:00:00Z", "causation": 3, "key": "k1", "data": {"entryId": "e2", "endedUs": "2026-02-20T03:00:00Z"}}
            \(AppendTests.launch("l1", extra: #", "causation": 4"#))
            """
        let made = try log.replay("append", "--each", input: lines)
        made.ends(0)
    }

    /// Exports the log with its keys; returns the path of the file.
    func export() throws -> String { try Self.export(log) }

    /// Exports a log with its keys; returns the path of the file.
    static func export(_ log: ScratchLog) throws -> String {
        let path = log.folder.appendingPathComponent("events").path
        let answer = try log.replay(
            "export", "--format", "cloudevents", "--texts", path + ".keys", "--output", path,
            "--force")
        answer.ends(0)
        return path
    }

    /// The lines of the exported file.
    func lines() throws -> [String] {
        try String(contentsOfFile: export(), encoding: .utf8).split(separator: "\n").map(
            String.init)
    }
}

/// Events as CloudEvents: out of a log, into a copy, and into another log.
@Suite struct CloudEventsTests {
    private func replay(
        _ arguments: String..., input: String = "", log: String
    ) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", log], input: input)
    }

    private func log() throws -> ScratchLog { try CloudEventsLog().log }

    private func export(_ log: ScratchLog) throws -> String { try CloudEventsLog.export(log) }

    private func head(_ log: String) throws -> String? {
        try replay("stat", "--json", log: log).objects().first?["headAtPosition"] as? String
    }

    @Test("The attributes of an event are those of CloudEvents 1.0, and its data is the payload")
    func attributes() throws {
        let log = try log()
        let lines = try ReplayProcess.Answer(
            code: 0, out: String(contentsOfFile: export(log), encoding: .utf8), err: ""
        ).objects()
        let events = try log.replay("log", "--json").objects()
        expect(lines.count, equals: events.count)
        let id = try #require(log.replay("stat", "--json").objects()[0]["id"] as? String)
        for (line, event) in zip(lines, events) {
            expect(line["specversion"] as? String, equals: "1.0")
            expect(line["source"] as? String, equals: "daybook:\(id)")
            expect(line["id"] as? String, equals: "\(event["position"] ?? "")")
            expect(line["type"] as? String, equals: event["kind"] as? String)
            expect(line["time"] as? String, equals: event["occurredAt"] as? String)
            expect(line["recordedtime"] as? String, equals: event["recordedAt"] as? String)
            expect(line["subject"] as? String, equals: (event["tags"] as? [String])?.first)
            expect(line["datacontenttype"] as? String, equals: "application/json")
            // As a CloudEvent demands: lower-case letters and digits, at most 20.
            for name in line.keys { #expect(name.wholeMatch(of: /[a-z0-9]{1,20}/) != nil) }
        }
        expect(lines[1]["actor"] as? String, equals: "redacted")
        expect(lines[1]["device"] as? String, equals: "d1")
        expect(lines[1]["correlationid"] as? String, equals: "flow")
        expect(lines[2]["timezone"] as? String, equals: "Asia/Seoul")
        expect(lines[2]["utcoffset"] as? Int, equals: 32_400)
        expect(lines[3]["causationid"] as? String, equals: "3")
        let data = try #require(lines[1]["data"] as? [String: Any])
        expect(data["text"] as? String, equals: "redacted")
        expect(lines.filter { $0["daybookhead"] != nil }.count, equals: 1)
        expect(lines[0]["daybookhead"] as? String, equals: (try head(log.path)))
    }

    @Test(
        "A missing or empty log becomes a copy with the same head, and follows the log",
        arguments: [true, false], [true, false])
    func copies(hasKeys: Bool, isEmpty: Bool) throws {
        let log = try log()
        let copy = log.path + ".copy"
        if isEmpty { #expect(try replay("append", "--each", input: "{", log: copy).code != 0) }
        for step in 0..<2 {
            let file = try export(log)
            let call =
                ["import", "--format", "cloudevents", file, "--json", "--log", copy]
                + (hasKeys ? ["--texts", file + ".keys"] : [])
            let counted = try ReplayProcess.run(call + ["--dry-run"])
            counted.ends(0)
            let made = try ReplayProcess.run(call)
            made.ends(0)
            let answer = try #require(try made.objects().first)
            expect(answer["headAtPosition"] as? String, equals: (try head(log.path)))
            expect(answer["accepted"] as? Int, equals: (step == 0 ? 5 : 2))
            expect(answer["duplicates"] as? Int, equals: (step == 0 ? 0 : 5))
            expect(answer["texts"] as? Bool, equals: hasKeys)
            expect(counted.out.replacing(#""dryRun":true,"#, with: ""), equals: made.out)
            try replay("verify", log: copy).ends(0)
            let refused = try replay("append", input: AppendTests.launch("x"), log: copy)
            refused.says("the log is a replica")
            if hasKeys {
                let listing = try log.replay("log", "--json", "--chain", "--payload").out
                try expect(
                    replay("log", "--json", "--chain", "--payload", log: copy).out, equals: listing)
            }
            try log.replay("append", input: AppendTests.launch("l\(step + 2)")).ends(0)
        }
        let plain = try replay("import", "--format", "cloudevents", export(log), log: copy + "2")
        plain.shows("head \(try head(log.path) ?? "")")
        plain.says("earlier idempotency keys are not here")
    }

    @Test("With --promote, the copy is a log of its own that knows the earlier keys")
    func promoted() throws {
        let log = try log()
        let (file, copy) = (try export(log), log.path + ".copy")
        let made = try replay(
            "import", "--format", "cloudevents", file, "--texts", file + ".keys", "--promote",
            log: copy)
        made.ends(0)
        let again = try replay(
            "append", "--json",
            input: #"{"command": "baby-care.complete", "key": "k1", "data": {"entryId": "e2", "#
                + #""endedUs": "2026-02-20T03:00:00Z"}}"#, log: copy)
        try expect(again.objects().first?["repeated"] as? Bool, equals: true, "\(again)")
        // The log itself has all of these events.
        let own = try log.replay("import", "--format", "cloudevents", file)
        #expect(own.code == 0 && own.out.contains("0 accepted"), "\(own)")
        try replay("append", input: AppendTests.launch("x"), log: copy).ends(0)
        let ahead = log.path + ".ahead"
        _ = try replay("export", "--format", "cloudevents", "--output", ahead, log: copy)
        let refused = try log.replay("import", "--format", "cloudevents", ahead)
        #expect(refused.code == 1 && refused.err.contains("which is no copy"), "\(refused)")
        try log.replay("append", input: AppendTests.launch("y")).ends(0)
        let parted = try log.replay("import", "--format", "cloudevents", ahead)
        #expect(parted.code == 3 && parted.err.contains("the histories part"), "\(parted)")
    }

    /// An event as another log has it: without positions and times of recording.
    private struct Seen: Hashable {
        var kind: String
        var payload: String
        var occurredAt: String
        var rest: [String]

        init(_ event: [String: Any]) throws {
            func text(_ name: String) -> String { event[name] as? String ?? "" }
            kind = text("kind")
            occurredAt = text("occurredAt")
            let data = try JSONSerialization.data(
                withJSONObject: event["payload"] ?? [:], options: .sortedKeys)
            payload = String(decoding: data, as: UTF8.self)
            rest = ["actor", "device", "correlation", "zone"].map(text)
            rest += ["\(event["offsetS"] ?? "")"] + (event["tags"] as? [String] ?? [])
        }
    }

    private func seen(_ log: String, from position: Int = 1) throws -> [Seen] {
        try replay("log", "--json", log: log).objects()
            .filter { $0["position"] as? Int ?? 0 >= position }.map { try Seen($0) }
    }

    @Test("Another log gets each commit once, with its texts, names and causes")
    func otherLog() throws {
        let (log, other) = (try log(), try ScratchLog())
        try other.replay("append", input: AppendTests.launch("own")).ends(0)
        let file = try export(log)
        let refused = try other.replay("import", "--format", "cloudevents", file)
        #expect(refused.code == 1 && refused.err.contains("--texts"), "\(refused)")
        let call = ["import", "--format", "cloudevents", file, "--texts", file + ".keys"]
        for (step, accepted) in [5, 0, 2].enumerated() {
            if step == 2 {
                try log.replay("append", input: AppendTests.launch("l2")).ends(0)
                _ = try export(log)
            }
            for dryRun in [["--dry-run"], []] {
                let answer = try ReplayProcess.run(call + dryRun + ["--json", "--log", other.path])
                let object = try #require(try answer.objects().first)
                expect(object["accepted"] as? Int, equals: accepted, "\(step): \(answer)")
                #expect(object["headAtPosition"] == nil)
            }
            try expect(seen(other.path, from: 2), equals: seen(log.path))
        }
        let events = try other.replay("log", "--json").objects()
        let causes = events.map { $0["causation"] as? Int }
        // Position 3 of the log is 4 of the other, which had an event before.
        expect(causes, equals: [nil, nil, nil, nil, 4, 5, nil, nil])
        try other.replay("verify").ends(0)
    }

    @Test("Two logs in one other keep their events apart")
    func twoLogs() throws {
        let (first, second, other) = (try log(), try log(), try ScratchLog())
        try other.replay("append", input: AppendTests.launch("own")).ends(0)
        for log in [first, second, first] {
            let file = try export(log)
            let answer = try other.replay(
                "import", "--format", "cloudevents", file, "--texts", file + ".keys")
            answer.ends(0)
        }
        try expect(other.replay("stat", "--json").objects()[0]["events"] as? Int, equals: 11)
        try other.replay("verify").ends(0)
    }

    @Test("What is erased does not go to another log, which is said with the line")
    func erased() throws {
        let (log, other) = (try log(), try ScratchLog())
        try other.replay("append", input: AppendTests.launch("own")).ends(0)
        try log.replay("erase", "--tag", "baby:b").ends(0)
        let file = try export(log)
        let answer = try other.replay(
            "import", "--format", "cloudevents", file, "--texts", file + ".keys", "--json")
        answer.ends(1)
        let object = try #require(try answer.objects().first)
        let rejected = try #require(object["rejected"] as? [[String: Any]])
        expect(rejected.map { $0["line"] as? Int }, equals: [2])
        expect(rejected.first?["code"] as? String, equals: "erased")
        answer.says("\(file):6: event 6: the log erased texts of baby:b")
        try expect(other.replay("stat", "--json").objects()[0]["events"] as? Int, equals: 5)
        // A copy gets the erasure.
        let copy = try replay(
            "import", "--format", "cloudevents", file, "--texts", file + ".keys",
            log: log.path + ".copy")
        copy.ends(0)
        try replay("verify", log: log.path + ".copy").ends(0)
        try expect(
            replay("log", "--json", log: log.path + ".copy").out,
            equals: log.replay("log", "--json").out)
    }

    @Test("Keys of another run, and a file with a change, leave the log as it was")
    func untouched() throws {
        let log = try log()
        let file = try export(log)
        let old = try log.file("old", String(contentsOfFile: file, encoding: .utf8))
        try log.replay("append", input: AppendTests.launch("l2")).ends(0)
        _ = try export(log)
        let empty = log.path + ".empty"
        #expect(try replay("append", "--each", input: "{", log: empty).code != 0)
        let before = FileManager.default.contents(atPath: empty)
        let answer = try replay(
            "import", "--format", "cloudevents", old, "--texts", file + ".keys", log: empty)
        #expect(answer.code == 2 && answer.err.contains("the keys are of position"), "\(answer)")
        expect(FileManager.default.contents(atPath: empty), equals: before)
        try replay("append", input: AppendTests.launch("x"), log: empty).ends(0)
    }

    @Test(
        "An export never replaces the log, its lock file or its head file",
        arguments: [
            "sql", "cloudevents",
        ])
    func ownFiles(_ format: String) throws {
        let log = try log()
        let link = log.path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: log.path)
        for path in [log.path, log.path + "-lock", link] {
            let answer = try log.replay(
                "export", "--format", format, "--force", "--output", path)
            #expect(answer.code == 2 && answer.err.contains("is not overwritten"), "\(answer)")
        }
        try log.replay("verify").ends(0)
    }

    @Test("Two imports of one log at once append each commit once, with its own cause")
    func atOnce() throws {
        let (log, other) = (try ScratchLog(), try ScratchLog())
        var lines = [AppendTests.launch("l0")]
        for number in 1..<600 {
            lines.append(AppendTests.launch("l\(number)", extra: #", "causation": \#(number)"#))
        }
        let facts = lines.map {
            $0.replacing(
                "command\": \"launch.launch-app", with: "event\": \"launch.app-launched.v1")
        }
        try log.replay("append", "--each", input: facts.joined()).ends(0)
        try other.replay("append", input: AppendTests.launch("own")).ends(0)
        let file = try export(log)
        let call = ["import", "--format", "cloudevents", file, "--log", other.path]
        let running = try (0..<3).map { _ in try ReplayProcess.start(call) }
        for process in running { try process.end().ends(0) }
        let events = try other.replay("log", "--json").objects()
        expect(events.count, equals: 601)
        for event in events.dropFirst(2) {
            let position = event["position"] as? Int ?? 0
            expect(event["causation"] as? Int, equals: position - 1)
        }
    }
}
