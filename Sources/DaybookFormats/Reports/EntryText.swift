import Daybook
import DaybookModel

/// Formats the care entries of a day as lines of text: time, kind, amounts and id.
enum EntryText {
    /// Maximum number of listed entries; the JSON answer has all entries.
    private static let maxEntries = 40

    /// Returns a heading and one line for each entry; no lines for a day without entries.
    static func lines(of report: BabyCare.DayReport, _ columns: Int) -> [String] {
        guard !report.entries.isEmpty else { return [] }
        var table = Table(columns: columns)
        for entry in report.entries.prefix(maxEntries) {
            let cells = [
                times(entry, on: report.date), entry.kind.name, amounts(entry), entry.entryId,
            ]
            table.rows.append(cells.map(\.visible))
        }
        let left = report.entries.count - maxEntries
        return ["", "Entries"] + table.lines
            + (left > 0 ? ["  … \(left) more; --json has them all"] : [])
    }

    /// A table of entries that fits a maximum width of lines.
    ///
    /// Amounts that are too wide are shortened; below 80 columns, ids then get lines of their own.
    private struct Table {
        /// Maximum width of a line, in characters.
        let columns: Int
        /// Rows of four cells: time, kind, amounts and id.
        var rows: [[String]] = []

        /// The rows as aligned lines.
        var lines: [String] {
            var widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
            // Amounts are shortened first, because a shortened id is useless.
            let tooMany = widths.reduce(8, +) - columns
            let isNarrow = tooMany > 0 && columns < 80
            if isNarrow {
                widths[2] = min(widths[2], max(8, columns - widths[..<2].reduce(6, +)))
                return rows.flatMap { row in
                    [line(Array(row[..<3]), widths), "    " + Self.truncated(row[3], columns - 4)]
                }
            }
            if tooMany > 0 { widths[2] = min(widths[2], max(8, widths[2] - tooMany)) }
            widths[3] = columns - widths[..<3].reduce(8, +)
            return rows.map { line($0, widths) }
        }

        /// Returns the line of a row, with each cell padded or shortened to its width.
        private func line(_ row: [String], _ widths: [Int]) -> String {
            let cells = zip(row, widths).enumerated().map { column, cell in
                let text = Self.truncated(cell.0, cell.1)
                return column == 3
                    ? text : text + String(repeating: " ", count: cell.1 - text.count)
            }
            return "  " + cells.joined(separator: "  ")
        }

        /// Returns the text, shortened with `…` if it exceeds a width.
        private static func truncated(_ text: String, _ width: Int) -> String {
            text.count > width ? text.prefix(max(0, width - 1)) + "…" : text
        }
    }

    /// Returns the times of an entry: `07:00`, `Sat 21:05–06:15`, `20:00– open`.
    ///
    /// - Parameter date: the day of the report; times on other days get their weekday.
    private static func times(_ entry: BabyCare.DayEntry, on date: String) -> String {
        let start = clock(entry.start, on: date)
        if entry.state == .open { return "\(start)– open" }
        guard let end = entry.end else { return start }
        return "\(start)–\(clock(end, on: date))" + (entry.isEstimated ? " estimated" : "")
    }

    /// Returns hours and minutes of a local time: `21:05`, or `Sat 21:05` on a day other than
    /// `date`.
    private static func clock(_ local: String, on date: String) -> String {
        let parts = local.split(separator: "T")
        let time = parts.last.map { String($0.prefix(5)) } ?? local
        guard let day = parts.first, day != date, let civil = CivilDate(text: String(day)) else {
            return time
        }
        return "\(ReportText.shortDate(civil).prefix(3)) \(time)"
    }

    /// Returns amounts, side, name and dose: `120 ml`, `left, 20 min`, `38.3 °C`; an empty text if
    /// the entry has none of these.
    private static func amounts(_ entry: BabyCare.DayEntry) -> String {
        let value = entry.value
        let parts: [String?] = [
            value.amountUl.map { "\(Tenths.rounded($0, 1_000)) ml" }, value.side?.name,
            value.durationS.map { ReportText.duration($0) },
            value.massMg.map { "\(Tenths.rounded($0, 1_000)) g" },
            value.lengthUm.map { "\(Tenths.rounded($0, 1_000)) mm" },
            value.headUm.map { "head \(Tenths.rounded($0, 1_000)) mm" },
            value.milliC.map { "\(Tenths(tenths: Tenths.rounded($0, 100)).text) °C" },
            value.count.flatMap { $0 == 1 ? nil : "× \($0)" },
            value.name.map { String($0.prefix(16)) }, value.dose.map { String($0.prefix(10)) },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
