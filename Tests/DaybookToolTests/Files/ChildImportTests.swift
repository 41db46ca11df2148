import Foundation
import TestSupport
import Testing

/// Files about several children, imported for one of them after the other.
@Suite struct ChildImportTests {
    private static let feeds = """
        id,child_id,start,end,type,method,amount
        11,1,2026-05-04 08:00:00,2026-05-04 08:10:00,formula,bottle,60
        12,2,2026-05-04 09:00:00,2026-05-04 09:10:00,formula,bottle,100
        13,1,2026-05-04 11:00:00,2026-05-04 11:10:00,formula,bottle,70
        14,2,2026-05-04 12:00:00,2026-05-04 12:10:00,formula,bottle,110

        """

    private func imported(
        _ log: ScratchLog, _ file: String, _ baby: String, _ more: String...
    ) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(
            ["import", "--format", "babybuddy", "--baby", baby, "--zone", "UTC", "--log", log.path]
                + more + [file])
    }

    @Test("Each twin gets its own rows, and neither those of the other")
    func twins() throws {
        let log = try ScratchLog()
        let file = try log.file("feeds.csv", Self.feeds)
        let several = try imported(log, file, "ada")
        #expect(several.code == 2 && several.err.contains("'1' (2 rows) and '2' (2 rows)"))
        #expect(!FileManager.default.fileExists(atPath: log.path))
        #expect(try imported(log, file, "ada", "--child", "1").out.contains("2 accepted"))
        let twice = try imported(log, file, "bo", "--child", "1")
        expect(twice.code, equals: 1, "\(twice)")
        #expect(twice.err.contains("the child '1' of the file is the baby 'ada' in the log"))
        #expect(try imported(log, file, "bo", "--child", "2").out.contains("2 accepted"))
        #expect(try imported(log, file, "bo", "--child", "2").out.contains("2 known already"))
        let moved = try imported(log, file, "ada", "--child", "2")
        #expect(moved.code == 1 && moved.err.contains("imported earlier for the baby 'ada'"))
        for (baby, total) in [("ada", "130 ml in 2 feeds"), ("bo", "210 ml in 2 feeds")] {
            let report = try log.replay("report", "daily", "--baby", baby, "--date", "2026-05-04")
            #expect(report.out.contains(total), "\(report.out)")
        }
        let unknown = try imported(log, file, "cy", "--child", "3")
        #expect(unknown.code == 2 && unknown.err.contains("the file is about '1'"))
    }

    @Test(
        "The same id in a file of another household is another child, and of one household is not")
    func households() throws {
        let log = try ScratchLog()
        let file = try log.file("feeds.csv", Self.feeds)
        for (baby, household) in [("ada", "h"), ("bo", "h"), ("cy", "k")] {
            let onboard =
                #"{"command": "household.onboard", "data": {"babyId": ""# + baby
                + #"", "householdId": ""# + household + #"", "zone": "UTC", "by": "ana"}}"# + "\n"
            try expect(log.replay("append", input: onboard).code, equals: 0)
        }
        let arguments = ["--child", "1", "--by", "ana"]
        try expect(imported(log, file, "ada", arguments[0], "1", "--by", "ana").code, equals: 0)
        try expect(imported(log, file, "bo", arguments[0], "1", "--by", "ana").code, equals: 1)
        try expect(imported(log, file, "cy", arguments[0], "1", "--by", "ana").code, equals: 0)
    }

    @Test(
        "A member of a value that no field has is refused with the nearest names, and kept by 'source'"
    )
    func unknownMembers() throws {
        let log = try ScratchLog()
        let profile =
            #"{"command": "household.change-profile", "data": {"babyId": "b", "zone": "UTC"}}"#
        func record(_ value: String, _ rules: String = "standard") -> String {
            #"{"command": "baby-care.record", "data": {"entryId": "e", "babyId": "b", "kind": "#
                + #""formula", "startedUs": 1771578000000000, "value": "# + value
                + #", "rules": ""# + rules + #""}}"# + "\n"
        }
        try expect(log.replay("append", input: profile + "\n").code, equals: 0)
        let misspelt = try log.replay("append", input: record(#"{"amountml": 180}"#))
        #expect(misspelt.code == 1 && misspelt.err.contains("'value.amountml'"))
        #expect(misspelt.err.contains("'amountMl'"), "\(misspelt.err)")
        try expect(log.replay("append", input: record(#"{"colour": "red"}"#)).code, equals: 1)
        // A byte order mark before the first line is no part of it.
        let marked = try log.replay(
            "append", "--each", input: "\u{FEFF}" + record(#"{"colour": "red"}"#, "source"))
        expect(marked.code, equals: 0, "\(marked)")
    }
}
