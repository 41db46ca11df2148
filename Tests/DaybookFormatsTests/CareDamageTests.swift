import Daybook
import DaybookInput
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// Files that were cut short or hit by stray bytes.
@Suite struct CareDamageTests {
    struct Sound: Sendable, CustomTestStringConvertible {
        var name: String
        var format: BabyCare.FileFormat
        var text: String

        init(_ name: String, _ format: BabyCare.FileFormat, _ lines: String...) {
            self.name = name
            self.format = format
            text = lines.joined(separator: "\r\n") + "\r\n"
        }

        var testDescription: String { name }
    }

    static let files = [
        Sound(
            "Baby Connect", .babyConnect,
            "Date and Time,End Time,Duration (min),Activity,Quantity,Extra data,Text,Notes,Caregiver",
            "6/30/20 7:44 PM,7/1/20 12:10 AM,266,Sleep,,,\"a, b\",,U",
            "6/30/20 7:44 PM,,12,Bottle,4.5 oz,Milk,,,U", "6/30/20 7:44 PM,,,Weight,13,lbs,,,U",
            "6/30/20 7:44 PM,,,Diaper,,BM and wet,,\"say \"\"hi\"\"\",U"),
        Sound(
            "Huckleberry", .huckleberry,
            "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes",
            "Feed,2026-01-14 22:20,2026-01-14 22:31,00:11,00:03R,Breast,00:07L,",
            "Growth,2026-02-09 12:01,,,6.66kg,62.5cm,41cmHC,", "Temp,2025-12-29 23:40,,,37.6C,,,",
            "Diaper,2026-02-22 14:07,,green,,,\"Both, pee:small poo:big\",x"),
        Sound(
            "Baby Buddy's sleep", .babyBuddy, "child_id,start,nap,end,notes",
            "1,2020-02-17 00:14:09,1,2020-02-17 02:48:09,\"two\nlines\""),
        Sound(
            "Baby Buddy's feeding", .babyBuddy, "child_id,start,end,type,method,amount,notes",
            "1,2020-02-17 03:04:09,2020-02-17 03:12:09,formula,bottle,90.5,n"),
        Sound(
            "Baby Buddy's diapers", .babyBuddy, "child_id,time,wet,solid,color,amount",
            "1,2020-02-17T03:54:09+09:00,1,1,green,6.2"),
        Sound(
            "Baby Buddy's temperature", .babyBuddy, "child_id,temperature,time,notes",
            "1,97.7,2022-05-28 10:50:06,"),
        Sound(
            "BabyAI", .babyAI,
            "event_id,baby_id,type,start_time_utc,end_time_utc,value_json,metadata_json,source,"
                + "created_by,created_at_utc",
            "e1,b,FORMULA,2026-02-19T07:30:00Z,,\"{\"\"ml\"\":120,\"\"duration_min\"\":15}\","
                + "\"{\"\"tags\"\":[1,{\"\"a\"\":2}]}\",MANUAL,u1,2026-02-19 07:31:00.5"),
    ]

    /// An error has its line, a rejected row what it is called; whatever is read is in order.
    private func check(_ bytes: [UInt8], _ format: BabyCare.FileFormat, _ label: String) {
        do throws(InputError) {
            let rows = try CareFile.read(bytes, as: format, zone: .utc, rules: .standard)
            var lastLine = 1
            for row in rows {
                #expect(row.line > lastLine, "\(label)")
                lastLine = row.line
                switch row.result {
                case .success(let content):
                    #expect(!content.entries.isEmpty, "\(label)")
                    for entry in content.entries {
                        #expect(entry.ended ?? .max >= entry.started, "\(label)")
                    }
                case .failure(let reason):
                    #expect(!reason.code.isEmpty && !reason.message.isEmpty, "\(label)")
                    #expect(reason.message.count < 400, "\(label)")
                }
            }
        } catch {
            #expect(error.line ?? 0 >= 1, "\(label): \(error)")
        }
    }

    @Test("An intact file has no rejected row", arguments: files)
    func sound(_ file: Sound) throws {
        let rows = try CareFile.read(
            Array(file.text.utf8), as: file.format, zone: .utc, rules: .standard)
        for row in rows { _ = try row.result.get() }
    }

    @Test("A file cut anywhere gives an error with a line, or whole rows", arguments: files)
    func cut(_ file: Sound) {
        let bytes = Array(file.text.utf8)
        for count in bytes.indices { check(Array(bytes[..<count]), file.format, "cut at \(count)") }
    }

    @Test("A file with stray bytes gives an error with a line, or rejected rows", arguments: files)
    func strayBytes(_ file: Sound) {
        let seed: UInt64 = 4_180
        var random = SeededGenerator(seed: seed)
        let likely = Array("\",\r\n:/-+.0179 {}[]TZ".utf8)
        for round in 0..<1_500 {
            var bytes = Array(file.text.utf8)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(likely.randomElement(using: &random) ?? 0, at: index)
                default: bytes[index] = likely.randomElement(using: &random) ?? 0
                }
            }
            check(bytes, file.format, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "A fault in a file is reported with its line",
        arguments: [
            ("a\n\"x\ny\n", 2, "never closed"), ("a\n\n\"x\"y\n", 3, "after a closing quote"),
            ("a\n\"x\ny\"z\n", 3, "after a closing quote"),
            ("a\r\nb\"c\r\n", 2, "not quoted"), ("a\r\"b\u{0}\"\r", 2, "NUL"),
            ("\u{FEFF}\"a\"b", 1, "after a closing quote"), ("a\n\"", 2, "never closed"),
        ])
    func messages(_ text: String, _ line: Int, _ message: String) {
        let error = #expect(throws: InputError.self) { try CSVParser.parse(Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true)
    }

    @Test("Bytes that are not text are refused wherever they are")
    func notText() {
        for stray: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] {
            for (before, after) in [("a\n", "\n"), ("a\n\"", "\"\n")] {
                let bytes = Array(before.utf8) + stray + Array(after.utf8)
                let error = #expect(throws: InputError.self) { try CSVParser.parse(bytes) }
                #expect(error?.line == 2)
            }
        }
    }
}
