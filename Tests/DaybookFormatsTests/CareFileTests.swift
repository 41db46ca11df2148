import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

// Holds: s4-export-read-back, s4-fraction-of-a-second
/// Entries read from the rows of other apps' files.
@Suite struct CareFileTests {
    private static func read(
        _ format: BabyCare.FileFormat, _ text: String, zone: String = "UTC",
        unit: BabyCare.AmountUnit = .ml
    ) throws -> [CareFile.Row] {
        try CareFile.read(
            Array(text.utf8), as: format, zone: try Zones.zone(zone), amountUnit: unit,
            rules: .standard)
    }

    static let headers: [BabyCare.FileFormat: String] = [
        .babyConnect:
            "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver",
        .huckleberry:
            "Type,Start,End,Duration,Start Conditions,Start Location,End Conditions,Notes",
        .babyAI:
            "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,source,"
            + "created_by,created_at_utc",
    ]

    /// One row, as a line of what it becomes.
    private static func told(
        _ format: BabyCare.FileFormat, _ row: String, header: String? = nil
    ) throws -> String {
        let header = try header ?? #require(headers[format])
        let rows = try read(format, header + "\n" + row + "\n")
        guard rows.count == 1 else { return "\(rows.count) rows" }
        switch rows[0].result {
        case .failure(let reason): return reason.code
        case .success(let content):
            return content.entries.map { entry in
                let value = FlatFields.of(entry.value).filter { $0.value != "null" }
                    .filter { !$0.path.hasPrefix("original") }.map { "\($0.path) \($0.value)" }
                let meta = entry.meta.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                var parts = [entry.kind.name] + value + meta
                if let ended = entry.ended {
                    parts.append("\((ended - entry.started) / 60_000_000) min")
                }
                if entry.state == .open { parts.append("open") }
                if entry.state == .cancelled { parts.append("cancelled") }
                if let declared = entry.declaredDurationS { parts.append("said \(declared / 60)") }
                if let text = entry.text?.text { parts.append("'\(text)'") }
                return parts.joined(separator: " ")
            }.joined(separator: " | ")
        }
    }

    @Test("Of a file with many rows, which all cores read, each row has its number and its content")
    func manyRows() throws {
        let header = try #require(Self.headers[.babyConnect])
        let lines = (0..<5_000).map { "1/1/26 1:00 AM,,,Bottle,4,,,number \($0),Ana\n" }
        let rows = try Self.read(.babyConnect, header + "\n" + lines.joined())
        expect(rows.map(\.row), equals: Array(1...5_000))
        expect(rows.map(\.line), equals: Array(2...5_001))
        let notes = try rows.map { try $0.result.get().entries.first?.text?.text }
        expect(notes, equals: (0..<5_000).map { "number \($0)" })
    }

