import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

private let nursing =
    "Baby,Time,Start Side,Left duration (min),Right duration (min),Total Duration (min),Note"
private let pump =
    "Time,Start Side,Left duration (min),Right duration (min),Total Duration (min),"
    + "Left amount (oz.),Right amount (oz.),Total amount (oz.),Note"
private let pumpInMl = pump.replacing("oz.", with: "ml")
private let bottle = "Baby,Time,Amount (oz.),Note"
private let diaper = "Baby,Time,Status,Note"
private let medication = "Baby,Time,Medication name,Amount,,Min interval (minutes),Note"
private let growth = "Baby,Time,Length (in.),Weight (lb.),Head Size (in.),Note"

/// Rows of Baby Tracker's files, written by hand after the headers that public readers have.
@Suite struct BabyTrackerFileTests {
    private static func read(
        _ text: String, name: String = "", order: CareFile.DateOrder? = nil
    ) throws -> [CareFile.Row] {
        var settings = CareFile.Settings()
        settings.fileName = name
        settings.dateOrder = order
        return try CareFile.read(
            Array(text.utf8), as: .babyTracker, zone: .utc, settings, rules: .standard
        ).rows
    }

    @Test(
        "Every file of Baby Tracker becomes entries, or its rows are rejected by reason",
        arguments: [
            ("Baby,Time,Duration(minutes),Note", #"Mia,"1/13/26, 19:54",660"#, "sleep 39600 s"),
            ("Baby,Time,Duration (min),Note", "Mia,13/1/26 7:54 pm,30,hm", "sleep 1800 s 'hm'"),
            ("Baby,Time,Duration(minutes),Note", #"Mia,"1/13/26, 19:54""#, "sleep open"),
            (
                nursing, #"Mia,"4/29/25, 09:29",Left,36,8,44"#,
                "breastfeed durationS=2640 side=both beginSide:left leftS:2160 rightS:480"
            ),
            (
                nursing, #"Mia,"5/14/25, 10:53",Right,,59,59"#,
                "breastfeed durationS=3540 side=right"
            ),
            (
                pump, #""7/1/25, 15:55",,21,22,43,1,2,3,"#,
                "memo amountUl=88721 durationS=2580 activity:pumping leftMl:29.574 rightMl:59.147"
            ),
            (
                pumpInMl, #""7/1/25, 15:55",,21,22,43,30,40,,"#,
                "memo amountUl=70000 durationS=2580 activity:pumping leftMl:30 rightMl:40"
            ),
            (pump, #""7/1/25, 15:55",,21,22,43,,,"#, "memo durationS=2580 activity:pumping"),
            (bottle, #"Mia,"2/3/25, 08:38",0.6"#, "formula amountUl=17744 method=bottle"),
            (bottle, #"Mia,"2/3/25, 08:38",lots"#, "unreadableAmount Amount (oz.)"),
            (diaper, #"Mia,"1/13/26, 15:58",Mixed"#, "pee count=1 | poo count=1"),
            (diaper, #"Mia,"1/13/26, 15:58",Dry,hm"#, "dry count=1 'hm'"),
            (diaper, #"Mia,"1/13/26, 15:58",?,"#, "unknownDiaper Status"),
            (
                "Baby,Time,Temperature (\u{B0}C),Note", "Mia,01/13/2026 08:00,38.2,",
                "symptom milliC=38200"
            ),
            (
                medication, "Mia,01/13/2026 08:00,Calpol,2.5,ml,240,",
                "medication name=Calpol dose=2.5 ml"
            ),
            (
                growth, "Mia,01/13/2026 08:00,25,11,16,",
                "growth massMg=4989516 lengthUm=635000 headUm=406400"
            ),
            (
                "Baby,Time,Milestone,Note", "Mia,01/13/2026 08:00,Smiled,hm",
                "memo activity:Smiled 'hm'"
            ), ("Baby,Time,Note", "Mia,01/13/2026 08:00,hello", "memo activity:note 'hello'"),
            (diaper, "Mia,soon,Wet,", "unreadableTime Time"),
            (diaper, "Mia,01/13/2026 08:00,Wet,a,b", "wrongCellCount "),
        ])
    func rows(_ header: String, _ row: String, _ expected: String) throws {
        expect(line(of: try Self.read("\(header)\n\(row)\n")[0]), equals: expected)
    }

    @Test("The name of a file of bottles tells which milk it is of")
    func milk() throws {
        let text = "Baby,Time,Amount (ml),Note\nMia,1/13/26 08:00,60,\n"
        var keys: Set<[String]> = []
        for (name, contents) in [
            ("Mia_formula.csv", "Formula"), ("expressed.csv", "Breast Milk"), ("x.csv", nil),
        ] as [(String, String?)] {
            let content = try Self.read(text, name: name)[0].result.get()
            expect(content.entries[0].value.contents, equals: contents)
            keys.insert(content.cells)
        }
        expect(keys.count, equals: 3, "a bottle of each at the same minute is two bottles")
    }

    private static func starts(
        _ times: [String], _ order: CareFile.DateOrder? = nil
    ) throws -> [String] {
        let rows = times.map { "Mia,\"\($0)\",Wet,\n" }.joined()
        return try read(diaper + "\n" + rows, order: order).map { row in
            let start = Timestamp.text(try row.result.get().entries[0].started).prefix(10)
            return start + (row.remark == nil ? "" : "?")
        }
    }

    @Test(
        "The order of a date is told by the file, by the option, or remarked on",
        arguments: [
            (["3/4/26 08:00", "4/13/26 08:00"], nil, ["2026-03-04", "2026-04-13"]),
            (["3/4/26 08:00", "13/4/26 08:00"], nil, ["2026-04-03", "2026-04-13"]),
            (["03.04.2026, 08:00", "13.04.2026, 08:00"], nil, ["2026-04-03", "2026-04-13"]),
            (["3/4/26 08:00", "3/3/26 08:00"], nil, ["2026-03-04?", "2026-03-03"]),
            (["3/4/26 08:00"], .dayFirst, ["2026-04-03"]),
            (["3/4/26 08:00"], .monthFirst, ["2026-03-04"]),
            (["2026-03-04 08:00"], nil, ["2026-03-04"]),
        ] as [([String], CareFile.DateOrder?, [String])])
    func dates(_ times: [String], _ order: CareFile.DateOrder?, _ expected: [String]) throws {
        try expect(Self.starts(times, order), equals: expected)
    }

    @Test("A file of another form, or with dates of both orders, is refused")
    func refused() {
        let header = #expect(throws: InputError.self) { try Self.read("Time,Colour\n1,2\n") }
        expect(header?.message.contains("one of Baby Tracker's files"), equals: true)
        let dates = #expect(throws: InputError.self) {
            try Self.starts(["13/4/26 08:00", "4/13/26 08:00"])
        }
        expect(dates?.line, equals: 3)
        expect(dates?.message.contains("--date-order mdy or dmy"), equals: true)
    }

    @Test("With an order of dates, only the rows that fit that order are imported")
    func mixedOrders() throws {
        let mixed = #"Mia,"13/4/26 08:00",Wet,"# + "\n" + #"Mia,"4/13/26 08:00",Wet,"# + "\n"
        for (order, imported) in [(CareFile.DateOrder.dayFirst, 0), (.monthFirst, 1)] {
            let rows = try Self.read(diaper + "\n" + mixed, order: order)
            let start = try rows[imported].result.get().entries[0].started
            #expect(Timestamp.text(start).hasPrefix("2026-04-13"))
            let refused = #expect(throws: CareFile.Reason.self) {
                try rows[1 - imported].result.get()
            }
            expect(refused?.code, equals: "unreadableTime", "\(order)")
        }
    }
}
