/// The columns of a CSV file, found by name without regard to upper and lower case.
package struct CSVColumns: Hashable, Sendable {
    /// Names of the columns in the order of the file, without surrounding white space.
    public let names: [String]
    /// Line number of the header in the file, from 1.
    private let line: Int
    /// The index of each column, by the column's name as in the file and in lower case.
    private let indices: [String: Int]

    /// Reads the names of the columns from a header; throws if two columns share a name.
    public init(_ header: CSVParser.Record) throws(InputError) {
        names = header.fields.map(\.trimmed)
        line = header.line
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            guard indices.updateValue(index, forKey: name.lowercased()) == nil else {
                throw InputError(
                    "the header has two columns named '\(name)'; expected different names",
                    line: header.line, field: name)
            }
        }
        for (index, name) in names.enumerated() where !name.isEmpty { indices[name] = index }
        self.indices = indices
    }

    /// The index of a column with this name in any case; `nil` if the header lacks the column.
    public subscript(name: String) -> Int? {
        // A search among the names takes less time than the hash of one.
        let byteCount = name.utf8.count
        for index in names.indices where names[index].utf8.count == byteCount {
            if byteCount > 0, names[index] == name { return index }
        }
        return indices[name] ?? indices[name.lowercased()]
    }

    /// Throws an error, which names the format, if the header lacks one of the needed columns.
    public func require(_ needed: [String], _ format: String) throws(InputError) {
        for name in needed where self[name] == nil {
            throw InputError(
                "the header lacks the column '\(name)', which the format \(format) requires; found "
                    + "the columns \(names.joined(separator: ", "))", line: line, field: name)
        }
    }
}

/// A row of a CSV file, whose cells are found by the names of their columns.
public struct CSVRow: Hashable, Sendable {
    /// Number of the row from 1, not counting the header and blank lines.
    public let row: Int
    /// Number of the row's first line in the file, from 1.
    public let line: Int
    /// The cells, without the apostrophes that `CSVWriter` puts before formulas.
    public let cells: [String]
    private let columns: CSVColumns

    /// Reads the rows of a file whose header must have the `needed` columns; errors name the
    /// `format`.
    public static func read(
        _ bytes: [UInt8], columns needed: [String], of format: String
    ) throws(InputError) -> [CSVRow] {
        let records = try CSVParser.parse(bytes)
        guard let header = records.first else {
            throw InputError(
                "the file is empty; expected a header with the names of the columns", line: 1)
        }
        let columns = try CSVColumns(header)
        try columns.require(needed, format)
        return records.dropFirst().enumerated().map { index, record in
            CSVRow(
                row: index + 1, line: record.line,
                cells: record.fields.map(SpreadsheetText.unescaped), columns: columns)
        }
    }

    /// The cell of a column; empty if the file has no such column or the row has fewer cells.
    public subscript(column: String) -> String {
        guard let index = columns[column], index < cells.count else { return "" }
        return cells[index]
    }

    /// Throws a refusal if the row does not have as many cells as the header.
    func checkCellCount() throws(Refusal) {
        guard cells.count != columns.names.count else { return }
        throw Refusal(
            "wrongCellCount",
            "the row has \(cells.count) cells; expected \(columns.names.count), as in the header")
    }
}
