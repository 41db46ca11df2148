import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// Facts that a row tells in other ways than most: a length for an end, a zone, a side of no time.
@Suite struct CareFactsTests {
    private static func lines(
        _ format: BabyCare.FileFormat, _ text: String, zone: String = "UTC"
    ) throws -> [String] {
        try CareFile.read(
            Array((text + "\n").utf8), as: format, zone: try Zones.zone(zone),
            zones: try ZoneFiles.source(), rules: .standard
        ).map(line(of:))
    }

    private static let huckleberry =
        "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes\n"
    private static let babyAI =
        "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,source,"
        + "created_by,created_at_utc\n"

    @Test(
        "The start and the length of a sleep give its end in every format",
        arguments: [
            (
                BabyCare.FileFormat.huckleberry,
                huckleberry + "Sleep,2026-08-20 13:00,,01:30,,,,", "sleep 5400 s"
            ),
            (.huckleberry, huckleberry + "Nap,2026-08-20 13:00,,90,,,,", "sleep isNap=true 5400 s"),
            (.huckleberry, huckleberry + "Sleep,2026-08-20 13:00,,,,,,", "sleep open"),
            (
                .babyConnect,
                "Date and Time,End Time,Duration (min),Activity\n8/20/26 1:00 PM,,90,Sleep",
                "sleep 5400 s"
            ),
            (
                .babyConnect,
                "Date and Time,End Time,Duration (min),Activity\n8/20/26 1:00 PM,,99999,Sleep",
                "tooLong Duration (min)"
            ),
            (
                .babyBuddy, "child_id,start,end,duration,nap\n1,2026-08-20 13:00:00,,1:30:00,0",
                "sleep isNap=false 5400 s"
            ),
            (
                .babyBuddy, "child_id,start,end,duration,nap\n1,2026-08-20 13:00:00,,,0",
                "sleep isNap=false open"
            ),
            (
                .babyAI,
                babyAI
                    + "e,b,SLEEP,2026-08-20T13:00:00Z,,\"{\"\"duration_min\"\":90}\",{},MANUAL,,",
                "sleep durationS=5400 5400 s"
            ),
            (
                .babyAI,
                babyAI + "e,b,SLEEP,2026-08-20T13:00:00Z,,\"{\"\"duration_min\"\":90}\","
                    + "\"{\"\"state\"\":\"\"OPEN\"\"}\",MANUAL,,", "sleep durationS=5400 open"
            ),
            (
                .nara,
                "Type,Start Date/time (Epoch),[Sleep] Duration (Seconds)\nSleep,1790058780000,5400",
                "sleep 5400 s"
            ),
            (
                .nara,
                "Type,Start Date/time (Epoch),[Sleep] Duration (Seconds)\nSleep,1790058780000,0",
                "sleep open"
            ),
            (.babyTracker, "Baby,Time,Duration(minutes)\nMia,1/13/26 08:00,90", "sleep 5400 s"),
            (.babyTracker, "Baby,Time,Duration(minutes)\nMia,1/13/26 08:00,", "sleep open"),
        ] as [(BabyCare.FileFormat, String, String)])
    func lengths(_ format: BabyCare.FileFormat, _ text: String, _ expected: String) throws {
        try expect(Self.lines(format, text), equals: [expected])
    }

