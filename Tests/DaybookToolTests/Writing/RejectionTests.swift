import Foundation
import TestSupport
import Testing

/// Messages of imports, appends and reports about their outcome.
@Suite struct RejectionTests {
    static let file = """
        Type,Start,End,Duration,Start Conditions,Start Location,End Conditions,Notes
        sleep,2026-03-03 09:00,2026-03-03 10:00,,,,,
        sleep,noon,2026-03-03 12:00,,,,,
        sleep,2026-03-03 13:00,2026-03-03 14:00,,,,,
        sleep,noon,2026-03-03 12:00,,,,,
        sleep,noon,2026-03-03 12:00,,,,,
        """

    @Test("Rows rejected for one reason are one line with their number")
    func repeatedRejections() throws {
        let log = try ScratchLog()
        let path = try log.file("in.csv", Self.file)
        let answer = try log.replay(
            "import", "--format", "huckleberry", "--baby", "b", "--zone", "UTC", path)
        expect(answer.code, equals: 1)
        let lines = answer.err.split(separator: "\n")
        expect(lines.count, equals: 1, "\(answer.err)")
        expect(lines.first?.contains("in.csv:3: 3 rows: "), equals: true, "\(answer.err)")
        expect(lines.first?.hasSuffix(": rows 2, 4 and 5"), equals: true, "\(answer.err)")
        let json = try log.replay(
            "import", "--format", "huckleberry", "--baby", "b", "--zone", "UTC", path, "--json")
        let rejected = try #require(try json.objects().first?["rejected"] as? [[String: Any]])
        expect(rejected.compactMap { $0["row"] as? Int }, equals: [2, 4, 5])
    }

    @Test("A file imported again in another zone is one message that names both zones")
    func wrongZone() throws {
        let log = try ScratchLog()
        let path = try log.file("in.csv", Self.file)
        func importing(_ zone: String) throws -> ReplayProcess.Answer {
            try log.replay("import", "--format", "huckleberry", "--baby", "b", "--zone", zone, path)
        }
        try expect(importing("America/New_York").code, equals: 1)
        let answer = try importing("Asia/Seoul")
        expect(answer.code, equals: 1)
        let lines = answer.err.split(separator: "\n")
            .filter { $0.contains("imported before") }
        expect(lines.count, equals: 1, "\(answer.err)")
        expect(
            lines.first?.contains("in America/New_York, now with times in Asia/Seoul"),
            equals: true,
            "\(answer.err)")
    }

    @Test("An import for a new baby says that it needs a zone", arguments: [false, true])
    func newBabyNeedsAZone(_ hasLog: Bool) throws {
        let log = try ScratchLog()
        if hasLog { try log.replay("append", input: AppendTests.launch("l1")) }
        let path = try log.file("in.csv", Self.file)
        let answer = try log.replay("import", "--format", "huckleberry", "--baby", "new", path)
        expect(answer.code, equals: 2)
        #expect(
            answer.err.contains("no zone for baby 'new': set the zone of the file's times"),
            "\(answer.err)")
    }

    @Test("A report that is issued says what was recorded")
    func issuedReport() throws {
        let log = try WrittenTimeCommandTests.log()
        let arguments = ["report", "daily", "--baby", "mia", "--date", "2020-03-08", "--issue"]
        let events = try #require(
            try log.replay("stat", "--json").objects().first?["events"] as? Int)
        let first = try ReplayProcess.run(arguments + ["--log", log.path])
        expect(first.code, equals: 0)
        #expect(first.err.contains("issued, recorded at position \(events + 1)"), "\(first.err)")
        let again = try ReplayProcess.run(arguments + ["--log", log.path])
        #expect(again.err.contains("issued already, at position \(events + 1)"), "\(again.err)")
    }

    @Test(
        "An id that makes no tag is named with its line and field, and ends with 2",
        arguments: [
            #"{"event": "launch.app-launched.v1", "data": {"launchId": "", "appVersion": "1", "#
                + #""platform": "ios", "firstLaunch": true, "device": "d1"}}"#,
            #"{"command": "launch.launch-app", "data": {"launchId": "", "appVersion": "1.0.0", "#
                + #""platform": "ios", "firstLaunch": true, "device": "d1"}}"#,
        ])
    func emptyId(_ line: String) throws {
        let log = try ScratchLog()
        let answer = try log.replay("append", input: AppendTests.launch("l1") + line + "\n")
        expect(answer.code, equals: 2, "\(answer.err)")
        #expect(
            answer.err.contains(
                "standard input:2: field 'data.launchId': \"launch:\" is not a tag"),
            "\(answer.err)")
        let each = try log.replay("append", "--each", input: line + "\n")
        expect(each.code, equals: 1)
        #expect(
            each.err.contains("standard input:1: field 'data.launchId': \"launch:\" is not a tag"),
            "\(each.err)")
    }

    @Test("One of something is in the singular")
    func singular() throws {
        let log = try AnswerTests.log()
        let config = try log.file("config.json", "{}")
        let answer = try log.replay(
            "launch-decision", "--config", config, "--now", "2026-07-12T12:00:00Z")
        #expect(answer.out.contains("1.0.0  1 device, 1 launch: "), "\(answer.out)")
    }

    @Test("The schema lists the formats of files")
    func schemaOfFormats() throws {
        let entries = try ReplayProcess.run(["schema", "--json"]).objects()
        let imports = entries.filter { $0["kind"] as? String == "import" }
        #expect(imports.compactMap { $0["name"] as? String }.contains("babyconnect"))
        expect(
            imports.first { $0["name"] as? String == "babyconnect" }?["needsZone"] as? Bool,
            equals: true)
        let exports = entries.filter { $0["kind"] as? String == "export" }
        #expect(exports.compactMap { $0["name"] as? String }.contains("gpx"))
        let books = try ReplayProcess.run(["schema", "books-csv"], program: LogListingTests.books)
        #expect(books.out.contains("import  books-csv"), "\(books.out)")
        #expect(books.out.contains("--branch <id>"), "\(books.out)")
    }

    @Test("A history as JSON has the reasons that events give")
    func historyReasons() throws {
        let log = try ScratchLog()
        let line = """
            {"event": "session.tokens-cleared.v1", "data": {"family": "f1", "reason": "expired", \
            "device": "d1"}}

            """
        let appended = try log.replay("append", input: line)
        expect(appended.code, equals: 0, "\(appended.err)")
        let step = try log.replay("history", "session", "d1", "--json").objects().last
        let reasons = try #require(step?["reasons"] as? [[String: Any]])
        expect(reasons.first?["field"] as? String, equals: "reason")
        expect(reasons.first?["value"] as? String, equals: "expired")
    }
}
