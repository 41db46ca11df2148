import Foundation
import TestSupport
import Testing

extension ScratchLog {
    fileprivate func replay(_ arguments: [String]) throws -> ReplayProcess.Answer {
        try ReplayProcess.run(arguments + ["--log", path])
    }
}

/// Files of other apps, imported, imported again and with the next month in them.
@Suite struct OtherAppsImportTests {
    private static func rows(_ answer: ReplayProcess.Answer) throws -> [Int] {
        let object = try #require(try answer.objects().first, "\(answer)")
        let counts = ["accepted", "changed", "duplicates"].map { object[$0] as? Int ?? -1 }
        return counts + [(object["rejected"] as? [Any])?.count ?? -1]
    }

    private static let naraHeader =
        "Type,Profile Name,Start Date/time (Epoch),Created By Caregiver,Note,Time Zone,"
        + "[Profile] Birth Date,[Profile] Type,[Diaper] Type,[Sleep] End Date/time (Epoch),"
        + "[Pump] Total Volume,[Pump] Total Volume Unit,_profileKey,_activityKey\n"
    private static let naraRows = """
        Profile,Mia,,,,,2026-08-01,CHILD,,,,,p1,
        Diaper,Mia,1790058780000,Ana,hm,Asia/Seoul,,,Dry,,,,p1,a1
        Sleep,Mia,1790062380000,Ana,,Asia/Seoul,,,,,,,p1,a2
        Pump,,1790066000000,Ana,,Asia/Seoul,,,,,90,ML,,a3

        """

