import Daybook
import DaybookModel

extension ReportText {
    /// Returns the report on a week or month as text: a bar of sleeps per day, then the figures.
    static func period(
        _ report: BabyCare.PeriodReport, _ picture: ReportPicture, columns: Int = 80
    ) -> String {
        let (chart, columns) = widths(columns)
        // A character stands for 40 minutes, or for an hour in a narrow chart.
        let count = chart >= 72 ? 36 : 24
        var lines = wrapped(heading(report), columns) + [""]
        lines.append(
            chartLine("", String(repeating: " ", count: count), ["sleep", "feeds", "ml", "p/p"]))
        for (day, drawn) in zip(report.days, picture.days) {
            lines.append(dayLine(day, drawn, count))
        }
        lines.append(
            chartLine("", TextBar.clockHourLabels(report.basis.dayStartMin * 60, count), []))
        lines += TextBar.wrapped(TextBar.sleepLegend(picture.days), chart - 11).map {
            chartLine("", $0, [])
        }
        let note = picture.countingNote.map { wrapped($0, columns - 11) } ?? []
        lines += note.map { chartLine("", $0, []) }
        lines += [""] + figureLines(report.figures, report.basis, isDay: false, columns)
        lines += healthLines(report, columns)
        lines += averageLines(report.average, columns) + trendLines(report.trend, columns)
        return joined(lines + footer(report.basis, columns))
    }

    /// Returns lines for the visits to a doctor and the symptoms, in order of time.
    private static func healthLines(_ report: BabyCare.PeriodReport, _ columns: Int) -> [String] {
        let visits = report.visits.map { ($0.started, "Visit", $0.at, [$0.name, $0.type]) }
        let symptoms = report.symptoms.map { symptom in
            let degrees = symptom.milliC.map {
                "\(Tenths(tenths: Tenths.rounded($0, 100)).text) °C"
            }
            return (symptom.started, "Symptom", symptom.at, [symptom.name, symptom.type, degrees])
        }
        return (visits + symptoms).sorted { $0.0 < $1.0 }.flatMap { _, label, at, words in
            let parts = at.split(separator: "T")
            let day = parts.first.flatMap { CivilDate(text: String($0)) }.map(shortDate) ?? at
            let clock = parts.last?.prefix(5) ?? ""
            let text = words.compactMap(\.self).joined(separator: " ")
            return labelledLines(label, "\(day) \(clock) \(text)", columns)
        }
    }

    /// Returns the heading of a week or month, with its time zone and remarks.
    private static func heading(_ report: BabyCare.PeriodReport) -> String {
        let from = CivilDate(text: report.from)
        let name =
            report.kind == .monthly
            ? from.map(monthAndYear) ?? report.period
            : "Week \(report.period), \(from.map(shortDate) ?? report.from) to "
                + (CivilDate(text: report.to).map(shortDate) ?? report.to)
        return "\(name) · \(report.basis.zone)"
            + remarks(partial: report.isPartial, beforeBirth: report.isBeforeBirth)
    }

    /// Returns a line of the chart: a label of 11 columns, a bar, and right-aligned numbers.
    private static func chartLine(_ label: String, _ bar: String, _ numbers: [String]) -> String {
        let widths = [6, 6, 6, 6]
        var line = label + String(repeating: " ", count: max(0, 11 - label.count)) + bar
        for (number, width) in zip(numbers, widths) {
            line += String(repeating: " ", count: max(1, width - number.count)) + number
        }
        return line
    }

    /// Returns the line of the chart for one day: date, bar of sleeps, and figures.
    private static func dayLine(
        _ day: BabyCare.DayOfPeriod, _ drawn: ReportPicture.Day, _ count: Int
    ) -> String {
        let label = CivilDate(text: day.date).map(shortDate) ?? day.date
        guard day.lengthS > 0 else { return chartLine(label, "  did not happen", []) }
        let clock = { (seconds: Int64?) -> String in
            guard let seconds else { return "–" }
            let minutes = seconds / 60
            return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        let number = { (value: Int64?) in value.map { "\($0)" } ?? "–" }
        return chartLine(
            label, TextBar.clockSleepBar(drawn, count),
            [
                clock(day.sleepUnionS), number(day.feedCount), number(day.formulaMl),
                day.pee == nil && day.poo == nil ? "–" : "\(number(day.pee))/\(number(day.poo))",
            ])
    }

    /// Returns the lines with daily averages; no lines for a period without recorded days.
    private static func averageLines(_ average: BabyCare.Averages, _ columns: Int) -> [String] {
        let parts: [(String, Tenths?)] = [
            ("min sleep", average.sleepMin), ("sleeps", average.sleepCount),
            ("feeds", average.feedCount), ("ml", average.formulaMl),
            ("min at the breast", average.breastfeedMin), ("g", average.weaningG),
            ("pee", average.pee), ("poo", average.poo),
        ]
        let texts = parts.compactMap { name, value in value.map { "\($0.text) \(name)" } }
        guard !texts.isEmpty else { return [] }
        return labelledLines(
            "A day", texts.joined(separator: ", ") + " (over \(average.dayCount) recorded days)",
            columns)
    }

    /// Returns the lines with the changes since the previous week or month, if there are any.
    private static func trendLines(_ trend: BabyCare.Trends, _ columns: Int) -> [String] {
        let all = [
            ("sleep", trend.sleepS), ("sleeps", trend.sleepCount), ("feeds", trend.feedCount),
            ("ml", trend.formulaMl), ("breast", trend.breastfeedS), ("pee", trend.pee),
            ("poo", trend.poo),
        ]
        let parts = all.compactMap { name, change in
            change.flatMap { $0 == "flat" ? nil : "\(name) \($0)" }
        }
        guard !parts.isEmpty else { return [] }
        return labelledLines("Trend", parts.joined(separator: ", "), columns)
    }
}
