import Foundation
import TestSupport
import Testing

/// Tables for spreadsheets, which every report and listing has.
@Suite struct TableFormTests {
    private static func log() throws -> ScratchLog {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.change-profile", "at": "2026-02-18T00:00:00Z", "data": "#
                + #"{"babyId": "b", "zone": "Asia/Seoul"}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T01:00:00Z", "data": {"entryId": "#
                + #""=p,1", "babyId": "b", "kind": "poo", "startedUs": "2026-02-19T01:00:00Z"}}"#,
        ]
        let answer = try log.replay("append", "--each", input: lines.joined(separator: "\n"))
        #expect(answer.code == 0, "\(answer.err)")
        return log
    }

    private static let header = "noun,id,events,firstAt,lastAt"

    @Test("A list has a row for each entity, whose id no spreadsheet runs as a formula")
    func list() throws {
        let log = try Self.log()
        let times = "1,2026-02-19T01:00:00Z,2026-02-19T01:00:00Z"
        #expect(
            try log.replay("list", "entries", "--format", "csv").out
                == "\(Self.header)\nentry,\"'=p,1\",\(times)\n")
        #expect(
            try log.replay("list", "entries", "--format", "csv", "--raw").out
                == "\(Self.header)\nentry,\"=p,1\",\(times)\n")
    }

    @Test("A list of nouns has a row for each noun")
    func nouns() throws {
        let lines = try Self.log().replay("list", "--format", "csv").out.split(separator: "\n")
        #expect(lines.first == "noun,entities,events,firstAt,lastAt")
        #expect(lines.contains("entry,1,1,2026-02-19T01:00:00Z,2026-02-19T01:00:00Z"))
    }

    @Test("A list without entities has only the header")
    func empty() throws {
        let answer = try Self.log().replay(
            "list", "entries", "--format", "csv", "--at", "2026-02-01T00:00:00Z")
        #expect(answer.code == 0)
        #expect(answer.out == Self.header + "\n")
    }

    @Test("A report without a table of its own has a row for each value")
    func report() throws {
        let answer = try Self.log().replay(
            "report", "last", "poo", "--baby", "b", "--now", "2026-02-19T02:00:00Z", "--format",
            "csv")
        #expect(answer.code == 0, "\(answer.err)")
        let lines = answer.out.split(separator: "\n")
        #expect(lines.first == "period,field,value")
        #expect(lines.contains { $0.hasSuffix(",\"'=p,1\"") }, "\(answer.out)")
        #expect(lines.contains { $0.hasSuffix(",2026-02-19T01:00:00Z") }, "\(answer.out)")
        #expect(!answer.out.contains("null"))
    }

    @Test(
        "Forms that exclude each other are refused",
        arguments: [
            (["list", "--json", "--format", "csv"], "Give only one of --json and --format csv."),
            (["list", "--raw"], "--raw requires --format csv."),
        ])
    func refused(_ arguments: [String], _ message: String) throws {
        let answer = try ReplayProcess.run(arguments)
        #expect(answer.code == 2)
        #expect(answer.err.contains(message))
    }
}