    @Test("A Nara file adds its rows once, next month's what is new, and another child's nothing")
    func nara() throws {
        let log = try ScratchLog()
        let first = try log.file("export.csv", Self.naraHeader + Self.naraRows)
        let arguments = [
            "import", "--format", "nara", "--baby", "mia", "--zone", "Asia/Seoul", "--json",
        ]
        let trial = try log.replay(arguments + ["--dry-run", first])
        try expect(Self.rows(trial), equals: [4, 0, 0, 0], "\(trial)")
        try expect(Self.rows(try log.replay(arguments + [first])), equals: [4, 0, 0, 0])
        let events = try log.replay("stat", "--json").objects().first?["events"] as? Int
        try expect(Self.rows(try log.replay(arguments + [first])), equals: [0, 0, 4, 0])
        try expect(log.replay("stat", "--json").objects().first?["events"] as? Int, equals: events)
        // Another column, the end of the sleep, one row more, and a row of another child.
        let next =
            "[Bottle Feed] Type,"
            + Self.naraHeader
            + Self.naraRows.split(separator: "\n").map { ",\($0)\n" }.joined()
            .replacing(
                "1790062380000,Ana,,Asia/Seoul,,,,,",
                with: "1790062380000,Ana,,Asia/Seoul,,,,1790065980000,")
            + ",Diaper,Mia,1790070000000,Ana,,Asia/Seoul,,,Wet,,,,p1,a4\n"
            + ",Diaper,Noa,1790070000000,Ana,,Asia/Seoul,,,Wet,,,,p2,a5\n"
        let later = try log.file("later.csv", next)
        // The zone of the import does not matter to exact times.
        let other = [
            "import", "--format", "nara", "--baby", "mia", "--zone", "UTC", "--json", later,
        ]
        let several = try log.replay(other)
        expect(several.code, equals: 2, "\(several)")
        #expect(several.err.contains("2 children: 'p1' (Mia, 4 rows) and 'p2' (Noa, 1 row)"))
        let answer = try log.replay(other + ["--child", "p1"])
        // A row without a child could be about either.
        try expect(Self.rows(answer), equals: [1, 1, 2, 1], "\(answer)")
        let noa = try log.replay(other + ["--child", "noa"])
        expect(noa.code, equals: 1, "\(noa)")
        #expect(
            noa.err.contains(
                "the file is about the child 'p2', but rows imported earlier for the baby "
                    + "'mia' were about the child 'p1'"),
            "\(noa.err)")
        let profile = try log.replay("state", "profile", "mia", "--json").objects().first
        #expect("\(profile ?? [:])".contains("2026-08-01"))
    }

    @Test("Pumped milk and dry diapers are shown, and count as nothing else")
    func day() throws {
        let log = try ScratchLog()
        let file = try log.file("export.csv", Self.naraHeader + Self.naraRows)
        try expect(
            log.replay(
                "import", "--format", "nara", "--baby", "mia", "--zone", "Asia/Seoul", file
            ).code, equals: 0)
        let asked = ["report", "daily", "--baby", "mia", "--date", "2026-09-22"]
        let report = try #require(try log.replay(asked + ["--json"]).objects().first)
        expect(report["pumpedMl"] as? Int, equals: 90)
        #expect(report["intakeMl"] is NSNull)
        #expect((report["diaper"] as? [String: Any])?["pee"] is NSNull)
        #expect((report["diaper"] as? [String: Any])?["poo"] is NSNull)
        let text = try log.replay(asked).out
        #expect(text.contains("Pumped        90 ml"), "\(text)")
        #expect(text.contains("  dry  "), "\(text)")
        let before = try log.replay(
            "report", "daily", "--baby", "mia", "--date", "2026-09-20", "--json")
        #expect(try before.objects().first?["pumpedMl"] is NSNull)
        // It goes through BabyAI's form and back.
        let csv = try log.replay("export", "--format", "babyai-csv", "--baby", "mia").out
        #expect(csv.contains("DRY_DIAPER"), "\(csv)")
        let copy = try ScratchLog()
        let exported = try copy.file("copy.csv", csv)
        let read = try copy.replay(
            "import", "--format", "babyai-csv", "--baby", "mia", "--zone", "UTC", "--json", exported
        )
        try expect(Self.rows(read), equals: [3, 0, 0, 0], "\(read)")
        #expect(
            try copy.replay("report", "daily", "--baby", "mia", "--date", "2026-09-22").out
                .contains("  dry  "))
    }

    @Test("Baby Tracker's files of one baby come in one after the other, each once")
    func babyTracker() throws {
        let log = try ScratchLog()
        let header = "Baby,Time,Amount (ml),Note\n"
        let rows = "Mia,\"1/13/26, 08:00\",60,hm\nMia,\"1/14/26, 08:00\",70,\n"
        let arguments = [
            "import", "--format", "babytracker", "--baby", "mia", "--zone", "Asia/Seoul", "--json",
        ]
        for name in ["Mia_formula.csv", "Mia_expressed.csv"] {
            let file = try log.file(name, header + rows)
            try expect(Self.rows(try log.replay(arguments + [file])), equals: [2, 0, 0, 0])
            try expect(Self.rows(try log.replay(arguments + [file])), equals: [0, 0, 2, 0])
        }
        let other = try log.file("Noa_formula.csv", header + "Noa,\"1/15/26, 08:00\",60,\n")
        let refused = try log.replay(arguments + [other])
        expect(refused.code, equals: 1)
        #expect(refused.err.contains("is about the child 'Noa'"), "\(refused.err)")
        #expect(!(try log.replay("log", "--json").out.contains("Mia")), "a name is no id")
        let guessed = try log.file(
            "sleep.csv", "Baby,Time,Duration(minutes),Note\nMia,1/2/26 08:00,9\n")
        let remarked = try log.replay(arguments + [guessed])
        try expect(Self.rows(remarked), equals: [1, 0, 0, 0])
        #expect(remarked.err.contains("--date-order dmy"), "\(remarked.err)")
        // The same dates in the other order are no new sleep.
        let again = try log.replay(arguments + ["--date-order", "dmy", guessed])
        try expect(Self.rows(again), equals: [0, 0, 0, 1], "\(again)")
    }

    @Test("A Baby Buddy file without child_id is of the baby that the import names")
    func babyBuddy() throws {
        let log = try ScratchLog()
        let arguments = [
            "import", "--format", "babybuddy", "--baby", "mia", "--zone", "UTC", "--json",
        ]
        let plain = try log.file(
            "diapers.csv", "id,time,wet,solid,color,amount,notes\n1,2020-02-17 03:54:09,0,0,,,hm\n")
        try expect(Self.rows(try log.replay(arguments + [plain])), equals: [1, 0, 0, 0])
        let named = try log.file(
            "named.csv",
            "child_first_name,time,wet,solid,color\nMia,2020-02-18 03:54:09,1,0,\n"
                + "Noa,2020-02-18 03:54:09,1,0,\n")
        try expect(log.replay(arguments + [named]).code, equals: 2)
        let mia = try log.replay(arguments + ["--child", "mia", named])
        try expect(Self.rows(mia), equals: [1, 0, 0, 0])
        let ids = try log.file(
            "ids.csv",
            "child_id,time,wet,solid,color\n1,2020-02-19 03:54:09,1,0,\n2,2020-02-19 03:54:09,1,0,\n"
        )
        try expect(log.replay(arguments + [ids]).code, equals: 2)
        let first = try log.replay(arguments + ["--child", "1", ids])
        try expect(Self.rows(first), equals: [1, 0, 0, 0])
    }

    @Test("A whole Huckleberry file comes in although its notes have quotes")
    func huckleberry() throws {
        let log = try ScratchLog()
        let text =
            "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes\n"
            + #"Sleep,2024-01-01 10:00,2024-01-01 11:00,01:00,,,,"said \"no\", twice\nthen slept""#
            + "\nSleep,2024-01-02 10:00,2024-01-02 11:00,01:00,,,,\n"
        let file = try log.file("data.csv", text)
        let answer = try log.replay(
            "import", "--format", "huckleberry", "--baby", "mia", "--zone", "UTC", "--json", file)
        try expect(Self.rows(answer), equals: [2, 0, 0, 0], "\(answer)")
        let broken = try log.file("broken.csv", "Type,Start,End\nnap,\"1\"2,\nnap,\"1\"2,\n")
        let refused = try log.replay(
            "import", "--format", "huckleberry", "--baby", "mia", "--zone", "UTC", broken)
        expect(refused.code, equals: 2)
        #expect(refused.err.contains("1 more row has the same fault; nothing was imported"))
    }

    @Test("An exported table runs nothing in a spreadsheet, and reads back")
    func formulas() throws {
        let log = try ScratchLog()
        let lines = ["=1+1", "@x", "'=1", "plain"].enumerated().map { index, id in
            """
            {"command": "baby-care.record", "data": {"entryId": "\(id)", "babyId": "b", "kind": \
            "formula", "startedUs": \(1_771_578_000_000_000 + index), "value": {"ml": 60}}}

            """
        }
        let profile =
            #"{"command": "household.change-profile", "data": {"babyId": "b", "zone": "UTC"}}"#
            + "\n"
        let appended = try log.replay("append", "--each", input: profile + lines.joined())
        expect(appended.code, equals: 0, "\(appended)")
        let csv = try log.replay("export", "--format", "babyai-csv", "--baby", "b").out
        #expect(
            csv.contains("\n'=1+1,b,") && csv.contains("\n''=1,b,") && csv.contains("\nplain,b,"))
        let raw = try log.replay("export", "--format", "babyai-csv", "--baby", "b", "--raw").out
        #expect(raw.contains("\n=1+1,b,") && raw.contains("\n'=1,b,"), "\(raw)")
        let file = try log.file("export.csv", csv)
        let arguments = ["import", "--format", "babyai-csv", "--baby", "b", "--json"]
        let back = try log.replay(arguments + [file])
        let object = try #require(try back.objects().first)
        #expect(object["accepted"] as? Int == 0 && object["changed"] as? Int == 0, "\(back)")
        let report = [
            "report", "daily", "--baby", "b", "--date", "2026-02-20", "--format",
        ]
        let table = try log.replay(report + ["csv"]).out
        expect(table.split(separator: "\n").count, equals: 2)
        try expect(log.replay(report + ["csv", "--raw"]).code, equals: 0)
        try expect(log.replay(report + ["text", "--raw"]).code, equals: 2)
    }
}
