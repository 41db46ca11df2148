/// One cell of a table.
public enum CSVCell: Hashable, Sendable {
    case text(String)
    /// A number as it is written, which stays one in a spreadsheet: `-3.5`.
    case number(String)

    var content: String {
        switch self {
        case .text(let text), .number(let text): text
        }
    }
}

/// Writes comma-separated values, with quotes where they are needed.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe in front, which
/// `SpreadsheetText.read` takes off again.
public struct CSVWriter {
    /// The rows written so far.
    public private(set) var text = ""
    /// True for a file whose texts stand as they are.
    private let isRaw: Bool

    public init(isRaw: Bool = false) {
        self.isRaw = isRaw
    }

    /// A record of texts.
    public mutating func record(_ fields: [String]) {
        record(fields.map { .text($0) })
    }

    public mutating func record(_ cells: [CSVCell]) {
        text += cells.map { Self.quoted(content(of: $0)) }.joined(separator: ",")
        text += "\n"
    }

    private func content(of cell: CSVCell) -> String {
        guard !isRaw, case .text(let text) = cell else { return cell.content }
        return SpreadsheetText.written(text)
    }

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { [10, 13, 34, 44].contains($0) }
        guard needsQuotes else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

/// Texts in the form in which no spreadsheet runs them.
///
/// A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe, and
/// so does one with apostrophes before one of these, by which every text reads back.
///
/// Source: OWASP, CSV Injection.
public enum SpreadsheetText {
    /// The text with an apostrophe before what a spreadsheet would execute.
    public static func written(_ text: String) -> String {
        isRun(text) ? "'" + text : text
    }

    /// The text that was written; texts without such an apostrophe stay as they are.
    public static func read(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "'"), isRun(text) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
    }

    /// True for a text that is a formula behind any apostrophes at its beginning.
    private static func isRun(_ text: String) -> Bool {
        let first = text.utf8.first { $0 != UInt8(ascii: "'") }
        return first.map { [9, 13, 43, 45, 61, 64].contains($0) } ?? false
    }
}

/// A table for spreadsheets.
public struct CSVTable: Hashable, Sendable {
    /// Cells by row, the header first.
    public var rows: [[CSVCell]]

    public init(_ rows: [[CSVCell]] = []) {
        self.rows = rows
    }

    /// - Parameter isRaw: `true` to leave formulas in texts as they are.
    public func text(isRaw: Bool = false) -> String {
        var writer = CSVWriter(isRaw: isRaw)
        for row in rows { writer.record(row) }
        return writer.text
    }
}
