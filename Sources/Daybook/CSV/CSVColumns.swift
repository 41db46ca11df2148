/// The columns of a file of comma-separated values, by name; capitals do not count.
public struct CSVColumns: Hashable, Sendable {
    /// Names of the columns, in their order.
    public let names: [String]
    /// Line number of the header.
    private let line: Int
    private let indices: [String: Int]

    /// - Throws: for a name that stands twice.
    public init(_ header: CSVParser.Record) throws(InputError) {
        names = header.fields.map(\.trimmed)
        line = header.line
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            guard indices.updateValue(index, forKey: name.lowercased()) == nil else {
                throw InputError("the header names a column twice", line: header.line, field: name)
            }
        }
        self.indices = indices
    }

    /// The index of a column; `nil` if the header lacks it.
    public subscript(name: String) -> Int? { indices[name.lowercased()] }

    /// Refuses a header without one of the columns.
    public func require(_ needed: [String], _ format: String) throws(InputError) {
        for name in needed where self[name] == nil {
            throw InputError(
                "the header lacks this column of the format \(format); found "
                    + names.joined(separator: ", "), line: line, field: name)
        }
    }
}

/// A row of a file of comma-separated values, whose cells are found by the names of their columns.
public struct CSVRow: Hashable, Sendable {
    /// Row number, from 1, the header not counted.
    public let row: Int
    /// Number of the row's first line in the file, from 1.
    public let line: Int
    /// The texts as they were before `CSVWriter` wrote them.
    public let cells: [String]
    private let columns: CSVColumns

    /// Reads a file with a header.
    ///
    /// - Parameter needed: columns that the header must have.
    public static func read(
        _ bytes: [UInt8], columns needed: [String], of format: String
    ) throws(InputError) -> [CSVRow] {
        let records = try CSVParser.parse(bytes)
        guard let header = records.first else {
            throw InputError("the file is empty; expected a header", line: 1)
        }
        let columns = try CSVColumns(header)
        try columns.require(needed, format)
        return records.dropFirst().enumerated().map { index, record in
            CSVRow(
                row: index + 1, line: record.line,
                cells: record.fields.map(SpreadsheetText.read), columns: columns)
        }
    }

    /// The cell of a column; empty where the row or the file has none.
    public subscript(column: String) -> String {
        guard let index = columns[column], index < cells.count else { return "" }
        return cells[index]
    }

    /// Refuses a row with other cells than the header.
    func checkCount() throws(Refusal) {
        guard cells.count != columns.names.count else { return }
        throw Refusal(
            "wrongCellCount", "has \(cells.count) cells; the header has \(columns.names.count)")
    }
}