    @Test(
        "Baby Connect",
        arguments: [
            ("6/30/20 7:44 PM,7/1/20 12:10 AM,266,Sleep,,,,,U", "sleep 266 min said 266"),
            ("6/30/20 7:44 PM,,,Sleep,,,,,U", "sleep open"),
            ("6/30/2020 19:44,,,sleep,,,,,U", "sleep open"),
            (
                "6/30/20 7:30 PM,,,Bottle,8,Formula,,,A",
                "formula amountUl 236588 contents \"Formula\""
            ),
            (
                "6/30/20 4:28 PM,6/30/20 4:57 PM,28,Bottle,100 ml,Milk,,,U",
                "formula amountUl 100000 durationS 1680 contents \"Milk\" 29 min"
            ),
            (
                "6/30/20 4:28 PM,6/30/20 4:57 PM,12,Nursing,,Left,,,U",
                "breastfeed durationS 720 side \"left\" 29 min"
            ),
            ("6/30/20 4:28 PM,,,Weight,13,lbs,,,U", "growth massMg 5896701"),
            ("6/30/20 4:28 PM,,,Height,20.75,inch,,,U", "growth lengthUm 527050"),
            ("6/30/20 4:28 PM,,,Head Size,14.33,inch,,,U", "growth headUm 363982"),
            ("6/30/20 4:28 PM,,,Diaper,,Wet,,,U", "pee count 1"),
            ("6/30/20 4:28 PM,,,Diaper,,BM and wet,,hm,U", "pee count 1 'hm' | poo count 1"),
            ("6/30/20 4:28 PM,,,Diaper,,dry,,hm,U", "dry count 1 'hm'"),
            ("6/30/20 4:28 PM,,,Diaper,,clean,,,U", "unknownDiaper"),
            (
                "6/30/20 4:28 PM,,,Medicine,1 drop,Vitamin D,,,U",
                "medication name \"Vitamin D\" dose \"1 drop\""
            ),
            ("6/30/20 4:28 PM,,,Temperature,98.6,F,,,U", "symptom milliC 37000"),
            (
                "6/30/20 4:28 PM,,,Milestone,,,\"Sat, alone\",,U",
                "memo activity=Milestone 'Sat, alone'"
            ),
            ("6/30/20 4:28 PM,,,Bottle,-3,Milk,,,U", "unreadableAmount"),
            ("6/30/20 4:28 PM,,,Weight,13,stone,,,U", "unknownUnit"),
            ("6/30/20 13:28 PM,,,Bottle,3,Milk,,,U", "unreadableTime"),
            ("2/30/20 1:28 PM,,,Bottle,3,Milk,,,U", "unreadableTime"),
            (",,,Bottle,3,Milk,,,U", "unreadableTime"),
            ("6/30/20 1:28 PM,,,,3,Milk,,,U", "unknownActivity"),
            ("6/30/20 7:44 PM,6/30/20 7:43 PM,1,Sleep,,,,,U", "endBeforeStart"),
            ("6/30/20 7:44 PM,7/30/20 7:43 PM,1,Sleep,,,,,U", "tooLong"), ("a,b", "wrongCellCount"),
        ])
    func babyConnect(_ row: String, _ expected: String) throws {
        try expect(Self.told(.babyConnect, row), equals: expected)
    }

    @Test(
        "Huckleberry",
        arguments: [
            ("sleep,2024-02-29 23:24,2024-03-01 02:12,2:48,,,,", "sleep 168 min said 168"),
            ("Sleep,2024-02-29 23:24,,,,,,", "sleep open"),
            (
                "feed,2024-02-29 20:34,,,Bottle,bottle,3oz,",
                "formula amountUl 88721 contents \"Bottle\" method \"bottle\""
            ),
            (
                "feed,2024-02-29 20:34,,,Formula,bottle,120ml,x",
                "formula amountUl 120000 contents \"Formula\" method \"bottle\" 'x'"
            ),
            ("feed,2024-02-29 20:34,,,Breast,,,", "breastfeed"),
            (
                "feed,2024-02-29 20:34,,0:17,12:30L,breast,05:00R,",
                "breastfeed durationS 1020 side \"both\""
            ),
            (
                "meds,2024-02-29 20:34,,,2.5ml,Tylenol,,",
                "medication name \"Tylenol\" dose \"2.5ml\""
            ),
            (
                "diaper,2024-02-29 20:34,,,,,\"Both, pee:small poo:medium\",",
                "pee count 1 endConditions=Both, pee:small poo:medium | poo count 1"
            ),
            ("diaper,2024-02-29 20:34,,,,,Pee:big,", "pee count 1 endConditions=Pee:big"),
            (
                "growth,2024-02-29 20:34,,,4.5kg,55cm,38cmHC,",
                "growth massMg 4500000 lengthUm 550000 headUm 380000"
            ),
            ("temp,2024-02-29 20:34,,,38.2°C,,,", "symptom milliC 38200"),
            (
                "bath,2024-02-29 20:34,2024-02-29 20:44,0:10,warm,,,",
                "memo durationS 600 activity=bath startConditions=warm 10 min"
            ),
            ("feed,2024-02-29 20:34,,,Bottle,bottle,3cups,", "unknownUnit"),
            ("sleep,yesterday,,,,,,", "unreadableTime"),
            ("sleep,2024-02-29 23:24,2024-03-01 02:12,2:xx,,,,", "unreadableAmount"),
        ])
    func huckleberry(_ row: String, _ expected: String) throws {
        try expect(Self.told(.huckleberry, row), equals: expected)
    }

