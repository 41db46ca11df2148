import Daybook
import TestSupport
import Testing

@Suite struct CSVTests {
    @Test(
        "A CSV record has the line that it starts on, whatever ends it",
        arguments: [
            ("a,b\n1,2\n", [(1, ["a", "b"]), (2, ["1", "2"])]),
            ("a,b\r\n1,2", [(1, ["a", "b"]), (2, ["1", "2"])]),
            ("a\rb\r", [(1, ["a"]), (2, ["b"])]),
            ("\u{FEFF}a,b\n", [(1, ["a", "b"])]),
            ("a\n\n\nb\n", [(1, ["a"]), (4, ["b"])]),
            ("\"x\ny\",2\nz,3\n", [(1, ["x\ny", "2"]), (3, ["z", "3"])]),
            ("\"x\r\ny\"\r\nz\r\n", [(1, ["x\r\ny"]), (3, ["z"])]),
            ("\"say \"\"hi\"\"\",\n", [(1, ["say \"hi\"", ""])]),
            (",,\n", [(1, ["", "", ""])]), ("", []),
        ] as [(String, [(Int, [String])])])
    func records(_ text: String, _ expected: [(Int, [String])]) throws {
        let records = try CSVParser.parse(Array(text.utf8))
        #expect(records.map(\.line) == expected.map(\.0))
        #expect(records.map(\.fields) == expected.map(\.1))
    }

    @Test(
        "Malformed CSV is refused with its line",
        arguments: [
            ("a,b\n\"open,2\n3,4\n", 2), ("a\n\"x\"y\n", 2), ("a\nx\"y\"\n", 2),
            ("a\n\u{0}\n", 2),
        ] as [(String, Int)])
    func malformed(_ text: String, _ line: Int) {
        #expect {
            try CSVParser.parse(Array(text.utf8))
        } throws: { error in
            (error as? InputError)?.line == line
        }
        #expect(throws: InputError.self) { try CSVParser.parse([0x61, 0xFF, 0x0A]) }
    }

    @Test("Any fields that are written as CSV read back")
    func roundTrip() throws {
        let seed: UInt64 = 41
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", ",", "\"", "\n", "\r\n", " ", "é", "x"]
        for _ in 0..<500 {
            let fields = (0..<Int.random(in: 2...5, using: &random)).map { _ in
                (0..<Int.random(in: 0...6, using: &random))
                    .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
                    .joined()
            }
            var writer = CSVWriter()
            writer.writeRecord(fields)
            let read = try CSVParser.parse(Array(writer.text.utf8))
            let texts = read.map { $0.fields.map(SpreadsheetText.unescaped) }
            #expect(texts == [fields], "seed \(seed)")
        }
    }
}
