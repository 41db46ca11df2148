import CivilTime
public import Domain
import EventSourcing

extension ReportText {
    /// A week or month: one bar a day, then what it adds up to.
    public static func period(
        _ report: BabyCare.PeriodReport, _ picture: ReportPicture
    ) -> String {
        var lines = [heading(report), ""]
        lines.append(
            columns("", String(repeating: " ", count: 36), ["sleep", "feeds", "ml", "p/p"]))
        for (day, drawn) in zip(report.days, picture.days) { lines.append(row(day, drawn)) }
        lines.append(columns("", hours(), []))
        let legend = TextBar.sleepLegend(picture.days)
        if !legend.isEmpty { lines.append(columns("", legend.joined(separator: "  "), [])) }
        if let note = picture.note { lines.append(columns("", note, [])) }
        lines +=
            [""] + table(report.figures, report.basis, isDay: false) + health(report)
            + averages(report.average) + trends(report.trend)
        return finish(lines + footer(report.basis))
    }

    /// One row for each visit and symptom, in order of time.
    private static func health(_ report: BabyCare.PeriodReport) -> [String] {
        let visits = report.visits.map { ($0.started, "Visit", $0.at, [$0.name, $0.type]) }
        let symptoms = report.symptoms.map { symptom in
            let degrees = symptom.milliC.map {
                "\(Tenths(tenths: Tenths.rounded($0, 100)).text) °C"
            }
            return (symptom.started, "Symptom", symptom.at, [symptom.name, symptom.type, degrees])
        }
        return (visits + symptoms).sorted { $0.0 < $1.0 }.flatMap { _, label, at, words in
            let parts = at.split(separator: "T")
            let day = parts.first.flatMap { CivilDate(text: String($0)) }.map(short) ?? at
            let clock = parts.last?.prefix(5) ?? ""
            let text = words.compactMap(\.self).joined(separator: " ")
            return row(label, "\(day) \(clock) \(text)")
        }
    }

    private static func heading(_ report: BabyCare.PeriodReport) -> String {
        let from = CivilDate(text: report.from)
        let name =
            report.kind == .monthly
            ? from.map(month) ?? report.period
            : "Week \(report.period), \(from.map(short) ?? report.from) to "
                + (CivilDate(text: report.to).map(short) ?? report.to)
        return "\(name) · \(report.basis.zone)"
            + remarks(partial: report.partial, beforeBirth: report.beforeBirth)
    }

    private static func hours() -> String { "00   03   06   09   12   15   18   21" }

    /// A label of 11 columns, a bar of 36 or 48, and numbers at the right.
    private static func columns(_ label: String, _ bar: String, _ numbers: [String]) -> String {
        let widths = [6, 6, 6, 6]
        var line = label + String(repeating: " ", count: max(0, 11 - label.count)) + bar
        for (number, width) in zip(numbers, widths) {
            line += String(repeating: " ", count: max(1, width - number.count)) + number
        }
        return line
    }

    private static func row(_ day: BabyCare.DayOfPeriod, _ drawn: ReportPicture.Day) -> String {
        let label = CivilDate(text: day.date).map(short) ?? day.date
        guard day.lengthS > 0 else { return columns(label, "  did not happen", []) }
        // 40 minutes a character: two hours are three.
        let bar = TextBar.sleeps(drawn, TextBar.cells(day.lengthS, 36))
        let padding = String(repeating: " ", count: max(0, 36 - bar.count))
        let clock = { (seconds: Int64?) -> String in
            guard let seconds else { return "–" }
            let minutes = seconds / 60
            return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        let number = { (value: Int64?) in value.map { "\($0)" } ?? "–" }
        return columns(
            label, bar + padding,
            [
                clock(day.sleepUnionS), number(day.feedCount), number(day.formulaMl),
                day.pee == nil && day.poo == nil
                    ? "–" : "\(number(day.pee))/\(number(day.poo))",
            ])
    }

    private static func averages(_ average: BabyCare.Averages) -> [String] {
        let parts: [(String, Tenths?)] = [
            ("min sleep", average.sleepMin), ("sleeps", average.sleepCount),
            ("feeds", average.feedCount), ("ml", average.formulaMl),
            ("min at the breast", average.breastfeedMin), ("g", average.weaningG),
            ("pee", average.pee), ("poo", average.poo),
        ]
        let texts = parts.compactMap { name, value in value.map { "\($0.text) \(name)" } }
        guard !texts.isEmpty else { return [] }
        return row(
            "A day", texts.joined(separator: ", ") + " (over \(average.recordedDays) recorded days)"
        )
    }

    private static func trends(_ trend: BabyCare.Trends) -> [String] {
        let all = [
            ("sleep", trend.sleepS), ("sleeps", trend.sleepCount), ("feeds", trend.feedCount),
            ("ml", trend.formulaMl), ("breast", trend.breastfeedS), ("pee", trend.pee),
            ("poo", trend.poo),
        ]
        let parts = all.compactMap { name, change in
            change.flatMap { $0 == "flat" ? nil : "\(name) \($0)" }
        }
        guard !parts.isEmpty else { return [] }
        return row("Trend", parts.joined(separator: ", "))
    }
}
