import Daybook
import DaybookModel

/// Formats reports about a baby as plain text without colour, at most 80 columns wide.
///
/// With unlimited columns, as in a pipe, lines of text are not wrapped.
enum ReportText {
    /// English names of the weekdays, Monday first.
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    /// English names of the months, January first.
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// Returns the report on a day as text: chart, figures and entries.
    ///
    /// - Parameter columns: the maximum width of a line; `Int.max` for no limit. Entries
    ///   that do not fit are shortened.
    static func day(
        _ report: BabyCare.DayReport, _ picture: ReportPicture, columns: Int = 80
    ) -> String {
        let (chart, columns) = widths(columns)
        var lines = wrapped(heading(report), columns)
        guard report.figures.lengthS > 0 else {
            lines.append("This day did not happen there: the calendar skipped it.")
            return joined(lines + footer(report.basis, columns))
        }
        if let day = picture.days.first { lines += [""] + TextBar.dayLines(day, columns: chart) }
        if let note = picture.countingNote { lines.append("  \(note)") }
        lines += [""] + figureLines(report.figures, report.basis, isDay: true, columns)
        lines += EntryText.lines(of: report, columns) + footer(report.basis, columns)
        return joined(lines)
    }

    /// Returns the widths of charts and of text in columns, given the maximum width of a line.
    static func widths(_ columns: Int) -> (chart: Int, text: Int) {
        (min(80, columns), columns == .max ? .max : min(80, columns))
    }