    @Test(
        "A side of zero minutes is no side",
        arguments: [
            (
                BabyCare.FileFormat.huckleberry,
                huckleberry + "Feed,2026-08-20 05:00,2026-08-20 05:05,00:05,00:00R,Breast,00:05L,",
                "breastfeed durationS=300 side=left 300 s"
            ),
            (
                .huckleberry, huckleberry + "Feed,2026-08-20 05:00,,00:07,00:07R,Breast,00:00L,",
                "breastfeed durationS=420 side=right"
            ),
            (
                .huckleberry, huckleberry + "Feed,2026-08-20 05:00,,,00:00R,Breast,00:00L,",
                "breastfeed"
            ),
            (
                .huckleberry, huckleberry + "Feed,2026-08-20 05:00,,,00:06R,Breast,00:05L,",
                "breastfeed durationS=660 side=both"
            ),
            (
                .nara,
                "Type,Start Date/time (Epoch),[Breastfeed] Left Duration (Seconds),"
                    + "[Breastfeed] Right Duration (Seconds)\nBreastfeed,1790058780000,300,0",
                "breastfeed durationS=300 side=left"
            ),
            (
                .babyTracker,
                "Baby,Time,Start side,Left duration(minutes),Right duration(minutes)\n"
                    + "Mia,1/13/26 08:00,,0,7", "breastfeed durationS=420 side=right"
            ),
        ] as [(BabyCare.FileFormat, String, String)])
    func sides(_ format: BabyCare.FileFormat, _ text: String, _ expected: String) throws {
        try expect(Self.lines(format, text), equals: [expected])
    }

