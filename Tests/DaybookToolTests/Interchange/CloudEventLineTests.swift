import Foundation
import TestSupport
import Testing

/// The lines of a file of CloudEvents: faults, and events of other programs.
@Suite struct CloudEventLineTests {
    private func replay(
        _ arguments: String..., input: String = "", log: String
    ) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", log], input: input)
    }

    /// Changes of the lines of a file, and the message.
    private static let faults: [(String, @Sendable ([String]) -> [String], String)] = [
        ("nothing", { _ in [] }, ": there are no events"),
        ("no JSON", { ["{"] + $0 }, ":1: "),
        ("no object", { ["[]"] + $0 }, ":1: expected an event as an object, found a list"),
        (
            "another version",
            { $0.map { $0.replacing(#""specversion":"1.0""#, with: #""specversion":"0.3""#) } },
            #":1: field 'specversion': expected "1.0", the version of CloudEvents, found "0.3""#
        ),
        (
            "no id", { $0.map { $0.replacing(#""id":"2","#, with: "") } },
            ":2: field 'id': the event lacks this attribute"
        ),
        (
            "an id that is a number", { $0.map { $0.replacing(#""id":"2","#, with: #""id":2,"#) } },
            ":2: field 'id': expected a text, found the number 2"
        ),
        (
            "no type", { $0.map { $0.replacing(#""type":"launch.app-launched.v1","#, with: "") } },
            ":5: field 'type': the event lacks this attribute"
        ),
        (
            "a missing line", { $0.enumerated().filter { $0.offset != 2 }.map(\.element) },
            #":3: field 'id': expected the event at position 3, found "4""#
        ),
        ("the end cut off", { Array($0.dropLast()) }, "the events end with position 4"),
        (
            "another order", { [$0[0], $0[2], $0[1]] + $0[3...] },
            #":2: field 'id': expected the event at position 2, found "3""#
        ),
        (
            "another log",
            { Array($0[..<4]) + [$0[4].replacing(/daybook:.{2}/, with: "daybook:zz")] },
            ":5: field 'source': the event is of another log"
        ),
        (
            "no log's id", { $0.map { $0.replacing(/daybook:.{2}/, with: "daybook:zz") } },
            ":1: field 'source': expected daybook: and the id of a log in 32 hexadecimal digits"
        ),
        (
            "no head", { $0.map { $0.replacing(/"daybookhead":"[^"]*",/, with: "") } },
            ":1: field 'daybookhead': the event lacks this attribute"
        ),
        (
            "a malformed head",
            { $0.map { $0.replacing(/"daybookhead":"5/, with: #""daybookhead":"05"#) } },
            ":1: field 'daybookhead': expected a head, POSITION:CHAIN"
        ),
        (
            "some without records",
            { Array($0[..<4]) + [$0[4].replacing(/"daybookrecords":"[^"]*",/, with: "")] },
            ":5: field 'daybookrecords': some events of the file have this attribute and some do not"
        ),
        (
            "no base64",
            { $0.map { $0.replacing(#""daybookrecords":""#, with: #""daybookrecords":"*"#) } },
            ":1: field 'daybookrecords': expected base64 with padding"
        ),
        (
            "no records",
            {
                $0.map {
                    $0.replacing(/"daybookrecords":"[^"]*"/, with: #""daybookrecords":"AAAA""#)
                }
            },
            ":1: field 'daybookrecords': byte 0 begins no record"
        ),
    ]

    @Test("A line that is no part of a log is refused by line and field, and nothing is written")
    func malformed() throws {
        let made = try CloudEventsLog()
        let (log, lines) = (made.log, try made.lines())
        for (name, change, message) in Self.faults {
            let file = try log.file("changed", change(lines).joined(separator: "\n") + "\n")
            let copy = log.path + ".copy"
            let answer = try replay("import", "--format", "cloudevents", file, log: copy)
            expect(answer.code, equals: 2, "\(name): \(answer)")
            #expect(answer.err.contains(message), "\(name): \(answer.err)")
            #expect(!FileManager.default.fileExists(atPath: copy), "\(name)")
        }
    }

    @Test("Changed records are noticed by the chain, and the line is named")
    func changedRecords() throws {
        let made = try CloudEventsLog()
        let (log, lines) = (made.log, try made.lines())
        var noticed = 0
        let record = /"daybookrecords":"([^"]+)"/
        for offset in stride(from: 3, to: 400, by: 7) {
            let line = lines[1]
            let match = try #require(line.firstMatch(of: record))
            var records = try #require(Data(base64Encoded: String(match.output.1)))
            guard offset < records.count else { break }
            records[offset] ^= 1
            let changed =
                lines[..<1] + [line.replacing(match.output.1, with: records.base64EncodedString())]
                + lines[2...]
            // A blank line before, so that numbers of lines are not positions.
            let file = try log.file("changed", "\n" + changed.joined(separator: "\n"))
            let copy = log.path + ".copy\(offset)"
            let answer = try replay(
                "import", "--format", "cloudevents", file, "--texts", log.path + "/../events.keys",
                log: copy)
            #expect(answer.code == 2 || answer.code == 3, "byte \(offset): \(answer)")
            #expect(!FileManager.default.fileExists(atPath: copy), "byte \(offset)")
            noticed += answer.err.contains("changed:3: ") ? 1 : 0
        }
        #expect(noticed > 10)
    }

    @Test("Events of other programs are appended under their source and id, each once")
    func foreign() throws {
        let log = try ScratchLog()
        func line(_ id: String, _ more: String = "", _ data: String) -> String {
            #"{"specversion": "1.0", "id": "\#(id)", "source": "https://example.org/care", "#
                + #""type": "baby-care.entry-opened.v1"\#(more), "data": \#(data)}"#
        }
        let data =
            #"{"entryId": "e1", "babyId": "b", "kind": "sleep", "value": {}, "source": "manual", "entryMode": "manual", "meta": {}, "startedUs": "2026-02-20T01:00:00Z"}"#
        let lines = [
            line(
                "1", #", "time": "2026-02-20T01:00:00Z", "timezone": "Asia/Seoul", "subject": "x""#,
                data),
            line("2", #", "time": "2026-02-20T10:00:00+09:00", "actor": "ana", "extra": 1"#, data),
            line("3", "", data),
            line("4", #", "time": "2026-02-20T01:00:00Z""#, "{}"),
            line("5", #", "time": "2026-02-20T01:00:00Z""#, data)
                .replacing("entry-opened", with: "entry-opend"),
            line("6", #", "time": "2026-02-20T01:00:00Z", "datacontenttype": "text/xml""#, data),
            line("7", #", "time": "2026-02-20T01:00:00Z", "utcoffset": 100000"#, data),
            line("1", #", "time": "2026-02-20T01:00:00Z""#, data),
        ]
        let file = try log.file("events", lines.joined(separator: "\n"))
        let call = ["import", "--format", "cloudevents", file, "--json", "--log", log.path]
        for accepted in [2, 0] {
            let answer = try ReplayProcess.run(call)
            expect(answer.code, equals: 1, "\(answer.err)")
            let object = try #require(try answer.objects().first)
            expect(object["accepted"] as? Int, equals: accepted, "\(answer)")
            let rejected = try #require(object["rejected"] as? [[String: Any]])
            expect(rejected.map { $0["line"] as? Int }, equals: [3, 4, 5, 6, 7], "\(answer.err)")
            let reasons = rejected.map { $0["reason"] as? String ?? "" }
            for (reason, expected) in zip(
                reasons, ["'time'", "'data", "entry-opend", "'datacontenttype'", "'utcoffset'"])
            {
                #expect(reason.contains(expected), "\(reason)")
            }
        }
        let events = try log.replay("log", "--json").objects()
        expect(events.map { $0["offsetS"] as? Int }, equals: [32_400, 32_400])
        expect(events.map { $0["actor"] as? String ?? "" }, equals: ["", "ana"])
        let given = try log.replay("import", "--format", "cloudevents", file, "--texts", "keys")
        #expect(given.code == 2 && given.err.contains("have no records of a log"), "\(given.err)")
    }

    @Test("Two events with one source and id are told apart by their data")
    func sameID() throws {
        let log = try ScratchLog()
        func line(_ source: String, _ id: String, _ launch: String) -> String {
            #"{"specversion": "1.0", "id": "\#(id)", "source": "\#(source)", "type": "#
                + #""launch.app-launched.v1", "time": "2026-02-20T01:00:00Z", "data": "#
                + #"{"launchId": "\#(launch)", "appVersion": "1", "platform": "ios", "#
                + #""firstLaunch": false, "device": "d"}}"#
        }
        let lines = [
            line("a", "b/c", "l1"), line("a/b", "c", "l2"), line("a", "b/c", "l1"),
            line("a", "b/c", "l3"), line("a b", "c", "l4"),
        ]
        let file = try log.file("events", lines[..<4].joined(separator: "\n"))
        for accepted in [2, 0] {
            let answer = try log.replay("import", "--format", "cloudevents", file, "--json")
            let object = try #require(try answer.objects().first)
            expect(object["accepted"] as? Int, equals: accepted, "\(answer)")
            let rejected = try #require(object["rejected"] as? [[String: Any]])
            expect(rejected.map { $0["line"] as? Int }, equals: [4], "\(answer)")
            expect(rejected.first?["code"] as? String, equals: "keyReused")
        }
        let spaced = try log.replay("import", "--format", "cloudevents", "-", input: lines[4])
        #expect(spaced.code == 2 && spaced.err.contains(":1: field 'source'"), "\(spaced.err)")
    }

    @Test("Pseudonymised events have no records, and are appended as they are shown")
    func pseudonymised() throws {
        let (log, other) = (try ScratchLog(), try ScratchLog())
        let lines = (0..<3).map { AppendTests.launch("l\($0)") }.joined()
        try expect(log.replay("append", "--each", input: lines).code, equals: 0)
        let text = try log.replay("export", "--format", "cloudevents", "--pseudonymise").out
        #expect(!text.contains("daybookrecords") && !text.contains("l1"))
        // From a pipe, which can be read once.
        let answer = try other.replay("import", "--format", "cloudevents", "-", input: text)
        #expect(answer.code == 0 && answer.out.contains("5 accepted"), "\(answer)")
        #expect(try other.replay("list", "launches").out.contains("id-"))
        let own = try log.replay("import", "--format", "cloudevents", "-", input: text)
        #expect(own.code == 1 && own.out.contains("0 accepted"), "\(own)")
        // The log itself can still be transferred.
        let file = try CloudEventsLog.export(log)
        let all = try other.replay(
            "import", "--format", "cloudevents", file, "--texts", file + ".keys")
        #expect(all.code == 0 && all.out.contains("5 accepted"), "\(all)")
    }

    @Test(
        "Options of other formats are refused by name",
        arguments: [
            (
                ["cloudevents", "--zone", "UTC"],
                "--zone cannot be used with the format cloudevents"
            ),
            (["cloudevents", "--baby", "b"], "--baby cannot be used with the format cloudevents"),
            (["cloudevents", "--promote"], "--promote requires --texts"),
            (["gpx", "--user", "u", "--texts", "k"], "--texts can only be used with the format"),
        ])
    func options(_ options: [String], _ message: String) throws {
        let log = try ScratchLog()
        let file = try log.file("events", "")
        let answer = try ReplayProcess.run(
            ["import", file, "--log", log.path, "--format"] + options)
        #expect(answer.code == 2 && answer.err.contains(message), "\(answer.err)")
    }
}
