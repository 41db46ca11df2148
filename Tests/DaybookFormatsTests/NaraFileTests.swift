import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// Rows of Nara's exports, written by hand after the columns that public readers of them have.
@Suite struct NaraFileTests {
    /// A file of one activity: columns of its type are given by their short names.
    static func file(_ type: String, _ cells: [String: String]) -> String {
        var row = ["Type": type, "Start Date/time (Epoch)": "1790058780000", "_activityKey": "k1"]
        let common: Set = ["Note", "Time Zone", "Start Date/time (Epoch)", "Start Date/time"]
        for (name, text) in cells {
            row[common.contains(name) ? name : "[\(type)] \(name)"] = text
        }
        var writer = CSVWriter(isRaw: true)
        let columns = row.keys.sorted()
        writer.writeRecord(columns)
        writer.writeRecord(columns.map { row[$0] ?? "" })
        return writer.text
    }

    @Test(
        "Every type of Nara becomes entries, or is rejected by reason",
        arguments: [
            (
                "Breastfeed",
                [
                    "Begin Side": "LEFT", "End Side": "RIGHT.nonTimer",
                    "Left Duration (Seconds)": "600", "Right Duration (Seconds)": "300",
                ],
                "breastfeed durationS=900 side=both beginSide:left endSide:right leftS:600 rightS:300"
            ), ("Breastfeed", ["Begin Side": "RIGHT.nonTimer"], "breastfeed side=right"),
            (
                "Bottle Feed",
                [
                    "Type": "Formula", "Formula Volume": "3.5", "Formula Volume Unit": "FLOZ",
                    "Formula Name": "Brand",
                ], "formula amountUl=103507 contents=Formula method=bottle formulaName:Brand"
            ),
            (
                "Bottle Feed",
                [
                    "Type": "Breast Milk Formula", "Breast Milk Volume": "60",
                    "Breast Milk Volume Unit": "ML", "Formula Volume": "30",
                    "Formula Volume Unit": "ML", "Volume": "90", "Volume Unit": "ML",
                ],
                "formula amountUl=90000 contents=Breast Milk Formula method=bottle breastMilkMl:60"
                    + " formulaMl:30"
            ),
            (
                "Bottle Feed", ["Volume": "3", "Volume Unit": "CUP"],
                "unknownUnit [Bottle Feed] Volume Unit"
            ),
            (
                "Combo Feed",
                [
                    "Left Duration (Seconds)": "300", "Type": "Formula", "Volume": "50",
                    "Volume Unit": "ML", "Note": "hm",
                ],
                "breastfeed durationS=300 side=left 'hm' | formula amountUl=50000 contents=Formula"
                    + " method=bottle"
            ),
            (
                "Sleep",
                ["End Date/time (Epoch)": "1790062380000", "Duration (Seconds)": "3600"],
                "sleep 3600 s"
            ), ("Sleep", ["Duration (Seconds)": "1200"], "sleep 1200 s"),
            ("Sleep", [:], "sleep open"),
            (
                "Sleep", ["End Date/time (Epoch)": "1790058770000"],
                "endBeforeStart [Sleep] End Date/time (Epoch)"
            ),
            (
                "Diaper",
                [
                    "Type": "Dirty Wet", "Dirty Color": "Yellow", "Dirty Texture": "Seedy",
                    "Detail": "Blowout",
                ], "pee count=1 detail:Blowout | poo count=1 color:Yellow texture:Seedy"
            ), ("Diaper", ["Type": "Wet"], "pee count=1"),
            ("Diaper", ["Type": "Dry", "Note": "hm"], "dry count=1 'hm'"),
            ("Diaper", [:], "unknownDiaper [Diaper] Type"),
            (
                "Pump",
                [
                    "Left Volume": "2", "Left Volume Unit": "FLOZ", "Right Volume": "40",
                    "Right Volume Unit": "ML", "Duration (Seconds)": "900",
                ], "memo amountUl=99147 durationS=900 activity:pumping leftMl:59.147 rightMl:40"
            ),
            (
                "Pump", ["Total Volume": "80", "Total Volume Unit": "ML"],
                "memo amountUl=80000 activity:pumping"
            ),
            (
                "Growth",
                [
                    "Weight": "11", "Weight Unit": "LB", "Height": "65.5", "Height Unit": "CM",
                    "Head Size": "16", "Head Size Unit": "IN",
                ], "growth massMg=4989516 lengthUm=655000 headUm=406400"
            ), ("Growth", [:], "unreadableAmount [Growth] Weight"),
            (
                "Solid Feed", ["Food": "mango", "Meal": "LUNCH"],
                "weaning contents=mango meal:LUNCH"
            ),
            (
                "Medical",
                [
                    "Medication": "Calpol, 2.5 (ML)", "Temperature": "100.4",
                    "Temperature Unit": "F",
                ],
                "medication name=Calpol, 2.5 (ML) | symptom milliC=38000"
            ),
            (
                "Medical", ["Appointment": "at ten"],
                "memo activity:Medical '[Medical] Appointment: at ten'"
            ), ("Vaccine", ["Vaccine": "MMR"], "medication type=vaccine name=MMR"),
            ("Routine", ["Routine": "Bath"], "memo activity:Bath"),
            ("Routine", ["Routine": "Vitamin/Probiotic"], "medication name=Vitamin/Probiotic"),
            (
                "Milestone", ["Milestone": "Rolled over", "Note": "at home"],
                "memo activity:Milestone 'at home\n[Milestone] Milestone: Rolled over'"
            ), ("Story", ["Note": "hello"], "memo activity:Story 'hello'"),
            (
                "Note", ["Start Date/time (Epoch)": "soon"],
                "unreadableTime Start Date/time (Epoch)"
            ), ("", [:], "unknownActivity Type"),
        ] as [(String, [String: String], String)])
    func types(_ type: String, _ cells: [String: String], _ expected: String) throws {
        let rows = try CareFile.read(
            Array(Self.file(type, cells).utf8), as: .nara, zone: .utc, rules: .standard)
        #expect(line(of: rows[0]) == expected)
    }

    @Test("Times are exact in any zone, and seconds are taken for seconds")
    func times() throws {
        for (text, zone) in [
            ("1790058780000", "UTC"), ("1790058780", "Asia/Seoul"), ("1790058780000", "Asia/Seoul"),
        ] {
            let file = Self.file(
                "Note", ["Time Zone": "America/New_York", "Start Date/time (Epoch)": text])
            let rows = try CareFile.read(
                Array(file.utf8), as: .nara, zone: try Zones.zone(zone), rules: .standard)
            let entry = try rows[0].result.get().entries[0]
            #expect(Timestamp.text(entry.started) == "2026-09-22T06:33:00Z")
            #expect(entry.meta["timeZone"] == "America/New_York")
        }
    }

    @Test("A row is known by the cells that have a content, whatever columns the export has")
    func columns() throws {
        let short = "Type,Start Date/time (Epoch),_activityKey\nNote,1790058780000,k\n"
        let long =
            "_activityKey,[Sleep] Location,Type,Start Date/time (Epoch)\nk,,Note,1790058780000\n"
        let cells = try [short, long].map { text in
            try CareFile.read(Array(text.utf8), as: .nara, zone: .utc, rules: .standard)[0]
                .result.get().cells
        }
        #expect(cells[0] == cells[1])
    }
}
