import Foundation
import TestSupport
import Testing

/// Conditions of `log` and `view` on payloads, actors, devices and texts.
@Suite("Filters of log") struct LogFilterTests {
    /// Launches 1 and 2 of two devices, entries 3 to 6 by two carers, the last of whom is erased, as
    /// is the child of the last entry.
    private static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        func entry(_ id: String, _ kind: String, _ more: String, by: String, of baby: String = "b")
            -> String
        {
            #"{"event": "baby-care.entry-recorded.v1", "at": "2026-03-0\#(id)T03:00:00Z", "#
                + #""actor": "\#(by)", "device": "phone-\#(id)", "data": {"entryId": "e\#(id)", "#
                + #""babyId": "\#(baby)", "kind": "\#(kind)", "state": "none", "#
                + #""startedUs": "2026-03-0\#(id)T03:00:00Z", "meta": {}, "source": "manual", "#
                + #""entryMode": "x", \#(more)}}"#
        }
        let launches = ["d1", "d2"].map { device in
            #"{"event": "launch.app-launched.v1", "at": "2026-03-01T00:00:00Z", "actor": "kim", "#
                + #""data": {"launchId": "l-\#(device)", "appVersion": "1.0.0", "#
                + #""platform": "ios", "firstLaunch": false, "device": "\#(device)"}}"#
        }
        let lines =
            launches + [
                entry(
                    "3", "formula", #""value": {"amountUl": 180000}, "text": "Caf\u00e9 fever""#,
                    by: "ana"),
                entry("4", "formula", #""value": {"amountUl": 90000}, "by": "kim""#, by: "ana"),
                entry("5", "sleep", #""value": {}, "text": "slept""#, by: "ana"),
                entry(
                    "6", "memo", #""value": {}, "text": "needle", "by": "zoe""#, by: "zoe", of: "c"),
            ]
        let appended = try log.replay("append", input: lines.joined(separator: "\n") + "\n")
        expect(appended.code, equals: 0, "\(appended.err)")
        try expect(log.replay("erase", "--actor", "zoe").code, equals: 0)
        try expect(log.replay("erase", "--tag", "baby:c").code, equals: 0)
        return log
    }

    private func ask(_ log: ScratchLog, _ arguments: [String]) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", log.path])
    }

    private func positions(_ answer: ReplayProcess.Answer) throws -> [Int] {
        try answer.objects().compactMap { $0["position"] as? Int }
    }

    @Test("Conditions select events in every order, with kinds, tags, times and limits")
    func selects() throws {
        let log = try Self.log()
        for (arguments, wanted) in [
            (["--where", "value.amountUl >= 150000"], [3]),
            (["--where", "kind == formula", "--reverse"], [4, 3]),
            (["--where", "kind == formula", "--reverse", "-n", "1"], [4]),
            (["--where", "platform == ios", "-n", "1"], [1]),
            (["--where", "text == 'needle'"], []),
            (["--by", "kim"], [1, 2, 4]), (["--by", "kim", "--tag", "baby:b"], [4]),
            (["--by", "zoe"], []), (["--by", "erased"], []),
            (["--device", "d2"], [2]), (["--device", "phone-4"], [4]),
            (["--contains", "CAFE\u{301}"], [3]), (["--contains", "needle"], []),
            (["--contains", "sleep"], [5]), (["--contains", "e4"], [4]),
            (["--by", "ana", "--from", "2026-03-04T00:00:00Z", "--reverse"], [5, 4]),
            (["--by", "ana", "--to", "2026-03-04T12:00:00Z", "-n", "1"], [3]),
            (["--by", "ana", "--valid-at", "2026-03-04T12:00:00Z"], [3, 4]),
            (["--by", "ana", "--at", "3"], [3]), (["--device", "phone-4", "--commit", "4"], [4]),
        ] as [([String], [Int])] {
            let answer = try ask(log, ["log", "--json"] + arguments)
            expect(answer.code, equals: 0, "\(arguments): \(answer.err)")
            try expect(positions(answer), equals: wanted, "\(arguments)")
        }
        let through = try ask(log, ["log", "--json", "--through", "--device", "d2"])
        let lines = try through.objects()
        expect(lines.map { ($0["position"] ?? $0["through"]) as? Int }, equals: [2, 8])
    }

    @Test("A limit shows the first of all events that meet a condition, in either order")
    func limits() throws {
        let log = try ScratchLog()
        let lines = (1...900).map { number in
            #"{"event": "launch.app-launched.v1", "at": "2026-03-01T00:00:00Z", "data": "#
                + #"{"launchId": "l\#(number)", "appVersion": "1.0.\#(number % 90)", "#
                + #""platform": "ios", "firstLaunch": false, "device": "d1"}}"#
        }
        let appended = try log.replay("append", input: lines.joined(separator: "\n") + "\n")
        expect(appended.code, equals: 0, "\(appended.err)")
        let condition = ["log", "--json", "--where", "appVersion == '1.0.7'"]
        let all = try positions(ask(log, condition))
        expect(all, equals: (0..<10).map { 90 * $0 + 7 })
        for count in [0, 1, 2, 7, 10, 11] {
            let limit = condition + ["-n", "\(count)"]
            try expect(positions(ask(log, limit)), equals: Array(all.prefix(count)))
            try expect(
                positions(ask(log, limit + ["--reverse"])),
                equals: all.reversed().prefix(count).map(\.self))
            try expect(
                positions(ask(log, ["log", "--json", "--after", "500", "-n", "\(count)"])),
                equals: (501..<501 + count).map(\.self))
        }
    }

    @Test(
        "An empty answer names the conditions, and a wrong one is refused",
        arguments: [
            (["--by", "bob"], 0, "no event by bob; the log ends at position 8"),
            (
                ["--device", "d9", "--contains", "x y", "--tag", "baby:b"], 0,
                "no event with the tag baby:b of the device d9 containing 'x y'; the log"
            ),
            (["--where", "minutes == 1 && kind == sleep"], 2, "--where 'minutes == 1"),
            (
                ["--where", "value.amountUl > 9000000"], 0,
                "no event where value.amountUl > 9000000; the log ends"
            ),
            (
                ["--where", "value.amountMl > 1"], 2,
                "no kind of event has a field 'value.amountMl'; did you mean 'value.amountUl'?"
            ),
            (
                ["--kind", "launch.app-launched", "--where", "plattform == ios"], 2,
                "launch.app-launched has no field 'plattform'; its fields are launchId"
            ),
            (["--by", ""], 2, "--by: expected a text, found an empty one."),
        ] as [([String], Int32, String)])
    func messages(_ arguments: [String], _ code: Int32, _ message: String) throws {
        let log = try Self.log()
        let answer = try ask(log, ["log"] + arguments)
        expect(answer.code, equals: code, "\(answer.err)")
        #expect(answer.out.isEmpty)
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    @Test("A followed log shows the new events that meet the conditions", .timeLimit(.minutes(5)))
    func followed() async throws {
        let log = try ScratchLog()
        try log.replay("append", input: AppendTests.launch("l1"))
        let process = try ReplayProcess.start(
            ["log", "--follow", "--json", "--log", log.path, "--where", "launchId == 'l3'"])
        try log.replay("append", input: AppendTests.launch("l2") + AppendTests.launch("l3"))
        let isThere = try await Wait.suspendedUntil { process.out.last == "\n" }
        #expect(isThere)
        #expect(process.out.hasPrefix(#"{"position":"#) && !process.out.contains("launch:l2"))
    }

    @Test("A replica without keys refuses conditions on names and texts, and takes others")
    func replicaWithoutKeys() throws {
        let log = try Self.log()
        let folder = log.path + ".ship"
        try expect(log.replay("ship", folder).code, equals: 0)
        let replica = log.path + ".replica"
        let pulled = try ReplayProcess.run(["pull", "--log", replica, folder])
        expect(pulled.code, equals: 0, "\(pulled.err)")
        for arguments in [["--by", "not here"], ["--contains", "x"], ["--where", "text == 'x'"]] {
            let answer = try ReplayProcess.run(["log", "--log", replica] + arguments)
            #expect(answer.code != 0 && answer.out.isEmpty, "\(arguments)")
            #expect(answer.err.contains("a condition on events reads personal"), "\(answer.err)")
        }
        for arguments in [["--device", "d2"], ["--where", "launchId == 'l-d2'"]] {
            let answer = try ReplayProcess.run(["log", "--json", "--log", replica] + arguments)
            try expect(positions(answer), equals: [2], "\(answer.err)")
        }
    }

    @Test("A page of the conditions has their events, and hides words that may name people")
    func page() throws {
        let log = try Self.log()
        func story(_ arguments: String...) throws -> [String: Any] {
            let answer = try ask(log, ["view", "--json"] + arguments)
            expect(answer.code, equals: 0, "\(answer.err)")
            return try #require(try answer.objects().first)
        }
        let shown = try story("--by", "kim", "--contains", "D2", "--texts")
        expect(shown["title"] as? String, equals: "events by kim containing 'D2'")
        #expect((shown["command"] as? String)?.contains("view --by kim --contains D2") == true)
        let hidden = try story("--by", "kim", "--kind", "launch.app-launched")
        expect(
            hidden["title"] as? String, equals: "events of kind launch.app-launched by redacted")
        let states = try story("entry", "--where", "value.amountUl > 100000")
        expect(states["title"] as? String, equals: "all of entry where redacted")
        let none = try ask(log, ["view", "--json", "--device", "d9"])
        #expect(none.code == 1 && none.err.contains("no such event"), "\(none.err)")
    }
}