    @Test(
        "Baby Buddy, whose header tells the model",
        arguments: [
            (
                "child_id,start,nap,end,notes", "1,2020-02-17 00:14:09,1,2020-02-17 02:48:09,",
                "sleep isNap true 154 min"
            ),
            (
                "id,child_id,child_first_name,child_last_name,start,end,nap,notes,tags",
                "4,1,Ana,Lee,2020-02-17 00:14:09,2020-02-17 02:48:09,0,,a",
                "sleep isNap false tags=a 154 min"
            ),
            (
                "child_id,start,end,type,method,amount,notes",
                "1,2020-02-17 03:04:09,2020-02-17 03:12:09,breast milk,right breast,,",
                "breastfeed side \"right\" contents \"breast milk\" method \"right breast\" 8 min"
            ),
            (
                "child_id,start,end,type,method,amount,notes",
                "1,2020-02-17 03:04:09,2020-02-17 03:12:09,formula,bottle,90.5,n",
                "formula amountUl 90500 contents \"formula\" method \"bottle\" 8 min 'n'"
            ),
            (
                "child_id,start,end,type,method,amount,notes",
                "1,2020-02-17 03:04:09,2020-02-17 03:12:09,solid food,parent fed,2,",
                "weaning contents \"solid food\" method \"parent fed\" amount=2 8 min"
            ),
            (
                "child_id,time,wet,solid,color,amount", "1,2020-02-17 03:54:09,1,1,green,6.2",
                "pee count 1 amount=6.2 color=green | poo count 1"
            ),
            (
                "child_id,time,wet,solid,color,amount,notes", "1,2020-02-17 03:54:09,0,0,,,hm",
                "dry count 1 'hm'"
            ),
            (
                "child_id,time,wet,solid,color,amount", "1,2020-02-17 03:54:09,maybe,0,,",
                "unreadableFlag"
            ),
            (
                "child_id,temperature,time,notes", "1,97.7,2022-05-28 10:50:06,",
                "symptom milliC 36500"
            ),
            (
                "child_id,temperature,time,notes", "1,36.5,2022-05-28T10:50:06Z,",
                "symptom milliC 36500"
            ),
            ("child_id,weight,date,notes", "1,10.45,2020-02-14,", "growth massMg 10450000"),
            ("child_id,height,date,notes", "1,60.5,2020-02-14,", "growth lengthUm 605000"),
            ("child_id,head_circumference,date,notes", "1,40,2020-02-14,", "growth headUm 400000"),
            ("child_id,note,time", "1,hello,2020-02-17 06:37:12", "memo activity=note 'hello'"),
            (
                "child_id,start,end,milestone", "1,2020-02-17 04:08:09,2020-02-17 04:11:09,rolled",
                "memo activity=tummyTime 3 min 'rolled'"
            ),
            (
                "child_id,amount,time", "1,100.2,2020-02-17 09:31:49",
                "memo amountUl 100200 activity=pumping"
            ),
            ("child_id,time,wet,solid,color,amount", ",2020-02-17 03:54:09,1,0,,", "noChild"),
            ("time,wet,solid,color,amount", "2020-02-17 03:54:09,1,0,,", "pee count 1"),
        ])
    func babyBuddy(_ header: String, _ row: String, _ expected: String) throws {
        try expect(Self.told(.babyBuddy, row, header: header), equals: expected)
    }

    @Test(
        "BabyAI",
        arguments: [
            (
                "e1,b,FORMULA,2026-02-19T07:30:00Z,2026-02-19T07:45:00Z,\"{\"\"ml\"\":120,\"\"duration_min\"\":15}\",{},MANUAL,u1,2026-02-19T08:00:00Z",
                "formula amountUl 120000 15 min"
            ),
            (
                "e1,b,MEMO,2026-02-19 07:30:00.5,,\"{\"\"memo\"\":\"\"hi\"\"}\",\"{\"\"category\"\":\"\"WEANING\"\"}\",VOICE,,",
                "weaning 'hi'"
            ),
            (
                "e1,b,SLEEP,2026-02-19T07:30:00Z,,{},\"{\"\"state\"\":\"\"CANCELED\"\"}\",MANUAL,u1,",
                "sleep cancelled"
            ),
            ("e1,b,SLEEP,2026-02-19T07:30:00Z,,{},{},MANUAL,u1,", "sleep open"),
            (
                "e1,b,PEE,2026-02-19T07:30:00Z,,{},\"{\"\"tags\"\":[1,2]}\",MANUAL,u1,",
                "pee tags=[1,2]"
            ),
            ("e1,b,NAP,2026-02-19T07:30:00Z,,{},{},MANUAL,u1,", "unknownActivity"),
            ("e1,b,PEE,2026-02-19T07:30:00Z,,[],{},MANUAL,u1,", "unreadableJSON"),
            ("e1,b,PEE,2026-02-19T07:30:00Z,,{,{},MANUAL,u1,", "unreadableJSON"),
            (
                "e1,b,FORMULA,2026-02-19T07:30:00Z,,\"{\"\"ml\"\":\"\"lots\"\"}\",{},MANUAL,u1,",
                "unreadableAmount"
            ),
            (",b,PEE,2026-02-19T07:30:00Z,,{},{},MANUAL,u1,", "noId"),
        ])
    func babyAI(_ row: String, _ expected: String) throws {
        try expect(Self.told(.babyAI, row), equals: expected)
    }

