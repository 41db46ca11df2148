import Daybook

/// A writer of `INSERT` statements for one table, each with many rows, so that loading is fast.
struct SQLInserts: Sendable {
    static let rowCount = 500

    /// Beginning of each statement, in UTF-8.
    private let beginning: [UInt8]
    /// End of each statement, in UTF-8.
    private let end: [UInt8]
    private var statement: [UInt8] = []
    private var count = 0

    /// Prepares to write statements for a table with a quoted name and columns of some SQL types.
    init(into table: String, _ types: [String], _ dialect: SQLDialect) {
        beginning = Array(dialect.beginning(of: table, types).utf8)
        end = Array(dialect.end.utf8)
    }

    /// Adds a row; appends the statement to `output` once the statement is complete.
    mutating func add(_ row: Span<UInt8>, to output: inout [UInt8]) {
        if count == 0 {
            statement += beginning
        } else {
            statement.append(UInt8(ascii: ","))
            statement.append(UInt8(ascii: "\n"))
        }
        statement.append(addingCapacity: row.count) { $0.append(contentsOf: row) }
        count += 1
        if count == Self.rowCount { end(&output) }
    }

    /// Adds a row of `rows`, of which `ends` has the offset after each, unless it is empty.
    mutating func add(
        _ rows: borrowing [UInt8], _ ends: borrowing [Int], _ row: Int, to output: inout [UInt8]
    ) {
        let start = row == 0 ? 0 : ends[row - 1]
        guard ends[row] > start else { return }
        add(rows.contents.extracting(start..<ends[row]), to: &output)
    }

    /// Appends a statement with the rows that are left, if any, to `output`.
    mutating func end(_ output: inout [UInt8]) {
        guard count > 0 else { return }
        output += statement
        output += end
        statement.removeAll(keepingCapacity: true)
        count = 0
    }
}
