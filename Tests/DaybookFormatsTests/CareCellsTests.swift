import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

private enum Header {
    static let babyConnect =
        "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver"
    /// As the app's later exports have it.
    static let huckleberry =
        "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes"
    static let feeding = "child_id,start,end,type,method,amount,notes"
}

/// Cells as apps really write them.
@Suite struct CareCellsTests {
    private static func rows(
        _ format: BabyCare.FileFormat, _ lines: String..., zone: Zone = .utc
    ) throws -> [CareFile.Row] {
        let text = lines.joined(separator: "\n") + "\n"
        return try CareFile.read(
            Array(text.utf8), as: format, zone: zone, rules: .standard)
    }

    private static func only(
        _ format: BabyCare.FileFormat, _ header: String, _ row: String
    ) throws -> CareFile.Content {
        let rows = try rows(format, header, row)
        expect(rows.count, equals: 1)
        return try #require(rows.first).result.get()
    }

    private static func reason(
        _ format: BabyCare.FileFormat, _ header: String, _ row: String
    ) throws -> CareFile.Reason? {
        guard case .failure(let reason) = try rows(format, header, row).first?.result else {
            return nil
        }
        return reason
    }

    /// The kinds, values and other cells of a row's entries: `pee count=1 color:green`.
    private static func told(_ content: CareFile.Content) -> String {
        content.entries.map { entry in
            let value = FlatFields.of(entry.value)
                .filter { $0.value != "null" && !$0.path.hasPrefix("original") }
                .map { "\($0.path)=\($0.value.filter { $0 != "\"" })" }
            let meta = entry.meta.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
            return ([entry.kind.name] + value + meta).joined(separator: " ")
        }.joined(separator: " | ")
    }

    @Test(
        "Huckleberry's conditions are read under either of their names",
        arguments: [
            (
                "Feed,2026-02-25 10:30,,,Formula,Bottle,200ml,",
                "formula amountUl=200000 contents=Formula method=bottle"
            ),
            (
                "Feed,2026-02-25 10:30,,,Breast Milk,Bottle,150ml,",
                "formula amountUl=150000 contents=Breast Milk method=bottle"
            ),
            (
                "Feed,2026-02-25 10:30,,,Breast Milk,,90ml,",
                "formula amountUl=90000 contents=Breast Milk"
            ),
            (
                "Feed,2026-01-14 22:20,2026-01-14 22:31,00:11,00:03R,Breast,00:07L,",
                "breastfeed durationS=660 side=both"
            ),
            ("Feed,2026-01-14 22:20,,,00:03R,Breast,00:07L,", "breastfeed durationS=600 side=both"),
            ("Feed,2026-01-14 22:20,,,00:12R,,,", "breastfeed durationS=720 side=right"),
            ("Feed,2026-01-14 22:20,,,12:30L,Breast,,", "breastfeed durationS=750 side=left"),
            (
                "Feed,2026-01-14 22:20,2026-01-14 22:30,,02:00L,Breast,01:30L,",
                "breastfeed durationS=210 side=left"
            ),
            (
                "Diaper,2026-02-22 14:07,,green,Loose,Diaper rash,\"Both, pee:small poo:big\",",
                "pee count=1 color:green endConditions:Both, pee:small poo:big"
                    + " startConditions:Loose startLocation:Diaper rash | poo count=1"
            ),
            ("Diaper,2026-02-22 14:07,,,,,Dry,", "dry count=1 endConditions:Dry"),
            ("Potty,2026-01-01 20:25,,,,,Pee:small,", "pee count=1 endConditions:Pee:small"),
            (
                "Growth,2026-02-09 12:01,,,6.66kg,62.5cm,41cm,",
                "growth massMg=6660000 lengthUm=625000 headUm=410000"
            ),
            ("Growth,2026-02-09 12:01,,,,,41cmHC,", "growth headUm=410000"),
            ("Temp,2025-12-29 23:40,,,37.6\u{B0}C,,,", "symptom milliC=37600"),
            (
                "Temp,2025-12-29 23:40,,,37.6C,ear,after milk,",
                "symptom milliC=37600 endConditions:after milk startLocation:ear"
            ),
            ("Meds,2026-01-01 08:00,,,2oz,Calpol,,", "medication name=Calpol dose=2oz"),
            ("Meds,2026-01-01 08:00,,,,Calpol,2.5,", "medication name=Calpol dose=2.5"),
            (
                "Solids,2026-02-25 11:15,,0:20,mango,,MEH,",
                "weaning durationS=1200 endConditions:MEH startConditions:mango"
            ),
            (
                "Pump,2026-01-01 07:00,2026-01-01 07:30,0:30,30ml,,10ml,",
                "memo amountUl=40000 durationS=1800 activity:Pump endConditions:10ml"
                    + " startConditions:30ml"
            ),
        ])
    func huckleberry(_ row: String, _ expected: String) throws {
        expect(Self.told(try Self.only(.huckleberry, Header.huckleberry, row)), equals: expected)
        let plural = Header.huckleberry.replacing("Condition", with: "Conditions")
        expect(Self.told(try Self.only(.huckleberry, plural, row)), equals: expected)
    }

    @Test(
        "Baby Connect's cells that no field takes are kept beside it",
        arguments: [
            ("6/30/20 4:28 PM,,5,Breast,,right,,,U", "breastfeed durationS=300 side=right"),
            ("6/30/20 4:28 PM,,,NURSING,2 oz,,,,U", "breastfeed quantity:2 oz"),
            ("6/30/20 4:28 PM,,,Head circumference,36,cm,,,U", "growth headUm=360000"),
            (
                "6/30/20 4:28 PM,,,Solid,2 spoons,Pear,,,U",
                "weaning extraData:Pear quantity:2 spoons"
            ),
            ("6/30/20 4:28 PM,,,Diaper,,Wet+BM,,,U", "pee count=1 | poo count=1"),
            (
                "6/30/20 4:28 PM,,,Diaper,large,\"BM, green\",,,U",
                "poo count=1 extraData:BM, green quantity:large"
            ),
            ("6/30/20 4:28 PM,,,Jacket,,,,,U", "memo activity:Jacket"),
            (
                "6/30/20 4:28 PM,,,Pumping,3 oz,Left,,,U",
                "memo amountUl=88721 activity:Pumping extraData:Left quantity:3 oz"
            ),
        ])
    func babyConnect(_ row: String, _ expected: String) throws {
        expect(Self.told(try Self.only(.babyConnect, Header.babyConnect, row)), equals: expected)
    }

    @Test(
        "Times are read exactly or refused",
        arguments: [
            ("6/30/20 7:44 PM", "2020-06-30T19:44:00Z"),
            ("6/30/2020 7:44:05 pm", "2020-06-30T19:44:05Z"),
            ("06/30/20 12:00 AM", "2020-06-30T00:00:00Z"),
            ("6/30/20 12:00 PM", "2020-06-30T12:00:00Z"),
            ("6/30/20 7:44\u{202F}PM", "2020-06-30T19:44:00Z"),
            ("6/30/20 19:44", "2020-06-30T19:44:00Z"),
            ("2024-02-29 23:24", "2024-02-29T23:24:00Z"),
            ("2024-02-29T23:24:01", "2024-02-29T23:24:01Z"),
            ("2024-02-29 23:24:01.5", "2024-02-29T23:24:01.500Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("2024-02-29T23:24:01+09:00", "2024-02-29T14:24:01Z"),
            ("2024-02-29 23:24:01-05:00", "2024-03-01T04:24:01Z"),
            ("2023-02-29 10:00", nil), ("2024-02-29 24:00", nil), ("2024-02-29 10:60", nil),
            ("2024-02-29 10:6", nil), ("2024-02-29 10", nil), ("6/30/20 0:10 PM", nil),
            ("6/30/20 13:10 AM", nil), ("6/30/020 1:10 AM", nil), ("30/6/20 1:10 AM", nil),
            ("6/30/20 PM", nil), ("6/30/20 1:10:99 AM", nil), ("now", nil), ("6/30 1:10 AM", nil),
            ("2024-02-29 10:00 10:00", nil), ("2024-02-29 10:00:00.", nil),
        ] as [(String, String?)])
    func times(_ text: String, _ expected: String?) throws {
        let row = "\"\(text)\",,,Milestone,,,,,"
        guard let expected else {
            let reason = try Self.reason(.babyConnect, Header.babyConnect, row)
            expect(reason?.code, equals: "unreadableTime")
            expect(reason?.field, equals: "Date and Time")
            expect(reason?.message.contains("'\(text)'"), equals: true)
            return
        }
        let content = try Self.only(.babyConnect, Header.babyConnect, row)
        let started = try #require(content.entries.first).started
        expect(Timestamp.text(started), equals: expected)
    }

    @Test(
        "A rejected row names its column",
        arguments: [
            (
                .babyConnect, Header.babyConnect, "6/30/20 7:44 PM,6/30/20 7:43 PM,,Sleep,,,,,",
                "endBeforeStart", "End Time"
            ),
            (
                .babyConnect, Header.babyConnect, "6/30/20 7:44 PM,7/29/20 7:44 PM,,Sleep,,,,,",
                "tooLong", "End Time"
            ),
            (
                .babyConnect, Header.babyConnect, "6/30/20 7:44 PM,soon,,Sleep,,,,,",
                "unreadableTime", "End Time"
            ),
            (
                .babyConnect, Header.babyConnect, "6/30/20 7:44 PM,,x,Sleep,,,,,",
                "unreadableAmount", "Duration (min)"
            ),
            (
                .huckleberry, Header.huckleberry, "sleep,2024-02-29 23:24,2024-02-29 23:23,,,,,",
                "endBeforeStart", "End"
            ),
            (
                .huckleberry, Header.huckleberry, "sleep,2024-02-29 23:24,,2:99,,,,",
                "unreadableAmount", "Duration"
            ),
            (
                .huckleberry, Header.huckleberry, "feed,2024-02-29 23:24,,,Formula,Bottle,3cups,",
                "unknownUnit", "End Condition"
            ),
            (
                .huckleberry, Header.huckleberry, "diaper,2024-02-29 23:24,,,,,Empty,",
                "unknownDiaper", "End Condition"
            ),
            (
                .babyBuddy, Header.feeding,
                "1,2020-02-17 03:04:09,2020-02-17 03:04:08,formula,bottle,,", "endBeforeStart",
                "end"
            ),
            (
                .babyBuddy, Header.feeding, "1,2020-02-17 03:04:09,,formula,bottle,lots,",
                "unreadableAmount", "amount"
            ),
        ] as [(BabyCare.FileFormat, String, String, String, String)])
    func reasons(
        _ format: BabyCare.FileFormat, _ header: String, _ row: String, _ code: String,
        _ field: String
    ) throws {
        let reason = try Self.reason(format, header, row)
        expect(reason?.code, equals: code)
        expect(reason?.field, equals: field)
    }

    @Test("An entry may last 28 days, or no time at all")
    func lengths() throws {
        for end in ["6/28/20 7:44 PM", "5/31/20 7:44 PM"] {
            let row = "5/31/20 7:44 PM,\(end),,Sleep,,,,,"
            let entry = try #require(
                try Self.only(.babyConnect, Header.babyConnect, row).entries.first)
            #expect(entry.ended != nil && entry.state == nil)
        }
    }

    @Test("A quoted cell has at most 60 characters")
    func longCells() throws {
        let long = String(repeating: "x", count: 500)
        let reason = try Self.reason(.babyConnect, Header.babyConnect, "\(long),,,Sleep,,,,,")
        #expect(try #require(reason).message.count < 120)
    }

    @Test("The header's columns may be in any order, with empty ones after them")
    func headers() throws {
        let content = try Self.only(
            .babyBuddy, " End ,tags,NAP,start,child_last_name,child_id,,",
            "2020-02-17 02:00:00,a,1,2020-02-17 01:00:00,Lee,7,,")
        expect(Self.told(content), equals: "sleep isNap=true tags:a")
        expect(content.sourceBabyId, equals: "7")
        let error = #expect(throws: InputError.self) {
            try Self.rows(.huckleberry, "", "", "Type,Start", "sleep,2020-02-17 01:00")
        }
        expect(error?.line, equals: 3)
        expect(error?.field, equals: "End")
    }

    @Test("Lists of children and tags are refused by name")
    func lists() throws {
        let children = #expect(throws: InputError.self) {
            try Self.rows(
                .babyBuddy, "first_name,last_name,birth_date,birth_time", "A,B,2020-01-17,")
        }
        expect(children?.message.contains("children"), equals: true)
        let tags = #expect(throws: InputError.self) {
            try Self.rows(
                .babyBuddy,
                "id,child_id,child_first_name,child_last_name,name,slug,color,last_used",
                "1,,,,our,our,#fff,")
        }
        expect(tags?.message.contains("tags"), equals: true)
    }
}
