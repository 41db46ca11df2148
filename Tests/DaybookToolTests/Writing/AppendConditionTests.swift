import Foundation
import TestSupport
import Testing

/// Event lines with a condition, and the reading that it is about.
@Suite struct AppendConditionTests {
    private static func ended(_ launch: String, _ condition: String? = nil) -> String {
        let condition = condition.map { ", \"failIfEventsMatch\": \($0)" } ?? ""
        return """
            {"event": "launch.app-terminated.v1", "at": "2026-01-21T14:53:54Z"\(condition), \
            "data": {"launchId": "\(launch)", "cause": "user"}}

            """
    }

    private static func unless(_ launch: String, after: Int? = nil) -> String {
        let after = after.map { ", \"after\": \($0)" } ?? ""
        return "{\"query\": [{\"tags\": [\"launch:\(launch)\"]}]\(after)}"
    }

    private static let stored = ended("l1") + ended("l2") + ended("l1")

    @Test(
        "An event line is appended where no event matches its condition",
        arguments: [
            (unless("l3"), nil), (unless("l1", after: 3), nil), (unless("l2", after: 2), nil),
            (unless("l1"), 1), (unless("l1", after: 1), 3), (unless("l2", after: 1), 2),
            (#"{"query": [{"kinds": ["launch.app-launched"]}]}"#, nil),
            (#"{"query": [{"kinds": ["launch.app-terminated"]}], "after": 2}"#, 3),
            (#"{"query": [{"kinds": ["launch.app-terminated.v1"], "tags": ["launch:l2"]}]}"#, 2),
            (#"{"query": [{"tags": ["launch:l3"]}, {"tags": ["launch:l2"]}]}"#, 2),
            (#"{"query": [{"tags": ["launch:l1", "launch:l2"]}]}"#, nil),
        ] as [(String, Int?)])
    func condition(_ condition: String, _ conflict: Int?) throws {
        for each in [[], ["--each"]] {
            let log = try ScratchLog()
            try log.replay("append", input: Self.stored)
            let answer = try ReplayProcess.run(
                ["append", "--json", "--log", log.path] + each,
                input: Self.ended("l9", condition))
            let line = try #require(try answer.objects().first)
            let refused = line["refused"] as? [String: Any]
            #expect(answer.code == (conflict == nil ? 0 : 1), "\(answer.err)")
            expect(refused?["position"] as? Int, equals: conflict)
            #expect((refused?["code"] as? String) == (conflict.map { _ in "conditionFailed" }))
            #expect(line["first"] as? Int == (conflict == nil ? 4 : nil))
            if let conflict { #expect(answer.err.contains("at position \(conflict) matches")) }
            let events = try log.replay("stat", "--json").objects().first?["events"] as? Int
            #expect(events == (conflict == nil ? 4 : 3))
        }
    }

    @Test("A condition sees the lines before it, and nothing of the batch is appended")
    func earlierLine() throws {
        let log = try ScratchLog()
        let lines = Self.ended("l1") + Self.ended("l1", Self.unless("l1"))
        let answer = try log.replay("append", input: lines)
        expect(answer.code, equals: 1)
        #expect(answer.err.contains("standard input:2: refused: an event of an earlier line"))
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: 0)
    }

    @Test("A condition on a noun that nothing has is said once, and holds")
    func unknownNoun() throws {
        for each in [[], ["--each"]] {
            let log = try ScratchLog()
            let query = #"{"query": [{"tags": ["lanch:l1"]}, {"tags": ["launch:l9"]}]}"#
            let lines = Self.ended("l1", query) + Self.ended("l2", query)
            let answer = try ReplayProcess.run(
                ["append", "--json", "--log", log.path] + each, input: lines)
            expect(answer.code, equals: 0)
            let warning =
                "standard input:1: failIfEventsMatch: no event has a tag that begins with 'lanch:', "
                + "so no event matches an item with this tag; did you mean 'launch'?"
            expect(
                answer.err.split(separator: "\n").map(String.init), equals: ["replay: " + warning])
        }
    }

    @Test("A line that is sent again under its key is answered as before")
    func repeated() throws {
        let log = try ScratchLog()
        let line = Self.ended("l1", Self.unless("l1"))
            .replacing("\"at\"", with: "\"key\": \"k\", \"at\"")
        for repeated in [false, true] {
            let answer = try log.replay("append", "--json", input: line)
            expect(answer.code, equals: 0, "\(answer.err)")
            try expect(answer.objects().first?["repeated"] as? Bool, equals: repeated)
        }
    }

    @Test(
        "A condition that cannot be meant is refused with its field",
        arguments: [
            ("{}", "'failIfEventsMatch.query': the field is missing"),
            (#"{"query": []}"#, "'failIfEventsMatch.query': expected a list of at least one item"),
            (#"{"query": [{}]}"#, "'failIfEventsMatch.query[0]': expected 'kinds' or 'tags'"),
            (
                #"{"query": [{"tags": ["x"]}]}"#,
                "'failIfEventsMatch.query[0].tags[0]': expected a tag noun:id"
            ),
            (
                #"{"query": [{"kinds": ["launch.app-lunched"]}]}"#,
                "there is no kind of event \"launch.app-lunched\"; did you mean"
            ),
            (#"{"query": [{"tag": ["launch:l1"]}]}"#, "query[0].tag': the field is unknown"),
            (#"{"query": [{"tags": "launch:l1"}]}"#, "query[0].tags': expected a list"),
            (unless("l1", after: -1), "'failIfEventsMatch.after': expected a position"),
            ("3", "'failIfEventsMatch': expected an object"),
            (#"{"query": [{"tags": ["launch:l1"]}], "befor": 1}"#, ".befor': the field is"),
        ])
    func malformed(_ condition: String, _ message: String) throws {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: Self.ended("l1", condition))
        expect(answer.code, equals: 2)
        #expect(answer.err.contains(message), "\(answer.err)")
        #expect(!FileManager.default.fileExists(atPath: log.path))
    }

    @Test("A condition about a position that the log has not reached is refused")
    func ahead() throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.stored)
        let answer = try log.replay("append", input: Self.ended("l9", Self.unless("l9", after: 4)))
        expect(answer.code, equals: 1)
        #expect(answer.err.contains("after position 4, but the log ends at position 3"))
    }

    @Test("A command takes no condition beside that of its rule")
    func command() throws {
        let line = AppendTests.launch(
            "l1", extra: ", \"failIfEventsMatch\": \(Self.unless("l1"))")
        let answer = try ScratchLog().replay("append", input: line)
        expect(answer.code, equals: 2)
        #expect(
            answer.err.contains(
                "'failIfEventsMatch': an append condition is allowed only on the line of an event"))
    }

    @Test(
        "A query of several items lists what matches one of them, and how far was read",
        arguments: [
            (#"[{"tags": ["launch:l2"]}]"#, [2]), (#"[{"tags": ["launch:l9"]}]"#, []),
            (#"[{"tags": ["launch:l2"]}, {"tags": ["launch:l1"]}]"#, [1, 2, 3]),
            (#"[{"kinds": ["launch.app-terminated"], "tags": ["launch:l1"]}]"#, [1, 3]),
        ] as [(String, [Int])])
    func query(_ query: String, _ positions: [Int]) throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.stored)
        let answer = try log.replay(
            "log", "--json", "--query", "-", "--through", input: query)
        expect(answer.code, equals: 0, "\(answer.err)")
        let lines = try answer.objects()
        expect(lines.dropLast().compactMap { $0["position"] as? Int }, equals: positions)
        expect(lines.last?["through"] as? Int, equals: 3)
        let file = try log.file("query.json", query)
        try expect(
            log.replay("log", "--json", "--query", file).objects().count, equals: positions.count)
    }

    @Test(
        "A query that cannot be meant is refused",
        arguments: [
            ("{}", "field 'query': expected a list"), ("[", "expected a JSON value"),
            (
                #"[{"tags": ["lunch:l1"]}]"#,
                "no event has a tag that begins with 'lunch:'; did you mean"
            ),
        ])
    func malformedQuery(_ query: String, _ message: String) throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.stored)
        let answer = try log.replay("log", "--json", "--query", "-", input: query)
        expect(answer.code, equals: 2)
        #expect(answer.err.contains(message), "\(answer.err)")
    }

    @Test("Exactly one of the clients that decide at once gets each number")
    func race() async throws {
        let log = try ScratchLog()
        try log.replay("append", input: Self.ended("l0"))
        let path = log.path
        let query = "[{\"kinds\": [\"launch.app-terminated\"]}]"
        try await withThrowingTaskGroup(of: Int.self) { group in
            for client in 0..<4 {
                group.addTask {
                    var appended = 0
                    while appended < 5 {
                        let read = try ReplayProcess.run(
                            ["log", "--json", "--query", "-", "--through", "--log", path],
                            input: query
                        ).objects()
                        let through = try #require(read.last?["through"] as? Int)
                        expect(read.count, equals: through + 1)
                        let answer = try ReplayProcess.run(
                            ["append", "--log", path],
                            input: Self.ended(
                                "n\(read.count)-\(client)",
                                "{\"query\": \(query), \"after\": \(through)}"))
                        #expect(answer.code < 2, "\(answer.err)")
                        if answer.code == 0 { appended += 1 }
                    }
                    return appended
                }
            }
            for try await appended in group { expect(appended, equals: 5) }
        }
        let ids = try log.replay("log", "--json").objects()
            .compactMap { ($0["payload"] as? [String: Any])?["launchId"] as? String }
            .compactMap { $0.split(separator: "-").first }
        expect(ids.count, equals: 21)
        expect(Set(ids).count, equals: 21)
    }
}