    @Test("The zone that a row names is that of its local times, in any format")
    func zones() throws {
        let nara =
            "Type,Start Date/time,Start Date/time (Epoch),Time Zone,[Sleep] End Date/time\n"
        func start(_ format: BabyCare.FileFormat, _ text: String) throws -> String {
            let rows = try CareFile.read(
                Array(text.utf8), as: format, zone: try Zones.zone("Asia/Seoul"),
                zones: try ZoneFiles.source(), rules: .standard)
            switch rows[0].result {
            case .success(let content):
                let entry = content.entries[0]
                return Timestamp.text(entry.started)
                    + (entry.ended.map { " " + Timestamp.text($0) } ?? "")
                    + (entry.startFlag.map { " \($0.name)" } ?? "")
            case .failure(let reason): return reason.code
            }
        }
        #expect(
            try start(
                .nara, nara + "Sleep,2026-07-06 12:00:00,,US/Eastern,2026-07-06 13:00:00\n")
                == "2026-07-06T16:00:00Z 2026-07-06T17:00:00Z")
        #expect(
            try start(.nara, nara + "Sleep,2026-07-06 12:00:00,,,2026-07-06 13:00:00\n")
                == "2026-07-06T03:00:00Z 2026-07-06T04:00:00Z")
        #expect(
            try start(.nara, nara + "Sleep,2026-11-01 01:30:00,,US/Eastern,2026-11-01 04:00:00\n")
                == "2026-11-01T05:30:00Z 2026-11-01T09:00:00Z ambiguous")
        try expect(
            start(.nara, nara + "Sleep,2026-07-06 12:00:00,,Mars/Olympus,\n"), equals: "unknownZone"
        )
        // Milliseconds need no zone.
        #expect(
            try start(.nara, nara + "Note,,1790058780000,Mars/Olympus,\n")
                == "2026-09-22T06:33:00Z")
        #expect(
            try start(
                .huckleberry, "Type,Start,End,Timezone\nSleep,2026-07-06 12:00,,+02:00\n")
                == "2026-07-06T10:00:00Z")
    }

    @Test(
        "Weights in pounds and ounces are one weight, and a row without any measure is no growth",
        arguments: [
            ("9lbs 3oz,,", "growth massMg=4167380"), ("\"9 lbs, 3 oz\",,", "growth massMg=4167380"),
            (",1ft 8in,", "growth lengthUm=508000"),
            ("4.5kg,55cm,38cmHC", "growth massMg=4500000 lengthUm=550000 headUm=380000"),
            (",,", "unreadableAmount Start Condition"),
            ("9lbs 3cm,,", "unreadableAmount Start Condition"),
        ])
    func growth(_ cells: String, _ expected: String) throws {
        let row = "Growth,2026-01-01 10:00,,,\(cells),"
        try expect(Self.lines(.huckleberry, Self.huckleberry + row), equals: [expected])
    }

    @Test(
        "The end of a day, 24:00:00, is the start of the next; a later time of that hour is none")
    func midnight() throws {
        for (time, expected) in [
            ("2026-01-01 24:00:00", "2026-01-02T00:00:00Z"),
            ("2026-12-31 24:00:00", "2027-01-01T00:00:00Z"),
            ("2026-12-31T24:00:00+01:00", "2026-12-31T23:00:00Z"),
        ] {
            let rows = try CareFile.read(
                Array("Type,Start,End\nSleep,\(time),\n".utf8), as: .huckleberry, zone: .utc,
                rules: .standard)
            expect(Timestamp.text(try rows[0].result.get().entries[0].started), equals: expected)
        }
        #expect(
            try Self.lines(.huckleberry, "Type,Start,End\nSleep,2026-01-01 24:00:01,")
                == ["unreadableTime Start"])
    }

    private static func chosen(
        _ format: BabyCare.FileFormat, _ text: String, _ child: String?
    ) throws -> [Int] {
        try CareFile.read(
            Array(text.utf8), as: format, zone: .utc, .init(), rules: .standard
        ).choosing(child: child).rows.filter {
            if case .success = $0.result { true } else { false }
        }.map(\.row)
    }

    @Test(
        "One child of a file is chosen by its id or its name, whichever row comes first",
        arguments: [
            (
                BabyCare.FileFormat.babyBuddy,
                "child_id,child_first_name,child_last_name,time,wet,solid\n"
                    + "2,Bo,Lee,2026-01-01 10:00:00,1,0\n1,Ada,Lee,2026-01-01 11:00:00,1,0\n"
                    + "3,Cy,Lee,2026-01-01 12:00:00,1,0\n", ["1", "ada lee"]
            ),
            (
                .nara,
                "Type,Profile Name,Start Date/time (Epoch),_profileKey,[Profile] Type\n"
                    + "Note,Bo,1790058780000,b,\nNote,,1790058780000,a,\nProfile,Ada,,a,CHILD\n"
                    + "Profile,Mum,,m,CAREGIVER\n", ["a", "Ada"]
            ),
            (
                .babyTracker,
                "Baby,Time,Status\nBo,1/13/26 08:00,Wet\nAda,1/14/26 08:00,Wet\n", ["Ada", "ada"]
            ),
            (
                .babyAI,
                babyAI + "e,b,PEE,2026-02-19T07:30:00Z,,{},{},MANUAL,,\n"
                    + "f,a,PEE,2026-02-19T07:30:00Z,,{},{},MANUAL,,\n", ["a"]
            ),
            (
                .huckleberry,
                "Child,Type,Start,End\nBo,Sleep,2026-01-01 10:00,\nAda,Sleep,2026-01-01 10:00,\n",
                ["Ada"]
            ),
        ] as [(BabyCare.FileFormat, String, [String])])
    func children(_ format: BabyCare.FileFormat, _ text: String, _ names: [String]) throws {
        for name in names {
            try expect(Self.chosen(format, text, name).first, equals: 2, "\(name)")
        }
        for name in [nil, "Zoe"] {
            let error = #expect(throws: InputError.self) {
                try Self.chosen(format, text, name)
            }
            expect(error?.message.contains(name == nil ? "--child" : "'Zoe'"), equals: true)
        }
    }

    @Test("A row of no child belongs to an only child, and is rejected beside several")
    func rowsWithoutChild() throws {
        let header = "Baby,Time,Status\n"
        let one = header + "Mia,1/13/26 08:00,Wet\n,1/14/26 08:00,Wet\n"
        try expect(Self.chosen(.babyTracker, one, nil), equals: [1, 2])
        try expect(Self.chosen(.babyTracker, one, "Mia"), equals: [1, 2])
        let two = one + "Noa,1/15/26 08:00,Wet\n"
        try expect(Self.chosen(.babyTracker, two, "Mia"), equals: [1])
        let none = header + ",1/13/26 08:00,Wet\n"
        try expect(Self.chosen(.babyTracker, none, nil), equals: [1])
        #expect(throws: InputError.self) { try Self.chosen(.babyTracker, none, "Mia") }
    }
}
