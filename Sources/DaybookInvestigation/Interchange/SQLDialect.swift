/// The programs that read an export of SQL.
package enum SQLDialect: String, CaseIterable, Sendable {
    /// Statements with rows of values, which sqlite3, DuckDB and PostgreSQL read alike.
    case standard
    /// Statements with the rows as one JSON text each, which DuckDB alone reads. DuckDB takes
    /// microseconds for each value of a list of values, and reads JSON as fast as CSV.
    case duckdb

    /// Returns the text before the rows of a statement that adds rows to a quoted table.
    func beginning(of table: String, _ types: [String]) -> String {
        guard self == .duckdb else { return "INSERT INTO \(table) VALUES\n" }
        let values = types.enumerated().map { index, type in
            let name = type.prefix { $0 != " " }
            return name == "TEXT" ? "r[\(index + 1)]" : "CAST(r[\(index + 1)] AS \(name))"
        }
        return "INSERT INTO \(table) SELECT \(values.joined(separator: ","))\n"
            + "FROM (SELECT unnest(from_json('[\n"
    }

    /// The text after the rows of a statement.
    var end: String { self == .duckdb ? "\n]','[\"VARCHAR[]\"]')) AS r);\n" : ";\n" }
}
