import Daybook
import TestSupport
import Testing

@Suite struct SpreadsheetTextTests {
    @Test(
        "A text that a spreadsheet would run gets an apostrophe, and any text reads back",
        arguments: [
            ("=1+1", "'=1+1"), ("+49 30", "'+49 30"), ("-5", "'-5"), ("@home", "'@home"),
            ("\tx", "'\tx"), ("\rx", "'\rx"), ("'=1", "''=1"), ("''@", "'''@"), ("'hi", "'hi"),
            ("hi", "hi"), ("", ""), ("'", "'"), ("a=b", "a=b"), ("{\"=\":1}", "{\"=\":1}"),
        ])
    func texts(_ text: String, _ written: String) throws {
        #expect(SpreadsheetText.escaped(text) == written)
        #expect(SpreadsheetText.unescaped(written) == text)
        var (writer, raw) = (CSVWriter(), CSVWriter(isRaw: true))
        writer.writeRecord([text, "x"])
        raw.writeRecord([text, "x"])
        #expect(try CSVParser.parse(Array(writer.text.utf8))[0].fields == [written, "x"])
        #expect(try CSVParser.parse(Array(raw.text.utf8))[0].fields == [text, "x"])
    }

    @Test("Any text reads back from the form that no spreadsheet runs")
    func roundTrip() {
        var random = SeededGenerator(seed: 91)
        let pieces = ["'", "=", "+", "-", "@", "\t", "\r", "\n", "a", "1", " ", "\u{301}", "é"]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...5, using: &random))
                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            let written = SpreadsheetText.escaped(text)
            let restored = SpreadsheetText.unescaped(written)
            #expect(restored.unicodeScalars.elementsEqual(text.unicodeScalars))
            #expect(written.utf8.first.map { [9, 13, 43, 45, 61, 64].contains($0) } != true)
        }
    }

    @Test("Numbers stay numbers in a table")
    func numbers() {
        let table: [[CSVCell]] = [[.text("n"), .text("=x")], [.number("-3.5"), .text("-3.5")]]
        #expect(CSVWriter.text(table) == "n,'=x\n-3.5,'-3.5\n")
        #expect(CSVWriter.text(table, isRaw: true) == "n,=x\n-3.5,-3.5\n")
    }
}
