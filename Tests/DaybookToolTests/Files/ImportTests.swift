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
        #expect(first.counts == ["rows": 1, "accepted": 1, "changed": 0, "duplicates": 0])
        #expect(try sleep(log, "2020-03-07")?["sumS"] as? Int == 64 * 60)
        #expect(try sleep(log, "2020-03-08")?["sumS"] as? Int == 415 * 60)
        #expect(try log.replay("audit", "--rule", "B9").code == 0)
    }

    @Test("A log that was imported today is known as of the days it is about")
    func validTime() throws {
        let log = try ScratchLog()
        let text =
            Self.header + """
                3/7/20 10:00 AM,3/7/20 11:00 AM,60,Sleep,,,,,U
                3/7/20 3:00 PM,,,Bottle,4.5,Milk,,,U

                """
        #expect(try load(log, "babyconnect", text).counts["accepted"] == 2)
        let noon = "2020-03-07T20:00:00Z"
        let day = try #require(
            try log.replay(
                "report", "daily", "--baby", "b", "--date", "2020-03-07", "--json", "--valid-at",
                noon
            ).objects().first)
        #expect((day["sleep"] as? [String: Any])?["sumS"] as? Int == 3_600)
        #expect((day["feed"] as? [String: Any])?["formula"] is NSNull)
        #expect(day["partial"] as? Bool == true)
        let last = try #require(
            try log.replay("report", "last", "--baby", "b", "--json", "--valid-at", noon)
                .objects().first)
        #expect((last["sleep"] as? [String: Any])?["agoMin"] as? Int == 60)
        #expect(try log.replay("state", "profile", "b", "--valid-at", noon).code == 0)
        // Before its first entry nothing is recorded, and the baby is known all the same.
        let before = try log.replay(
            "report", "daily", "--baby", "b", "--date", "2020-03-07", "--valid-at",
            "2020-03-01T00:00:00Z")
        #expect(before.code == 0, "\(before.err)")
        let all = try log.replay(
            "report", "daily", "--all", "--date", "2020-03-07", "--json", "--valid-at", noon)
        #expect(try all.objects().count == 1)
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
        #expect(try log.replay("append", input: lines.joined(separator: "\n")).code == 0)
        let csv = try log.replay("export", "--format", "babyai-csv", "--baby", "b").out
        #expect(csv.contains("estimatedEndConfidence"))
        let other = try ScratchLog()
        #expect(try load(other, "babyai-csv", csv, zone: "UTC").counts["accepted"] == 1)
        #expect(try sleep(other, "2020-03-07")?["estimatedS"] as? Int == 45 * 60)
        #expect(
            try other.replay("export", "--format", "babyai-csv", "--baby", "b").out.contains(
                "estimatedEndConfidence"))
        #expect(try load(other, "babyai-csv", csv, zone: "UTC").counts["duplicates"] == 1)
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
        #expect(try load(log, "babyconnect", text).counts["accepted"] == 4)
        let before = try log.replay("report", "daily", "--baby", "b", "--date", "2020-03-07")
        let again = try load(log, "babyconnect", text)
        #expect(again.counts == ["rows": 4, "accepted": 0, "changed": 0, "duplicates": 4])
        #expect(
            try log.replay("report", "daily", "--baby", "b", "--date", "2020-03-07").out
                == before.out)
        // Three of the same sleep: thrice in the sum, once united.
        #expect(try sleep(log, "2020-03-07")?["sumS"] as? Int == 10_800)
        #expect(try sleep(log, "2020-03-07")?["unionS"] as? Int == 3_600)
    }

    @Test("An overlapping file adds new entries and completes open ones")
    func anOverlappingFileAddsWhatIsNewAndCompletesWhatWasOpen() throws {
        let log = try ScratchLog()
        _ = try load(
            log, "babyconnect",
            Self.header + "3/7/20 8:00 PM,,,Sleep,,,,,U\n3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n")
        #expect(try sleep(log, "2020-03-07")?["sumS"] as? Int == 0)
        #expect(try log.replay("audit", "--rule", "B13").code == 1)
        let next = try load(
            log, "babyconnect",
            Self.header + """
                3/7/20 8:00 PM,3/7/20 9:00 PM,60,Sleep,,,,,U
                3/7/20 3:00 PM,,,Bottle,5,Milk,,,U
                3/7/20 6:00 PM,,,Bottle,1,Milk,,,U

                """)
        #expect(next.counts == ["rows": 3, "accepted": 1, "changed": 2, "duplicates": 0])
        #expect(try sleep(log, "2020-03-07")?["sumS"] as? Int == 3_600)
        let feed = try day(log, "2020-03-07")["feed"] as? [String: Any]
        let formula = try #require(feed?["formula"] as? [String: Any])
        #expect(formula["count"] as? Int == 2)
        #expect(formula["ml"] as? Int == 177)
        #expect(try log.replay("audit", "--rule", "B13").code == 0)
        // The file it completed is known too.
        let third = try load(
            log, "babyconnect", Self.header + "3/7/20 8:00 PM,3/7/20 9:00 PM,60,Sleep,,,,,U\n")
        #expect(third.counts["duplicates"] == 1)
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
        #expect(try places()["formula"]?["line"] as? Int == 2)
        #expect(try places()["sleep"]?["line"] as? Int == 3)
        #expect(try places()["sleep"]?["file"] as? String == first)
        _ = try load(
            log, "babyconnect",
            Self.header + """
                3/7/20 6:00 PM,,,Bottle,1,Milk,,,U
                3/7/20 3:00 PM,,,Bottle,4,Milk,,,U
                3/7/20 8:00 PM,3/7/20 9:00 PM,60,Sleep,,,,,U

                """)
        let second = try #require(try files().last)
        #expect(second != first)
        #expect(try places()["sleep"]?["line"] as? Int == 4)
        #expect(try places()["sleep"]?["file"] as? String == second)
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
        #expect(later.counts["changed"] == 1)
        let diaper = try day(log, "2020-03-07")["diaper"] as? [String: Any]
        #expect(diaper?["pee"] is NSNull)
        #expect(try log.replay("audit", "--rule", "B3", "--rule", "B4").code == 0)
    }

    @Test("Another zone or unit is refused by row")
    func anotherZoneOrUnitIsRefusedByRow() throws {
        let log = try ScratchLog()
        let text = Self.header + "3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n"
        _ = try load(log, "babyconnect", text)
        let other = try load(log, "babyconnect", text, zone: "Asia/Seoul")
        #expect(other.code == 1)
        #expect(other.counts["accepted"] == 0)
        #expect(other.rejected.first?["code"] as? String == "otherZone")
        // The baby's own zone is the one it was made with.
        #expect(try load(log, "babyconnect", text, zone: nil).counts["duplicates"] == 1)
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
        #expect(answer.code == 1)
        #expect(answer.counts == ["rows": 5, "accepted": 1, "changed": 0, "duplicates": 0])
        #expect(answer.rejected.map { $0["row"] as? Int } == [2, 3, 4, 5])
        #expect(
            answer.rejected.map { $0["code"] as? String } == [
                "endBeforeStart", "unreadableTime", "unreadableAmount", "wrongCellCount",
            ])
        #expect(answer.err.contains("in.csv:4: row 3: Date and Time: expected a date and time"))
    }

    @Test("A file of another format writes nothing")
    func aFileOfAnotherFormatWritesNothing() throws {
        let log = try ScratchLog()
        let answer = try load(log, "huckleberry", Self.header + "3/7/20 3:00 PM,,,Bottle,4,,,,U\n")
        #expect(answer.code == 2)
        #expect(answer.err.contains("field 'Type': the header lacks the column"))
        #expect(!FileManager.default.fileExists(atPath: log.path))
        let broken = try load(log, "babyconnect", Self.header + "\"open,,,,,,,,\n")
        #expect(broken.code == 2)
        #expect(broken.err.contains("in.csv:2: a quoted field is never closed"))
        let nowhere = try load(log, "babyconnect", Self.header, zone: "Mars/Olympus")
        #expect(nowhere.code == 2)
        #expect(nowhere.err.contains("'Mars/Olympus'"))
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
        #expect(both.code == 2)
        #expect(both.err.contains("2 children: '7' (2 rows) and '8' (1 row)"), "\(both.err)")
        let answer = try load(log, "babybuddy", text, zone: "UTC", "--child", "7")
        // A diaper that was neither wet nor solid was dry.
        #expect(answer.counts["accepted"] == 2)
        #expect(answer.rejected.isEmpty)
        let diaper = try day(log, "2020-02-17")["diaper"] as? [String: Any]
        #expect(diaper?["pee"] as? Int == 1)
        #expect(diaper?["poo"] as? Int == 1)
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
        #expect(unit.counts["accepted"] == 1)
        let feed = try day(log, "2020-02-17")["feed"] as? [String: Any]
        #expect((feed?["formula"] as? [String: Any])?["ml"] as? Int == 59)
    }

    @Test("Only members import once the baby has a household")
    func onceTheBabyHasAHouseholdItsMembersImport() throws {
        let log = try ScratchLog()
        let onboard =
            #"{"command": "household.onboard", "data": {"babyId": "b", "householdId": "h", "#
            + #""zone": "UTC", "by": "ana"}}"# + "\n"
        #expect(try log.replay("append", input: onboard).code == 0)
        let text = Self.header + "3/7/20 3:00 PM,,,Bottle,4,Milk,,,U\n"
        let nobody = try load(log, "babyconnect", text, zone: nil)
        #expect(nobody.rejected.first?["code"] as? String == "accessDenied")
        #expect(
            try load(log, "babyconnect", text, zone: nil, "--by", "ana").counts["accepted"] == 1)
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
        #expect(try log.replay("append", input: lines.joined(separator: "\n")).code == 0)
        let export = try log.replay("export", "--format", "babyai-csv", "--baby", "b")
        #expect(export.code == 0)
        let rows = export.out.split(separator: "\n").map(String.init)
        #expect(
            rows[0]
                == "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,"
                + "source,created_by,created_at_utc")
        #expect(rows.dropFirst().map { String($0.prefix { $0 != "," }) } == ["f", "w", "p", "s"])
        #expect(rows[1].contains("FORMULA,2026-02-19T07:30:00Z,2026-02-19T07:45:30Z"))
        #expect(rows[2].contains(",MEMO,") && rows[2].contains("WEANING"))
        #expect(rows[2].contains("\"\"note\"\":\"\"pear\"\""), "\(rows[2])")
        #expect(rows[3].contains("CANCELED") && rows[4].contains("OPEN"))
        let copy = try ScratchLog()
        #expect(try load(copy, "babyai-csv", export.out, zone: "UTC").counts["accepted"] == 4)
        #expect(
            try copy.replay("export", "--format", "babyai-csv", "--baby", "b").out == export.out)
        let report = { (log: ScratchLog) in
            try self.day(log, "2026-02-19")["feed"] as? NSDictionary
        }
        #expect(try report(copy) == report(log))
        #expect(try copy.replay("verify").code == 0)
    }
}
