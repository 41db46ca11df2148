import Daybook
import DaybookModel

/// Draws the sleeps, feeds and diapers of a day as rows of characters.
enum TextBar {
    /// Returns the number of characters for 24 hours that fits lines of a width.
    private static func width(_ columns: Int) -> Int {
        columns >= 77 ? 72 : columns >= 52 ? 48 : 24
    }

    /// Returns the lines of one day: bar of sleeps, marks, hours and legend.
    ///
    /// - Parameter columns: the maximum width of a line.
    static func day(_ day: ReportPicture.Day, columns: Int) -> [String] {
        let count = characterCount(day.lengthS, width(columns))
        var lines = ["  " + sleeps(day, count)]
        let feeds = marks(day, count) { kind in
            switch kind {
            case .formula: "●"
            case .breastfeed: "○"
            case .weaning: "◆"
            default: nil
            }
        }
        let diapers = marks(day, count) { $0 == .poo ? "▪" : $0 == .pee ? "▫" : nil }
        for row in [feeds, diapers] where row.contains(where: { $0 != " " }) {
            lines.append("  " + row)
        }
        lines.append("  " + hours(day, count))
        let legend = legend(day)
        return lines + wrapped(legend, columns - 2).map { "  " + $0 }
    }

    /// Returns the legend as lines that break only between items.
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

    /// Returns the number of characters for a day of a given length.
    ///
    /// - Parameter width: the number of characters for 24 hours.
    static func characterCount(_ lengthS: Int64, _ width: Int) -> Int {
        Int((lengthS * Int64(width) + 43_200) / 86_400)
    }

    /// Returns the bar of a day, with `count` characters from the start to the end of the day.
    static func sleeps(_ day: ReportPicture.Day, _ count: Int) -> String {
        guard count > 0 else { return "" }
        return (0..<Int64(count)).map { cell in
            let from = cell * day.lengthS / Int64(count)
            let to = (cell + 1) * day.lengthS / Int64(count)
            return sleep(day, [from..<to])
        }.joined()
    }

    /// Returns a bar of 24 clock hours, aligned to the same hours on every day.
    ///
    /// Hours that the clocks skipped are blank; repeated hours share their characters.
    static func clockSleeps(_ day: ReportPicture.Day, _ count: Int) -> String {
        (0..<Int64(count)).map { cell in
            let from = cell * 86_400 / Int64(count)
            let to = (cell + 1) * 86_400 / Int64(count)
            let ranges = day.places(of: from..<to)
            return ranges.isEmpty ? " " : sleep(day, ranges)
        }.joined()
    }

    /// Returns the labels of every third hour below bars from `clockSleeps`.
    ///
    /// - Parameter dayStartS: the time at which days start, in seconds after midnight.
    static func clockHours(_ dayStartS: Int64, _ count: Int) -> String {
        var row = [String](repeating: " ", count: count + 2)
        for hour in stride(from: Int64(0), to: 24, by: 3) {
            let place = (hour * 3_600 - dayStartS + 86_400) % 86_400
            let cell = Int(place * Int64(count) / 86_400)
            let text = hour < 10 ? "0\(hour)" : "\(hour)"
            for (offset, digit) in text.enumerated() { row[cell + offset] = "\(digit)" }
        }
        return row.joined()
    }

    /// Returns the character of a cell: the longest kind of sleep, if sleep fills half of it.
    ///
    /// - Parameter cell: the positions that the cell covers, in seconds from the start of the day.
    private static func sleep(_ day: ReportPicture.Day, _ cell: [Range<Int64>]) -> String {
        var best: (seconds: Int64, style: ReportPicture.Sleep.Style)?
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
        case .countedBefore: "-"
        }
    }

    /// Returns a row with one character per mark; the last mark in a cell is shown.
    ///
    /// - Parameter sign: returns the character of a kind; `nil` to leave the kind out.
    private static func marks(
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

    /// Returns labels of every third hour, aligned with the bar.
    private static func hours(_ day: ReportPicture.Day, _ count: Int) -> String {
        var row = [String](repeating: " ", count: count + 2)
        for (hour, atS) in day.hours where hour % 3 == 0 && day.lengthS > 0 {
            let cell = Int(atS * Int64(count) / day.lengthS)
            let text = hour < 10 ? "0\(hour)" : "\(hour)"
            guard cell + 1 < row.count, row[cell] == " " else { continue }
            for (offset, character) in text.enumerated() { row[cell + offset] = "\(character)" }
        }
        return row.joined()
    }

    /// Returns the legend of the sleep characters that the days use.
    static func sleepLegend(_ days: [ReportPicture.Day]) -> [String] {
        let styles = Set(days.flatMap { $0.sleeps.map(\.style) })
        let names: [(ReportPicture.Sleep.Style, String)] = [
            (.night, "█ night"), (.nap, "▓ nap"), (.estimated, "░ estimated"), (.open, "› open"),
            (.countedBefore, "- counted on the day it began"),
        ]
        return names.filter { styles.contains($0.0) }.map(\.1)
    }

    /// Returns the legend of the characters that the day uses.
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
