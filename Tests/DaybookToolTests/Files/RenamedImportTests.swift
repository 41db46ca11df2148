import Foundation
import TestSupport
import Testing

// Holds: s4-imported-rows
/// Files of a baby that got another id between two imports.
@Suite struct RenamedImportTests {
    private static let header =
        "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver\n"

    private static func rows(_ count: Int, end: String = "2020-03-01 02:00:00") -> String {
        header
            + (1...count).map { hour in
                hour == 1
                    ? "2020-03-01 01:00:00,\(end),60,Sleep,,,slept,,Mom\n"
                    : "2020-03-01 0\(hour):00:00,,,Bottle,\(hour)0 ml,Formula,drank,,Mom\n"
            }.joined()
    }

    private func log(_ file: String) throws -> ScratchLog {
        let log = try ScratchLog()
        #expect(try imported(file, "offline_b", log).contains("3 accepted"))
        let rename =
            #"{"command": "household.replace-id", "data": {"kind": "baby", "localId": "offline_b", "remoteId": "b"}}"#
        #expect(try log.replay("append", input: rename).code == 0)
        return log
    }

    private func imported(_ file: String, _ baby: String, _ log: ScratchLog) throws -> String {
        let answer = try log.replay(
            "import", "--format", "babyconnect", "--baby", baby, "--zone", "America/Los_Angeles",
            file)
        #expect(answer.code == 0, "\(answer.err)")
        return answer.out
    }

    @Test("A file is known under each id of its baby, whichever it came under")
    func known() throws {
        let scratch = try ScratchLog()
        let file = try scratch.file("rows.csv", Self.rows(3))
        let log = try log(file)
        for baby in ["b", "offline_b"] {
            #expect(try imported(file, baby, log).contains("0 accepted, 0 changed, 3 known"))
        }
        let longer = try scratch.file("longer.csv", Self.rows(5))
        #expect(try imported(longer, "b", log).contains("2 accepted, 0 changed, 3 known"))
        #expect(try imported(longer, "offline_b", log).contains("0 accepted, 0 changed, 5 known"))
        let report = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2020-03-01", "--json"
        ).objects().first
        let sleep = try #require(report?["sleep"] as? [String: Any])
        #expect(sleep["count"] as? Int == 1 && sleep["sumS"] as? Int == 3_600)
    }

    @Test("A row that another file changes is changed under the new id, and not added")
    func changed() throws {
        let scratch = try ScratchLog()
        let file = try scratch.file("rows.csv", Self.rows(3))
        let log = try log(file)
        let later = try scratch.file("later.csv", Self.rows(3, end: "2020-03-01 02:30:00"))
        #expect(try imported(later, "b", log).contains("0 accepted, 1 changed, 2 known"))
        let report = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2020-03-01", "--json"
        ).objects().first
        let sleep = try #require(report?["sleep"] as? [String: Any])
        #expect(sleep["count"] as? Int == 1 && sleep["sumS"] as? Int == 5_400)
    }
}
