import Daybook
import DaybookModel

/// Reports as tables for spreadsheets, with one row per day and columns named as in the JSON.
enum ReportCSV {
    /// Returns a table with one row for each daily report, without the entries of the day.
    static func days(_ reports: [BabyCare.DayReport]) -> [[CSVCell]] {
        table(
            reports.map { report in
                FlatFields.of(report).filter { !$0.path.hasPrefix("entries") }
            })
    }

    /// Returns a table with one row for each day of the weekly or monthly reports.
    static func periods(_ reports: [BabyCare.PeriodReport]) -> [[CSVCell]] {
        table(reports.flatMap(\.days).map { FlatFields.of($0) })
    }

    /// Returns a table with a column for each JSON path that occurs in any row. A cell is empty if
    /// the row lacks the field or has null; a list is joined into one cell.
    private static func table(_ leaves: [[FlatFields.Leaf]]) -> [[CSVCell]] {
        let rows = leaves.map(cellsJoiningLists)
        var columns: [String] = []
        var known: Set<String> = []
        for row in rows {
            for leaf in row where !isParentOfColumns(leaf, rows) && known.insert(leaf.path).inserted
            {
                columns.append(leaf.path)
            }
        }
        var table: [[CSVCell]] = [columns.map { .text($0.visible) }]
        for row in rows {
            let values = Dictionary(
                row.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
            table.append(
                columns.map { column in
                    guard let cell = values[column] else { return .text("") }
                    return cell.isText ? .text(cell.value.visible) : .number(cell.value)
                })
        }
        return table
    }

    /// A value of a row, with the JSON path that names its column.
    private struct Cell {
        /// JSON path of the value, such as `feed.formula.ml`; a list has one path.
        var path: String
        /// The value as text; empty for null.
        var value: String
        /// True for a text, false for a number or a truth value.
        var isText: Bool
    }

    /// Returns the cells of one row, with the elements of a list in one cell: `D 1 drop; B 2 ml`.
    private static func cellsJoiningLists(_ leaves: [FlatFields.Leaf]) -> [Cell] {
        var joined: [Cell] = []
        var element = ""
        for leaf in leaves {
            let isText = leaf.value.hasPrefix("\"")
            guard let bracket = leaf.path.firstIndex(of: "[") else {
                joined.append(Cell(path: leaf.path, value: cellText(leaf.value), isText: isText))
                continue
            }
            let list = String(leaf.path[..<bracket])
            let own = String(leaf.path.prefix { $0 != "]" })
            let value = cellText(leaf.value)
            if joined.last?.path != list {
                joined.append(Cell(path: list, value: value, isText: true))
            } else if !value.isEmpty {
                let separator = own == element ? " " : "; "
                joined[joined.count - 1].value += separator + value
            }
            element = own
        }
        return joined
    }

    /// True if the value is empty, but is an object in another row, whose members have columns.
    private static func isParentOfColumns(_ leaf: Cell, _ rows: [[Cell]]) -> Bool {
        guard leaf.value.isEmpty else { return false }
        return rows.contains { row in row.contains { $0.path.hasPrefix(leaf.path + ".") } }
    }

    /// Returns a JSON value as the text of a cell; empty for null, `[]` and `{}`.
    private static func cellText(_ json: String) -> String {
        if ["null", "[]", "{}"].contains(json) { return "" }
        guard json.hasPrefix("\""), json.hasSuffix("\"") else { return json }
        // Decodes a JSON text, because CSV has different quotes and escapes.
        do throws(InputError) {
            guard case .text(let text) = try JSONParser.parse(json.utf8).content else {
                return json
            }
            return text
        } catch {
            return json
        }
    }
}
