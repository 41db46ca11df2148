import Foundation
import TestSupport
import Testing

/// `replay import` and `replay export`, as people use them.
@Suite struct ImportTests {
    private static let header =
        "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver\n"

    private func load(
        _ log: ScratchLog, _ format: String, _ text: String, zone: String? = "America/Los_Angeles",
        _ more: String...
    ) throws -> (code: Int32, counts: [String: Int], rejected: [[String: Any]], err: String) {
        let file = try log.file("in.csv", text)
        let zoned = zone.map { ["--zone", $0] } ?? []
        let answer = try ReplayProcess.run(
            ["import", "--format", format, "--baby", "b", "--json", "--log", log.path] + zoned
                + more
                + [file])
        let object = try answer.objects().first ?? [:]
        return (
            answer.code, object.compactMapValues { $0 as? Int },
            object["rejected"] as? [[String: Any]] ?? [], answer.err
        )
    }

    private func day(_ log: ScratchLog, _ date: String) throws -> [String: Any] {
        try #require(
            try log.replay("report", "daily", "--baby", "b", "--date", date, "--json").objects()
                .first)
    }

    private func sleep(_ log: ScratchLog, _ date: String) throws -> [String: Any]? {
        try day(log, date)["sleep"] as? [String: Any]
    }

    @Test("A night in which the clocks go forward has 479 minutes")
    func aNightWhenTheClocksGoForwardIs479Minutes() throws {
        let log = try ScratchLog()
        let text = Self.header + "3/7/20 10:56 PM,3/8/20 7:55 AM,479,Sleep,,,,,U\n"
        let first = try load(log, "babyconnect", text)
        expect(first.counts, equals: ["rows": 1, "accepted": 1, "changed": 0, "duplicates": 0])
        try expect(sleep(log, "2020-03-07")?["sumS"] as? Int, equals: 64 * 60)
        try expect(sleep(log, "2020-03-08")?["sumS"] as? Int, equals: 415 * 60)
        try log.replay("audit", "--rule", "B9").ends(0)
    }

    @Test("A log that was imported today is known as of the days it is about")
    func validTime() throws {
        let log = try ScratchLog()
        let text =
            Self.header + """
                3/7/20 10:00 AM,3/7/20 11:00 AM,60,Sleep,,,,,U
                3/7/20 3:00 PM,,,Bottle,4.5,Milk,,,U

                """
        try expect(load(log, "babyconnect", text).counts["accepted"], equals: 2)
        let noon = "2020-03-07T20:00:00Z"
        let day = try #require(
            try log.replay(
                "report", "daily", "--baby", "b", "--date", "2020-03-07", "--json", "--valid-at",
                noon
            ).objects().first)
        #expect((day["sleep"] as? [String: Any])?["sumS"] as? Int == 3_600)
        #expect((day["feed"] as? [String: Any])?["formula"] is NSNull)
        expect(day["partial"] as? Bool, equals: true)
        let last = try #require(
            try log.replay("report", "last", "--baby", "b", "--json", "--valid-at", noon)
                .objects().first)
        #expect((last["sleep"] as? [String: Any])?["agoMin"] as? Int == 60)
        try log.replay("state", "profile", "b", "--valid-at", noon).ends(0)
        // Before its first entry nothing is recorded, and the baby is known all the same.
        let before = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2020-03-07", "--valid-at",
            "2020-03-01T00:00:00Z")
        before.ends(0)
        let all = try log.replay(
            "report", "daily", "--all", "--date", "2020-03-07", "--json", "--valid-at", noon)
        try expect(all.objects().count, equals: 1)
    }

    @Test("An estimated end is one still after an export and an import")
    func estimatedEnds() throws {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.change-profile", "data": {"babyId": "b", "zone": "UTC"}}"#,
            #"{"command": "baby-care.start", "data": {"entryId": "s", "babyId": "b", "kind": "#
                + #""sleep", "startedUs": "2020-03-07T10:00:00Z"}}"#,
            #"{"command": "baby-care.estimate-end", "data": {"entryId": "s", "nextStartUs": "#
                + #""2020-03-07T18:00:00Z"}}"#,
        ]
        try log.replay("append", input: lines.joined(separator: "\n")).ends(0)
        let csv = try log.replay("export", "--format", "babyai-csv", "--baby", "b").out
        #expect(csv.contains("estimatedEndConfidence"))
        let other = try ScratchLog()
        try expect(load(other, "babyai-csv", csv, zone: "UTC").counts["accepted"], equals: 1)
        try expect(sleep(other, "2020-03-07")?["estimatedS"] as? Int, equals: 45 * 60)
        #expect(
            try other.replay("export", "--format", "babyai-csv", "--baby", "b").out.contains(
                "estimatedEndConfidence"))
        try expect(load(other, "babyai-csv", csv, zone: "UTC").counts["duplicates"], equals: 1)
    }

    @Test("Importing a file again adds nothing and changes no byte of a report")
    func importingAgainAddsNothingAndChangesNoByteOfAReport() throws {
        let log = try ScratchLog()
        let text =
            Self.header + """
                3/7/20 1:00 PM,3/7/20 2:00 PM,60,Sleep,,,,,U
                3/7/20 1:00 PM,3/7/20 2:00 PM,60,Sleep,,,,,U
                3/7/20 1:00 PM,3/7/20 2:00 PM,60,Sleep,,,,,A
                3/7/20 3:00 PM,,,Bottle,4.5,Milk,,,U

                """
        try expect(load(log, "babyconnect", text).counts["accepted"], equals: 4)
        let before = try log.replay("report", "daily", "--baby", "b", "--date", "2020-03-07")
        let again = try load(log, "babyconnect", text)
        expect(again.counts, equals: ["rows": 4, "accepted": 0, "changed": 0, "duplicates": 4])
        try expect(
            log.replay("report", "daily", "--baby", "b", "--date", "2020-03-07").out,
            equals: before.out)
        // Three of the same sleep: thrice in the sum, once united.
        try expect(sleep(log, "2020-03-07")?["sumS"] as? Int, equals: 10_800)
        try expect(sleep(log, "2020-03-07")?["unionS"] as? Int, equals: 3_600)
    }

    @Test("An overlapping file adds new entries and completes open ones")
    func anOverlappingFileAddsWhatIsNewAndCompletesWhatWasOpen() throws {
        let log = try ScratchLog()
        _ = try load(
            log, "babyconnect",
            Self.header + "3/7/20 8:00 PM,,,Sleep,,,,,U\n3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n")
        try expect(sleep(log, "2020-03-07")?["sumS"] as? Int, equals: 0)
        try log.replay("audit", "--rule", "B13").ends(1)
        let next = try load(
            log, "babyconnect",
            Self.header + """
                3/7/20 8:00 PM,3/7/20 9:00 PM,60,Sleep,,,,,U
                3/7/20 3:00 PM,,,Bottle,5,Milk,,,U
                3/7/20 6:00 PM,,,Bottle,1,Milk,,,U

                """)
        expect(next.counts, equals: ["rows": 3, "accepted": 1, "changed": 2, "duplicates": 0])
        try expect(sleep(log, "2020-03-07")?["sumS"] as? Int, equals: 3_600)
        let feed = try day(log, "2020-03-07")["feed"] as? [String: Any]
        let formula = try #require(feed?["formula"] as? [String: Any])
        expect(formula["count"] as? Int, equals: 2)
        expect(formula["ml"] as? Int, equals: 177)
        try log.replay("audit", "--rule", "B13").ends(0)
        // The file it completed is known too.
        let third = try load(
            log, "babyconnect", Self.header + "3/7/20 8:00 PM,3/7/20 9:00 PM,60,Sleep,,,,,U\n")
        expect(third.counts["duplicates"], equals: 1)
    }

    @Test("An entry names the line that told of it last, and the import of its file")
    func fileAndLine() throws {
        let log = try ScratchLog()
        _ = try load(
            log, "babyconnect",
            Self.header + "3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n3/7/20 8:00 PM,,,Sleep,,,,,U\n")
        func places() throws -> [String: [String: Any]] {
            var places: [String: [String: Any]] = [:]
            for entry in try log.replay("state", "entry", "--json").objects() {
                let state = entry["state"] as? [String: Any]
                guard let kind = state?["kind"] as? String else { continue }
                places[kind] = state?["fileLine"] as? [String: Any]
            }
            return places
        }
        func files() throws -> [String] {
            try log.replay("log", "--kind", "baby-care.data-imported.v1", "--json").objects()
                .compactMap { ($0["payload"] as? [String: Any])?["sha256"] as? String }
        }
        let first = try #require(try files().last)
        try expect(places()["formula"]?["line"] as? Int, equals: 2)
        try expect(places()["sleep"]?["line"] as? Int, equals: 3)
        try expect(places()["sleep"]?["file"] as? String, equals: first)
        _ = try load(
            log, "babyconnect",
            Self.header + """
                3/7/20 6:00 PM,,,Bottle,1,Milk,,,U
                3/7/20 3:00 PM,,,Bottle,4,Milk,,,U
                3/7/20 8:00 PM,3/7/20 9:00 PM,60,Sleep,,,,,U

                """)
        let second = try #require(try files().last)
        #expect(second != first)
        try expect(places()["sleep"]?["line"] as? Int, equals: 4)
        try expect(places()["sleep"]?["file"] as? String, equals: second)
    }

    @Test("A later export cancels entries deleted since")
    func aLaterExportCancelsWhatWasDeletedSince() throws {
        let log = try ScratchLog()
        let header =
            "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,source,"
            + "created_by,created_at_utc\n"
        let row = "e1,x,PEE,2020-03-07T21:00:00Z,,{},"
        _ = try load(log, "babyai-csv", header + row + "{},MANUAL,u,2020-03-07T21:00:00Z\n")
        let later = try load(
            log, "babyai-csv",
            header + row + "\"{\"\"state\"\":\"\"CANCELED\"\"}\",MANUAL,u,2020-03-07T21:00:00Z\n")
        expect(later.counts["changed"], equals: 1)
        let diaper = try day(log, "2020-03-07")["diaper"] as? [String: Any]
        #expect(diaper?["pee"] is NSNull)
        try log.replay("audit", "--rule", "B3", "--rule", "B4").ends(0)
    }

    @Test("Another zone or unit is refused by row")
    func anotherZoneOrUnitIsRefusedByRow() throws {
        let log = try ScratchLog()
        let text = Self.header + "3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n"
        _ = try load(log, "babyconnect", text)
        let other = try load(log, "babyconnect", text, zone: "Asia/Seoul")
        expect(other.code, equals: 1)
        expect(other.counts["accepted"], equals: 0)
        expect(other.rejected.first?["code"] as? String, equals: "otherZone")
        // The baby's own zone is the one it was made with.
        try expect(load(log, "babyconnect", text, zone: nil).counts["duplicates"], equals: 1)
    }

    @Test("A rejected row is named and the rest is kept")
    func aRejectedRowIsNamedAndTheRestIsKept() throws {
        let log = try ScratchLog()
        let answer = try load(
            log, "babyconnect",
            Self.header + """
                3/7/20 1:00 PM,3/7/20 2:00 PM,60,Sleep,,,,,U
                3/7/20 2:30 PM,3/7/20 2:00 PM,60,Sleep,,,,,U
                13/7/20 2:30 PM,,,Bottle,4,Milk,,,U
                3/7/20 3:00 PM,,,Bottle,many,Milk,,,U
                3/7/20 3:00 PM,,,Bottle

                """)
        expect(answer.code, equals: 1)
        expect(answer.counts, equals: ["rows": 5, "accepted": 1, "changed": 0, "duplicates": 0])
        expect(answer.rejected.map { $0["row"] as? Int }, equals: [2, 3, 4, 5])
        expect(
            answer.rejected.map { $0["code"] as? String },
            equals: [
                "endBeforeStart", "unreadableTime", "unreadableAmount", "wrongCellCount",
            ])
        #expect(
            answer.err.contains("in.csv:4: row 3: Date and Time: expected a date and time"),
            "\(answer.err)")
    }

    @Test("A file of another format writes nothing")
    func aFileOfAnotherFormatWritesNothing() throws {
        let log = try ScratchLog()
        let answer = try load(log, "huckleberry", Self.header + "3/7/20 3:00 PM,,,Bottle,4,,,,U\n")
        expect(answer.code, equals: 2)
        #expect(answer.err.contains("field 'Type': the header lacks the column"), "\(answer.err)")
        #expect(!FileManager.default.fileExists(atPath: log.path))
        let broken = try load(log, "babyconnect", Self.header + "\"open,,,,,,,,\n")
        expect(broken.code, equals: 2)
        #expect(broken.err.contains("in.csv:2: a quoted field is never closed"), "\(broken.err)")
        let nowhere = try load(log, "babyconnect", Self.header, zone: "Mars/Olympus")
        expect(nowhere.code, equals: 2)
        #expect(nowhere.err.contains("'Mars/Olympus'"), "\(nowhere.err)")
    }

    @Test("One child of a file can be imported as the baby")
    func oneChildOfAFileIsTheBaby() throws {
        let log = try ScratchLog()
        let text = """
            child_id,time,wet,solid,color,amount
            7,2020-02-17 03:54:09,1,1,,
            8,2020-02-17 04:54:09,1,0,,
            7,2020-02-17 05:54:09,0,0,,

            """
        let both = try load(log, "babybuddy", text, zone: "UTC")
        expect(both.code, equals: 2)
        #expect(both.err.contains("2 children: '7' (2 rows) and '8' (1 row)"), "\(both.err)")
        let answer = try load(log, "babybuddy", text, zone: "UTC", "--child", "7")
        // A diaper that was neither wet nor solid was dry.
        expect(answer.counts["accepted"], equals: 2)
        #expect(answer.rejected.isEmpty)
        let diaper = try day(log, "2020-02-17")["diaper"] as? [String: Any]
        expect(diaper?["pee"] as? Int, equals: 1)
        expect(diaper?["poo"] as? Int, equals: 1)
        // Both entries of the row are one commit.
        let events = try log.replay("log", "--json").objects()
        let commits = events.filter {
            ($0["kind"] as? String)?.hasPrefix("baby-care.entry") == true
        }
        .map { $0["commit"] as? Int }
        #expect(commits.count == 3 && commits[0] == commits[1] && commits[2] != commits[1])
        let unit = try load(
            log, "babybuddy",
            "child_id,start,end,type,method,amount,notes\n"
                + "7,2020-02-17 10:00:00,2020-02-17 10:10:00,formula,bottle,2,\n", zone: "UTC",
            "--amount-unit", "oz")
        expect(unit.counts["accepted"], equals: 1)
        let feed = try day(log, "2020-02-17")["feed"] as? [String: Any]
        #expect((feed?["formula"] as? [String: Any])?["ml"] as? Int == 59)
    }

    @Test("Only members import once the baby has a household")
    func onceTheBabyHasAHouseholdItsMembersImport() throws {
        let log = try ScratchLog()
        let onboard =
            #"{"command": "household.onboard", "data": {"babyId": "b", "householdId": "h", "#
            + #""zone": "UTC", "by": "ana"}}"# + "\n"
        try log.replay("append", input: onboard).ends(0)
        let text = Self.header + "3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n"
        let nobody = try load(log, "babyconnect", text, zone: nil)
        expect(nobody.rejected.first?["code"] as? String, equals: "accessDenied")
        try expect(
            load(log, "babyconnect", text, zone: nil, "--by", "ana").counts["accepted"], equals: 1)
    }

    @Test("An export reads back as the same entries")
    func anExportReadsBackAsTheSameEntries() throws {
        let log = try ScratchLog()
        let lines = [
            #"{"command": "household.change-profile", "data": {"babyId": "b", "zone": "UTC"}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T08:00:00Z", "data": {"entryId": "#
                + #""f", "babyId": "b", "kind": "FORMULA", "startedUs": "2026-02-19T07:30:00Z", "#
                + #""endedUs": "2026-02-19T07:45:30Z", "value": {"oz": 4.5, "memo": "half, \"hot\""}}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T09:00:00Z", "data": {"entryId": "#
                + #""w", "babyId": "b", "kind": "MEMO", "startedUs": "2026-02-19T09:00:00Z", "#
                + #""value": {"category": "WEANING", "grams": 30, "weaning_type": "fruit", "note": "pear"}}}"#,
            #"{"command": "baby-care.start", "at": "2026-02-19T20:00:00Z", "data": {"entryId": "#
                + #""s", "babyId": "b", "kind": "SLEEP"}}"#,
            #"{"command": "baby-care.record", "at": "2026-02-19T10:00:00Z", "data": {"entryId": "#
                + #""p", "babyId": "b", "kind": "PEE", "startedUs": "2026-02-19T10:00:00Z"}}"#,
            #"{"command": "baby-care.cancel", "at": "2026-02-19T10:01:00Z", "data": {"entryId": "p"}}"#,
        ]
        try log.replay("append", input: lines.joined(separator: "\n")).ends(0)
        let export = try log.replay("export", "--format", "babyai-csv", "--baby", "b")
        export.ends(0)
        let rows = export.out.split(separator: "\n").map(String.init)
        expect(
            rows[0],
            equals: "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,"
                + "source,created_by,created_at_utc")
        expect(
            rows.dropFirst().map { String($0.prefix { $0 != "," }) }, equals: ["f", "w", "p", "s"])
        #expect(rows[1].contains("FORMULA,2026-02-19T07:30:00Z,2026-02-19T07:45:30Z"))
        #expect(rows[2].contains(",MEMO,") && rows[2].contains("WEANING"))
        #expect(rows[2].contains("\"\"note\"\":\"\"pear\"\""), "\(rows[2])")
        #expect(rows[3].contains("CANCELED") && rows[4].contains("OPEN"))
        let copy = try ScratchLog()
        try expect(load(copy, "babyai-csv", export.out, zone: "UTC").counts["accepted"], equals: 4)
        try expect(
            copy.replay("export", "--format", "babyai-csv", "--baby", "b").out, equals: export.out)
        let report = { (log: ScratchLog) in
            try self.day(log, "2026-02-19")["feed"] as? NSDictionary
        }
        try expect(report(copy), equals: report(log))
        try copy.replay("verify").ends(0)
    }
}