    @Test("A local time that happened twice or never is resolved and flagged")
    func localTimes() throws {
        let header = try #require(Self.headers[.huckleberry]) + "\n"
        let entry = { (zone: String, row: String) throws -> BabyCare.ImportedEntry in
            let rows = try Self.read(.huckleberry, header + row + "\n", zone: zone)
            return try #require(rows.first?.result.get().entries.first)
        }
        let twice = try entry("Europe/Berlin", "sleep,2022-10-30 02:30,2022-10-30 02:45,,,,,")
        expect(Timestamp.text(twice.started), equals: "2022-10-30T00:30:00Z")
        #expect(twice.startFlag == .ambiguous && twice.endFlag == .ambiguous)
        // The sleep lasts from the first 02:30 to the second 02:15.
        let across = try entry("Europe/Berlin", "sleep,2022-10-30 02:30,2022-10-30 02:15,,,,,")
        expect((across.ended ?? 0) - across.started, equals: 45 * 60_000_000)
        let never = try entry("America/New_York", "feed,2020-03-08 02:30,,,Breast,,,")
        expect(Timestamp.text(never.started), equals: "2020-03-08T07:30:00Z")
        expect(never.startFlag, equals: .nonexistent)
    }

    @Test("No name in a file is kept except the caregiver's")
    func names() throws {
        let rows = try Self.read(
            .babyBuddy,
            "id,child_id,child_first_name,child_last_name,start,end,nap,notes,tags\n"
                + "4,1,Anastasia,Lee,2020-02-17 00:14:09,2020-02-17 02:48:09,0,,\n")
        let entry = try #require(rows.first?.result.get().entries.first)
        #expect(!JSONWriter.text(entry).contains("Anastasia"))
    }

    @Test(
        "A file in another format is refused as a whole",
        arguments: [
            (BabyCare.FileFormat.babyConnect, "", 1), (.babyConnect, "a,b\n1,2\n", 1),
            (.babyBuddy, "first_name,last_name,birth_date,birth_time\n", 1),
            (.babyBuddy, "id,child_id,name,slug,color,last_used\n", 1),
            (.huckleberry, "Type,Type,Start,End\n", 1), (.huckleberry, "Type,Start,End\n\"x\n", 2),
        ])
    func wrongFiles(_ format: BabyCare.FileFormat, _ text: String, _ line: Int) {
        #expect {
            try Self.read(format, text)
        } throws: { error in
            (error as? InputError)?.line == line
        }
    }

    @Test("Damage to a file causes only an error or a rejected row")
    func damage() throws {
        let seed: UInt64 = 99
        var random = SeededGenerator(seed: seed)
        let files: [(BabyCare.FileFormat, String)] = [
            (.babyConnect, "6/30/20 7:44 PM,7/1/20 12:10 AM,266,Sleep,,,\"a, b\",,U\n"),
            (.huckleberry, "growth,2024-02-29 20:34,,0:10,4.5kg,55cm,38cmHC,x\n"),
            (.babyAI, "e1,b,FORMULA,2026-02-19T07:30:00Z,,\"{\"\"ml\"\":120}\",{},MANUAL,u1,\n"),
        ]
        for (format, row) in files {
            let text = Array((try #require(Self.headers[format]) + "\n" + row + row).utf8)
            for _ in 0..<1_500 {
                var bytes = text
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    if Bool.random(using: &random) {
                        bytes[index] = UInt8.random(in: 0...255, using: &random)
                    } else {
                        bytes.remove(at: index)
                    }
                }
                do throws(InputError) {
                    _ = try CareFile.read(bytes, as: format, zone: .utc, rules: .standard)
                } catch {
                    #expect(error.line != nil, "seed \(seed)")
                }
            }
        }
    }
}
