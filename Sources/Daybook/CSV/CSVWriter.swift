/// One cell of a table.
public enum CSVCell: Hashable, Sendable {
    /// A text, written after an apostrophe if a spreadsheet would run it as a formula.
    case text(String)
    /// A number as decimal text, such as `-3.5`, which is always written unchanged.
    case number(String)

    /// The text or number itself, without an apostrophe or quotes.
    var content: String {
        switch self {
        case .text(let text), .number(let text): text
        }
    }
}

/// A writer of comma-separated values (CSV), which quotes fields if needed.
///
/// A text that a spreadsheet would run as a formula gets a leading apostrophe, which
/// `SpreadsheetText.unescaped` removes again.
package struct CSVWriter {
    /// The records written so far, each ended by LF.
    public private(set) var text = ""
    /// True if texts that look like formulas are written without an apostrophe.
    private let isRaw: Bool

    /// Creates an empty writer; if `isRaw`, it writes formulas without an apostrophe.
    public init(isRaw: Bool = false) { self.isRaw = isRaw }

    /// Returns rows, the header first, as CSV; if `isRaw`, with formulas without an apostrophe.
    public static func text(_ rows: [[CSVCell]], isRaw: Bool = false) -> String {
        var writer = CSVWriter(isRaw: isRaw)
        for row in rows { writer.writeRecord(row) }
        return writer.text
    }

    /// Writes a record of texts.
    public mutating func writeRecord(_ fields: [String]) { writeRecord(fields.map { .text($0) }) }

    /// Writes a record of cells.
    public mutating func writeRecord(_ cells: [CSVCell]) {
        text += cells.map { Self.quoted(content(of: $0)) }.joined(separator: ",")
        text += "\n"
    }

    /// Returns the text to write for a cell, with an apostrophe before a formula unless `isRaw`.
    private func content(of cell: CSVCell) -> String {
        guard !isRaw, case .text(let text) = cell else { return cell.content }
        return SpreadsheetText.escaped(text)
    }

    /// Returns a field, in quotes if it contains a comma, a quote or a line end.
    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [10, 13, 34, 44].contains($0) }) else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

/// An escaping of texts that keeps spreadsheets from running them as formulas.
///
/// A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a leading
/// apostrophe. So does a text in which only apostrophes precede such a character, so that
/// `unescaped(_:)` restores every text exactly.
///
/// Source: OWASP, CSV Injection.
package enum SpreadsheetText {
    /// Returns the text, with a leading apostrophe if a spreadsheet would run it as a formula.
    public static func escaped(_ text: String) -> String {
        beginsLikeFormula(text) ? "'" + text : text
    }

    /// Returns the text without the apostrophe that `escaped(_:)` added, if any.
    public static func unescaped(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "'"), beginsLikeFormula(text) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
    }

    /// True if the text begins like a formula, apart from leading apostrophes.
    private static func beginsLikeFormula(_ text: String) -> Bool {
        let first = text.utf8.first { $0 != UInt8(ascii: "'") }
        return first.map { [9, 13, 43, 45, 61, 64].contains($0) } ?? false
    }
}