    /// Returns the lines as one text. Trailing spaces are removed, and control characters are made
    /// visible.
    static func joined(_ lines: [String]) -> String {
        lines.map { line in
            // Replaces control characters, which could control a terminal.
            var line = line.visible
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// Returns the heading of a day: date, time zone and length, with remarks.
    private static func heading(_ report: BabyCare.DayReport) -> String {
        let name = CivilDate(text: report.date).map(longDate) ?? report.date
        let length = duration(report.figures.lengthS)
        return "\(name) · \(report.basis.zone) · \(length)"
            + remarks(partial: report.isPartial, beforeBirth: report.isBeforeBirth)
    }

    /// Returns the remarks at the end of a heading: ` · so far`, ` · before birth`, or both.
    ///
    /// - Parameter partial: true if the day, week or month is not over.
    static func remarks(partial: Bool, beforeBirth: Bool) -> String {
        (partial ? " · so far" : "") + (beforeBirth ? " · before birth" : "")
    }

    /// Returns the long form of a date: `Sunday 8 March 2020`.
    static func longDate(_ date: CivilDate) -> String {
        "\(weekdays[date.isoWeekday - 1]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// Returns the short form of a date, ten columns wide: `Sun  8 Mar`.
    static func shortDate(_ date: CivilDate) -> String {
        let day = date.day < 10 ? " \(date.day)" : "\(date.day)"
        return
            "\(weekdays[date.isoWeekday - 1].prefix(3)) \(day) \(months[date.month - 1].prefix(3))"
    }

    /// Returns the month and year of a date: `March 2020`.
    static func monthAndYear(_ date: CivilDate) -> String {
        "\(months[date.month - 1]) \(date.year)"
    }

    /// Returns a duration as text, with seconds only if not 0: `12 h 45 min`.
    static func duration(_ seconds: Int64) -> String {
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        var parts: [String] = []
        if hours != 0 { parts.append("\(hours) h") }
        if minute != 0 || (hours == 0 && rest == 0) { parts.append("\(minute) min") }
        if rest != 0 { parts.append("\(rest) s") }
        return parts.joined(separator: " ")
    }

    /// Returns the figures as lines, one or more for each recorded kind of entry.
    ///
    /// - Parameter isDay: true for a day, false for a week or month.
    static func figureLines(
        _ figures: BabyCare.Figures, _ basis: BabyCare.Basis, isDay: Bool, _ columns: Int
    ) -> [String] {
        var rows: [(String, String)] = []
        func add(_ label: String, _ text: String) { rows.append((label, text)) }
        if let sleep = figures.sleep { rows += sleepRows(sleep, basis) }
        if let wake = figures.wake {
            add(
                "Awake",
                "\(counted(wake.count, "time")), \(duration(wake.meanS)) on average, at most "
                    + duration(wake.maxS))
        }
        rows += feedRows(figures.feed)
        let diapers = [("pee", figures.diaper.pee), ("poo", figures.diaper.poo)]
            .compactMap { name, count in count.map { "\(name) \($0)" } }
        if !diapers.isEmpty {
            let loose = figures.diarrhoeaCount.flatMap { $0 > 0 ? ", \($0) with diarrhoea" : nil }
            add("Diapers", diapers.joined(separator: ", ") + (loose ?? ""))
        }
        if let pumped = figures.pumpedMl { add("Pumped", "\(pumped) ml") }
        if let minutes = figures.activityMin, minutes > 0 {
            add("Activity", duration(minutes * 60))
        }
        for dose in figures.medication ?? [] {
            let what = [dose.name, dose.dose].compactMap { $0 }.joined(separator: " ")
            let parts = dose.at.split(separator: "T")
            let clock = parts.last.map { String($0.prefix(5)) } ?? dose.at
            let date = parts.first.flatMap { CivilDate(text: String($0)) }.map {
                shortDate($0) + " "
            }
            add(
                "Medication",
                "\(isDay ? "" : date ?? "")\(clock) \(what.isEmpty ? "unnamed" : what)")
        }
        if let symptom = figures.symptom { add("Temperature", temperature(symptom)) }
        if let growth = figures.growth { add("Growth", self.growth(growth)) }
        if let memos = figures.memoCount { add("Memos", "\(memos)") }
        // Entries of an import correct no report that was read before.
        let lateCount = figures.lateCount - figures.lateImportCount
        let corrections = [
            ("first recorded after the \(isDay ? "day" : "period") was over", lateCount),
            ("edited", figures.editedCount),
            ("cancelled", figures.cancelledCount), ("restored", figures.restoredCount),
        ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        if !corrections.isEmpty { add("Corrections", corrections.joined(separator: ", ")) }
        if lateCount > 0 {
            add("", "'log --tag entry:ID --json' has when each was recorded")
        }
        if !figures.missingKindNames.isEmpty {
            add("Not recorded", figures.missingKindNames.joined(separator: ", "))
        }
        return rows.flatMap { labelledLines($0.0, $0.1, columns) }
    }

    /// Returns the figures about sleep as rows of a label and a text.
    private static func sleepRows(
        _ sleep: BabyCare.SleepFigures, _ basis: BabyCare.Basis
    ) -> [(String, String)] {
        var rows: [(String, String)] = []
        func add(_ label: String, _ text: String) { rows.append((label, text)) }
        if sleep.hasClosedSleep || sleep.open.isEmpty {
            let sum = sleep.sumS == sleep.unionS ? "" : " (\(duration(sleep.sumS)) with overlaps)"
            // The original app adds up sleeps even if they overlap.
            add("Sleep", basis.isOfSource ? duration(sleep.sumS) : duration(sleep.unionS) + sum)
            add(
                "",
                "\(sleep.count) begun, longest \(duration(sleep.longestS)), night "
                    + "\(duration(sleep.nightS)), naps \(duration(sleep.napS))")
        }
        if sleep.estimatedS > 0 {
            add("", "\(duration(sleep.estimatedS)) of it with an estimated end")
        }
        for open in sleep.open {
            let soFar = open.soFarS.map { ", \(duration($0)) so far" } ?? ""
            let start = open.start.split(separator: "T").joined(separator: " ").prefix(16)
            add(rows.isEmpty ? "Sleep" : "", "open since \(start)\(soFar), not counted")
        }
        return rows
    }

    /// Returns the figures about feeds as rows of a label and a text.
    private static func feedRows(_ feed: BabyCare.FeedFigures) -> [(String, String)] {
        var rows: [(String, String)] = []
        func add(_ label: String, _ text: String) { rows.append((label, text)) }
        if let formula = feed.formula {
            let amount = formula.ml.map { "\($0) ml in " } ?? ""
            let missing =
                formula.missingAmountCount > 0
                ? ", \(formula.missingAmountCount) without an amount" : ""
            add("Formula", "\(amount)\(counted(formula.count, "feed"))\(missing)")
        }
        if let bands = feed.bandsMl {
            add(
                "",
                "night \(bands.night), morning \(bands.morning), afternoon "
                    + "\(bands.afternoon), evening \(bands.evening) ml")
        }
        if let breast = feed.breastfeed {
            let sides = [("left", breast.left), ("right", breast.right), ("both", breast.both)]
                .compactMap { name, side in side.map { "\(name) \($0.count)" } }
            let list = sides.isEmpty ? "" : " (\(sides.joined(separator: ", ")))"
            let length = breast.durationS.map { ", \(duration($0))" } ?? ""
            let missing =
                breast.missingDurationCount > 0
                ? ", \(breast.missingDurationCount) without a length" : ""
            add("Breast", "\(counted(breast.count, "feed"))\(length)\(list)\(missing)")
        }
        if let weaning = feed.weaning {
            let amount = weaning.massG.map { "\($0) g in " } ?? ""
            add("Weaning", "\(amount)\(counted(weaning.count, "meal"))")
        }
        if let intervals = feed.intervals {
            add(
                "Feed to feed",
                "\(duration(intervals.meanS)) on average, from "
                    + "\(duration(intervals.minS)) to \(duration(intervals.maxS))")
        }
        return rows
    }

    /// Returns the range of temperatures, `37.0 to 38.5 °C`, or else the number of symptoms.
    private static func temperature(_ symptom: BabyCare.SymptomFigures) -> String {
        let degrees = { (milli: Int64?) -> String? in
            milli.map { "\(Tenths(tenths: Tenths.rounded($0, 100)).text) °C" }
        }
        guard let most = degrees(symptom.maxMilliC), let least = degrees(symptom.minMilliC) else {
            return counted(symptom.count, "symptom")
        }
        return most == least ? most : "\(least) to \(most)"
    }

    /// Returns the body measurements as text: `5200 g, 580 mm tall, head 390 mm`.
    private static func growth(_ growth: BabyCare.GrowthFigures) -> String {
        [
            growth.weightG.map { "\($0) g" }, growth.heightMm.map { "\($0) mm tall" },
            growth.headMm.map { "head \($0) mm" },
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// Returns a number with its noun: `1 feed`, `2 feeds`.
    private static func counted(_ number: Int64, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns lines with a label and a text, which is wrapped and indented by 14 columns.
    static func labelledLines(_ label: String, _ text: String, _ columns: Int) -> [String] {
        wrapped(text, columns - 15).enumerated().map { index, line in
            let name = index == 0 ? label : ""
            return name + String(repeating: " ", count: max(1, 14 - name.count)) + line
        }
    }

    /// Returns the text as lines of at most `columns` columns, broken between words.
    static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }

    /// Returns lines with the inputs of the report, such as time zone, rules, baby and position.
    static func footer(_ basis: BabyCare.Basis, _ columns: Int) -> [String] {
        let known = Timestamp.text(basis.knownAt)
        var text =
            "Days of \(basis.zone), tz database \(basis.database), rules \(basis.rule); "
            + "baby \(basis.babyId.prefix(40)) at position \(basis.position), known at \(known)"
        if let valid = basis.validAt { text += ", valid at \(Timestamp.text(valid))" }
        if basis.dayStartMin != 0 {
            text += ", days start \(duration(basis.dayStartMin * 60)) after midnight"
        }
        return [""] + wrapped(text, columns)
    }
}
