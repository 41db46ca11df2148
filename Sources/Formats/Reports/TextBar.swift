import CivilTime
import Domain

/// A day as rows of characters.
enum TextBar {
    /// Characters of a bar of 24 hours.
    static let width = 72

    /// The bar, the marks and the hours of one day, with what they mean.
    static func day(_ day: ReportPicture.Day) -> [String] {
        let count = cells(day.lengthS, width)
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
        if !legend.isEmpty { lines.append("  " + legend.joined(separator: "  ")) }
        return lines
    }

    /// How many characters a day of some seconds takes.
    static func cells(_ lengthS: Int64, _ width: Int) -> Int {
        Int((lengthS * Int64(width) + 43_200) / 86_400)
    }

    static func sleeps(_ day: ReportPicture.Day, _ count: Int) -> String {
        guard count > 0 else { return "" }
        return (0..<Int64(count)).map { cell in
            let from = cell * day.lengthS / Int64(count)
            let to = (cell + 1) * day.lengthS / Int64(count)
            return sleep(day, from..<to)
        }.joined()
    }

    /// The sort of sleep that fills most of a cell, if sleep fills half of it.
    private static func sleep(_ day: ReportPicture.Day, _ cell: Range<Int64>) -> String {
        var best: (seconds: Int64, sort: ReportPicture.Sleep.Sort)?
        var total: Int64 = 0
        for sleep in day.sleeps {
            let part = sleep.range.clamped(to: cell)
            guard !part.isEmpty else { continue }
            total += Int64(part.count)
            if Int64(part.count) > best?.seconds ?? 0 { best = (Int64(part.count), sleep.sort) }
        }
        guard let best, total * 2 >= Int64(cell.count) else { return "·" }
        return switch best.sort {
        case .night: "█"
        case .nap: "▓"
        case .estimated: "░"
        case .open: "›"
        case .countedBefore: "-"
        }
    }

    /// One character for each thing; several in a cell show the first and its number.
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

    /// Every third hour under its place.
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

    /// The meaning of the characters of bars, as far as they are drawn.
    static func sleepLegend(_ days: [ReportPicture.Day]) -> [String] {
        let sorts = Set(days.flatMap { $0.sleeps.map(\.sort) })
        let names: [(ReportPicture.Sleep.Sort, String)] = [
            (.night, "█ night"), (.nap, "▓ nap"), (.estimated, "░ estimated"), (.open, "› open"),
            (.countedBefore, "- counted the day before"),
        ]
        return names.filter { sorts.contains($0.0) }.map(\.1)
    }

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
