import Daybook
public import DaybookModel

extension ReportText {
    /// Returns a week or month as text: one bar per day, then the totals.
    public static func period(
        _ report: BabyCare.PeriodReport, _ picture: ReportPicture, columns: Int = 80
    ) -> String {
        let (chart, columns) = widths(columns)
        // A character stands for 40 minutes, or for an hour in a narrow chart.
        let count = chart >= 72 ? 36 : 24
        var lines = wrapped(heading(report), columns) + [""]
        lines.append(
            cells("", String(repeating: " ", count: count), ["sleep", "feeds", "ml", "p/p"]))
        for (day, drawn) in zip(report.days, picture.days) {
            lines.append(row(day, drawn, count))
        }
        lines.append(cells("", TextBar.clockHours(report.basis.dayStartMin * 60, count), []))
        lines += TextBar.wrapped(TextBar.sleepLegend(picture.days), chart - 11).map {
            cells("", $0, [])
        }
        let note = picture.note.map { wrapped($0, columns - 11) } ?? []
        lines += note.map { cells("", $0, []) }
        lines += [""] + table(report.figures, report.basis, isDay: false, columns)
        lines += health(report, columns)
        lines += averages(report.average, columns) + trends(report.trend, columns)
        return joined(lines + footer(report.basis, columns))
    }

    /// Returns one line for each visit to a doctor and each symptom, in order of time.
    private static func health(_ report: BabyCare.PeriodReport, _ columns: Int) -> [String] {
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
            return row(label, "\(day) \(clock) \(text)", columns)
        }
    }

    /// Returns the heading of a week or month, with its zone.
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

    /// Returns a line: a label of 11 columns, a bar, and right-aligned numbers.
    private static func cells(_ label: String, _ bar: String, _ numbers: [String]) -> String {
        let widths = [6, 6, 6, 6]
        var line = label + String(repeating: " ", count: max(0, 11 - label.count)) + bar
        for (number, width) in zip(numbers, widths) {
            line += String(repeating: " ", count: max(1, width - number.count)) + number
        }
        return line
    }

    /// Returns the line of one day: date, bar of sleeps, and figures.
    ///
    /// - Parameter count: the number of characters of the bar.
    private static func row(
        _ day: BabyCare.DayOfPeriod, _ drawn: ReportPicture.Day, _ count: Int
    ) -> String {
        let label = CivilDate(text: day.date).map(short) ?? day.date
        guard day.lengthS > 0 else { return cells(label, "  did not happen", []) }
        let clock = { (seconds: Int64?) -> String in
            guard let seconds else { return "–" }
            let minutes = seconds / 60
            return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        let number = { (value: Int64?) in value.map { "\($0)" } ?? "–" }
        return cells(
            label, TextBar.clockSleeps(drawn, count),
            [
                clock(day.sleepUnionS), number(day.feedCount), number(day.formulaMl),
                day.pee == nil && day.poo == nil
                    ? "–" : "\(number(day.pee))/\(number(day.poo))",
            ])
    }

    /// Returns the line with daily averages; none without recorded days.
    private static func averages(_ average: BabyCare.Averages, _ columns: Int) -> [String] {
        let parts: [(String, Tenths?)] = [
            ("min sleep", average.sleepMin), ("sleeps", average.sleepCount),
            ("feeds", average.feedCount), ("ml", average.formulaMl),
            ("min at the breast", average.breastfeedMin), ("g", average.weaningG),
            ("pee", average.pee), ("poo", average.poo),
        ]
        let texts = parts.compactMap { name, value in value.map { "\($0.text) \(name)" } }
        guard !texts.isEmpty else { return [] }
        return row(
            "A day",
            texts.joined(separator: ", ") + " (over \(average.recordedDays) recorded days)",
            columns)
    }

    /// Returns the line with changes since the previous period; none without changes.
    private static func trends(_ trend: BabyCare.Trends, _ columns: Int) -> [String] {
        let all = [
            ("sleep", trend.sleepS), ("sleeps", trend.sleepCount), ("feeds", trend.feedCount),
            ("ml", trend.formulaMl), ("breast", trend.breastfeedS), ("pee", trend.pee),
            ("poo", trend.poo),
        ]
        let parts = all.compactMap { name, change in
            change.flatMap { $0 == "flat" ? nil : "\(name) \($0)" }
        }
        guard !parts.isEmpty else { return [] }
        return row("Trend", parts.joined(separator: ", "), columns)
    }
}
