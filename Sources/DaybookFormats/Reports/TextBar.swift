import Daybook
import DaybookModel

/// Draws the sleeps, feeds and diapers of a day as lines of text.
///
/// In a bar of sleeps each character (cell) stands for an equal part of the day.
enum TextBar {
    /// Returns the number of characters for 24 hours in a bar.
    private static func charactersPerDay(_ columns: Int) -> Int {
        columns >= 77 ? 72 : columns >= 52 ? 48 : 24
    }

    /// Returns the lines of one day: a bar of sleeps, marks of other entries, hours and a legend.
    static func dayLines(_ day: ReportPicture.Day, columns: Int) -> [String] {
        let count = characterCount(day.lengthS, charactersPerDay(columns))
        var lines = ["  " + sleepBar(day, count)]
        let feeds = markRow(day, count) { kind in
            switch kind {
            case .formula: "●"
            case .breastfeed: "○"
            case .weaning: "◆"
            default: nil
            }
        }
        let diapers = markRow(day, count) { $0 == .poo ? "▪" : $0 == .pee ? "▫" : nil }
        for row in [feeds, diapers] where row.contains(where: { $0 != " " }) {
            lines.append("  " + row)
        }
        lines.append("  " + hourLabels(day, count))
        let legend = legend(day)
        return lines + wrapped(legend, columns - 2).map { "  " + $0 }
    }

    /// Returns the items of a legend as lines, each at most `columns` characters wide.
    static func wrapped(_ legend: [String], _ columns: Int) -> [String] {
        var lines: [String] = []
        for sign in legend {
            if let line = lines.last, line.count + 2 + sign.count <= columns {
                lines[lines.count - 1] = "\(line)  \(sign)"
            } else {
                lines.append(sign)
            }
        }
        return lines
    }

    /// Returns the number of characters for a day of a given length in seconds.
    static func characterCount(_ lengthS: Int64, _ width: Int) -> Int {
        Int((lengthS * Int64(width) + 43_200) / 86_400)
    }

    /// Returns the bar of sleeps of a day, with `count` characters from its start to its end.
    static func sleepBar(_ day: ReportPicture.Day, _ count: Int) -> String {
        guard count > 0 else { return "" }
        return (0..<Int64(count)).map { cell in
            let from = cell * day.lengthS / Int64(count)
            let to = (cell + 1) * day.lengthS / Int64(count)
            return sleepCharacter(day, [from..<to])
        }.joined()
    }

    /// Returns a bar of sleeps whose `count` characters stand for the same clock times every day.
    /// Clock times that the clocks skipped are blank. If the clocks repeated an hour, its
    /// characters stand for both hours.
    static func clockSleepBar(_ day: ReportPicture.Day, _ count: Int) -> String {
        (0..<Int64(count)).map { cell in
            let from = cell * 86_400 / Int64(count)
            let to = (cell + 1) * 86_400 / Int64(count)
            let ranges = day.positions(of: from..<to)
            return ranges.isEmpty ? " " : sleepCharacter(day, ranges)
        }.joined()
    }

    /// Returns the line with a label for every third hour, for bars from `clockSleepBar`.
    static func clockHourLabels(_ dayStartS: Int64, _ count: Int) -> String {
        var row = [String](repeating: " ", count: count + 2)
        for hour in stride(from: Int64(0), to: 24, by: 3) {
            let place = (hour * 3_600 - dayStartS + 86_400) % 86_400
            let cell = Int(place * Int64(count) / 86_400)
            let text = hour < 10 ? "0\(hour)" : "\(hour)"
            for (offset, digit) in text.enumerated() { row[cell + offset] = "\(digit)" }
        }
        return row.joined()
    }

    /// Returns the character for one cell of a bar.
    ///
    /// The character shows the style of the sleep that fills most of the cell, or `·` if sleeps
    /// fill less than half of the cell.
    ///
    /// - Parameter cell: the parts of the day that the cell stands for, in seconds from the start
    ///   of the day.
    private static func sleepCharacter(_ day: ReportPicture.Day, _ cell: [Range<Int64>]) -> String {
        var best: (seconds: Int64, style: ReportPicture.SleepPart.Style)?
        var total: Int64 = 0
        for sleep in day.sleeps {
            let seconds = cell.reduce(0) { $0 + Int64(sleep.range.clamped(to: $1).count) }
            guard seconds > 0 else { continue }
            total += seconds
            if seconds > best?.seconds ?? 0 { best = (seconds, sleep.style) }
        }
        let length = cell.reduce(0) { $0 + Int64($1.count) }
        guard let best, total * 2 >= length else { return "·" }
        return switch best.style {
        case .night: "█"
        case .nap: "▓"
        case .estimated: "░"
        case .open: "›"
        case .countedOnEarlierDay: "-"
        }
    }

    /// Returns a line with a character for each mark; if marks share a cell, the last is shown.
    private static func markRow(
        _ day: ReportPicture.Day, _ count: Int, _ sign: (BabyCare.Kind) -> String?
    ) -> String {
        var row = [String](repeating: " ", count: count)
        for mark in day.marks {
            guard let sign = sign(mark.kind), day.lengthS > 0 else { continue }
            let cell = min(count - 1, Int(mark.atS * Int64(count) / day.lengthS))
            if cell >= 0 { row[cell] = sign }
        }
        return row.joined()
    }

    /// Returns the line with a label for every third hour, for a bar of `count` characters.
    private static func hourLabels(_ day: ReportPicture.Day, _ count: Int) -> String {
        var row = [String](repeating: " ", count: count + 2)
        for (hour, atS) in day.hours where hour % 3 == 0 && day.lengthS > 0 {
            let cell = Int(atS * Int64(count) / day.lengthS)
            let text = hour < 10 ? "0\(hour)" : "\(hour)"
            guard cell + 1 < row.count, row[cell] == " " else { continue }
            for (offset, character) in text.enumerated() { row[cell + offset] = "\(character)" }
        }
        return row.joined()
    }

    /// Returns the legend of the characters for sleeps that occur on the days.
    static func sleepLegend(_ days: [ReportPicture.Day]) -> [String] {
        let styles = Set(days.flatMap { $0.sleeps.map(\.style) })
        let names: [(ReportPicture.SleepPart.Style, String)] = [
            (.night, "█ night"), (.nap, "▓ nap"), (.estimated, "░ estimated"), (.open, "› open"),
            (.countedOnEarlierDay, "- counted on the day it began"),
        ]
        return names.filter { styles.contains($0.0) }.map(\.1)
    }

    /// Returns the legend of the characters that occur on the day.
    private static func legend(_ day: ReportPicture.Day) -> [String] {
        let marks = { (kind: BabyCare.Kind) in day.marks.contains { $0.kind == kind } }
        let signs = [
            (marks(.formula), "● formula"),
            (marks(.breastfeed), "○ breast"), (marks(.weaning), "◆ weaning"),
            (marks(.pee), "▫ pee"), (marks(.poo), "▪ poo"),
        ].filter(\.0).map(\.1)
        return sleepLegend([day]) + signs
    }
}
