import TestSupport
import Testing

@testable import DaybookTool

/// Columns of tables for people.
@Suite struct TableTests {
    /// Cells whose characters are one byte, several bytes, or several scalars each.
    private static let cells = [
        "", "a", "1 event", "2026-03-01T08:00:00Z", "Zoë", "e\u{301}", "日本語", "👶🏽 slept", "a\r\nb",
        "\u{301}", "tab\there",
    ]

    @Test("Cells are padded to the characters of the widest cell of their column")
    func padding() {
        print("seed \(Cases.seed)")
        var generator = SeededGenerator(seed: Cases.seed)
        for round in 0..<200 {
            let rows = (0..<round % 6).map { _ in
                (0..<3).map { _ in Self.cells.randomElement(using: &generator) ?? "" }
            }
            var table = Table(.leading, .trailing, .leading, minimumWidths: [4], margin: " ")
            for row in rows { table.add(row[0], row[1], row[2]) }
            let widths = (0..<3).map { column in
                rows.map { $0[column].count }.reduce(column == 0 ? 4 : 0, max)
            }
            let wanted = rows.map { row in
                let blanks = (0..<3).map {
                    String(repeating: " ", count: widths[$0] - row[$0].count)
                }
                return " " + row[0] + blanks[0] + "  " + blanks[1] + row[1] + "  " + row[2]
            }
            expect(table.lines.map { Array($0.utf8) }, equals: wanted.map { Array($0.utf8) })
            expect(table.start(ofColumn: 2), equals: 5 + widths[0] + widths[1])
        }
    }
}
