import Daybook
import DaybookModel

/// Draws the report on a day, week or month as SVG, suitable for printing.
///
/// Each day is a horizontal band with sleeps as rectangles, feeds and diapers as marks, and the
/// totals of the day at its right. Places in a band are times by the clock on the wall, so that a
/// clock time is at the same place on every day. Where the clocks skipped a time, the band is
/// open; below a time that they repeated, it has a red line. All coordinates are whole numbers, so
/// that a report gives the same bytes on every machine.
enum ReportSVG {
    static func day(_ report: BabyCare.DayReport, _ picture: ReportPicture) -> String {
        var row = BabyCare.DayOfPeriod.blank
        row.date = report.date
        row.lengthS = report.figures.lengthS
        row.sleepUnionS = report.figures.sleptS
        row.formulaMl = report.figures.feed.formula?.ml
        let feeds = [
            report.figures.feed.formula?.count, report.figures.feed.breastfeed?.count,
        ].compactMap { $0 }
        row.feedCount = feeds.isEmpty ? nil : feeds.reduce(0, +)
        row.pee = report.figures.diaper.pee
        row.poo = report.figures.diaper.poo
        let title = CivilDate(text: report.date).map(ReportText.longDate) ?? report.date
        let remarks = ReportText.remarks(
            partial: report.isPartial, beforeBirth: report.isBeforeBirth)
        return draw(title, remarks, [row], picture, report.basis, bandHeight: 60)
    }

    /// Returns the SVG picture of a weekly or monthly report, with one band for each day.
    static func period(_ report: BabyCare.PeriodReport, _ picture: ReportPicture) -> String {
        let from = CivilDate(text: report.from)
        let title =
            report.kind == .monthly
            ? from.map(ReportText.monthAndYear) ?? report.period
            : "Week \(report.period), \(report.from) to \(report.to)"
        let remarks = ReportText.remarks(
            partial: report.isPartial, beforeBirth: report.isBeforeBirth)
        return draw(
            title, remarks, report.days, picture, report.basis,
            bandHeight: report.kind == .monthly ? 16 : 34)
    }

    /// Width of 24 hours, in pixels.
    private static let bandWidth: Int64 = 864
    /// Left edge of the bands, in pixels.
    private static let bandsLeft: Int64 = 108
    /// Top edge of the first band, in pixels.
    private static let bandsTop: Int64 = 84
    /// Width of the columns of totals, right of the bands, in pixels.
    private static let totalsWidth: Int64 = 308
    /// Width of the remark about a change of the clocks, right of the totals, in pixels.
    private static let remarkWidth: Int64 = 160

    /// Returns the SVG picture of one or more days.
    private static func draw(
        _ title: String, _ remarks: String, _ days: [BabyCare.DayOfPeriod],
        _ picture: ReportPicture, _ basis: BabyCare.Basis, bandHeight: Int64
    ) -> String {
        let pitch = bandHeight + max(6, bandHeight / 3)
        let bottom = bandsTop + pitch * Int64(days.count)
        let height = bottom + 76
        let right = x(86_400)
        let hasChange = days.contains { clockChangeRemark(of: $0) != nil }
        let width = right + totalsWidth + (hasChange ? remarkWidth : 0)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" font-family="\(String.pictureFonts)" \
            font-size="12" fill="#222">
            <title>\(title.visible.escapedForXML), baby \(basis.babyId.visible.escapedForXML)</title>
            <desc>Sleep, feeds and diapers by civil day in \(basis.zone.visible.escapedForXML).</desc>
            <defs><pattern id="estimated" width="6" height="6" patternUnits="userSpaceOnUse">\
            <rect width="6" height="6" fill="#dde6f2"/><path d="M0 6L6 0" stroke="#33557f"/>\
            </pattern></defs>
            \(PictureSheet.dark)
            <rect width="\(width)" height="\(height)" fill="#fff"/>
            <text x="24" y="34" font-size="20" font-weight="bold">\(title.visible.escapedForXML)\
            \(remarks)</text>

            """
        svg += hourLabels(basis.dayStartMin * 60, bottom)
        svg += totalTitles(right)
        for (index, pair) in zip(days, picture.days).enumerated() {
            svg += band(pair.0, pair.1, bandsTop + pitch * Int64(index), bandHeight, right)
        }
        svg += legend(picture, bottom + 24)
        svg += footer(basis, bottom + 56)
        return svg + "</svg>\n"
    }

    /// Returns the x coordinate in pixels of a time in seconds from the start of the day.
    private static func x(_ seconds: Int64) -> Int64 { bandsLeft + seconds * bandWidth / 86_400 }

    /// Returns vertical lines with labels for every third hour and for the end of the day.
    private static func hourLabels(_ dayStartS: Int64, _ bottom: Int64) -> String {
        var places = stride(from: Int64(0), to: 24, by: 3).map { hour in
            (pastS: (hour * 3_600 - dayStartS + 86_400) % 86_400, label: "\(hour)")
        }.sorted { $0.pastS < $1.pastS }
        if let first = places.first, first.pastS == 0 {
            places.append((86_400, first.label == "0" ? "24" : first.label))
        }
        return places.map { pastS, label in
            """
            <path d="M\(x(pastS)) \(bandsTop - 6)V\(bottom)" stroke="#ccc" stroke-width="1"/>
            <text x="\(x(pastS))" y="\(bandsTop - 12)" text-anchor="middle" fill="#555">\(label)</text>

            """
        }.joined()
    }

    /// Returns the titles above the columns of totals.
    private static func totalTitles(_ right: Int64) -> String {
        let titles: [(Int64, String)] = [
            (92, "sleep h:min"), (140, "feeds"), (216, "formula ml"), (284, "pee / poo"),
        ]
        return titles.map { offset, title in
            text(right + offset, bandsTop - 12, title, "end", "#555")
        }.joined()
    }

    /// Returns the remark on a day that is not 24 hours long: `23 h, clocks went forward`; `nil`
    /// for any other day, and for a day that the calendar skipped.
    private static func clockChangeRemark(of day: BabyCare.DayOfPeriod) -> String? {
        guard day.lengthS > 0, day.lengthS != 86_400 else { return nil }
        let (hours, minutes) = (day.lengthS / 3_600, day.lengthS / 60 % 60)
        let length = minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
        return "\(length), clocks went \(day.lengthS < 86_400 ? "forward" : "back")"
    }

    /// Returns an SVG `text` element at a position in pixels.
    ///
    /// - Parameter anchor: the SVG `text-anchor`: `start`, `middle` or `end`.
    private static func text(
        _ x: Int64, _ y: Int64, _ text: String, _ anchor: String = "start", _ fill: String = "#222",
        size: Int64 = 12
    ) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(fill)\""
            + " font-size=\"\(size)\">\(text.visible.escapedForXML)</text>\n"
    }

    /// Returns the band of a day with its date at the left and its totals at the right.
    private static func band(
        _ day: BabyCare.DayOfPeriod, _ drawn: ReportPicture.Day, _ y: Int64, _ height: Int64,
        _ right: Int64
    ) -> String {
        let middle = y + height / 2
        let label = CivilDate(text: day.date).map(ReportText.shortDate) ?? day.date
        var svg = text(24, middle + 4, label)
        guard day.lengthS > 0 else {
            return svg + text(bandsLeft + 8, middle + 4, "did not happen there", "start", "#777")
        }
        let isChanged = clockChangeRemark(of: day) != nil
        for shown in isChanged ? drawn.clockTimes(of: 0..<drawn.lengthS) : [0..<86_400] {
            svg += """
                <rect x="\(x(shown.lowerBound))" y="\(y)" \
                width="\(x(shown.upperBound) - x(shown.lowerBound))" height="\(height)" \
                fill="#f4f4f4" stroke="#bbb"/>

                """
        }
        for sleep in drawn.sleeps {
            for clock in drawn.clockTimes(of: sleep.range) {
                svg += sleepRectangle(clock, sleep.style, y, height)
            }
        }
        for repeated in drawn.repeatedClockTimes {
            svg += "<path d=\"M\(x(repeated.lowerBound)) \(y + height + 1)"
            svg += "H\(x(repeated.upperBound))\" stroke=\"#c23b22\" stroke-width=\"2\"/>\n"
        }
        for mark in drawn.marks {
            svg += markShape(mark.kind, at: drawn.clockTime(of: mark.atS), y, height)
        }
        let clock = day.sleepUnionS.map { seconds -> String in
            let minutes = seconds / 60
            return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        let number = { (value: Int64?) in value.map { "\($0)" } ?? "–" }
        svg += text(right + 92, middle + 4, clock ?? "–", "end")
        svg += text(right + 140, middle + 4, number(day.feedCount), "end")
        svg += text(right + 216, middle + 4, number(day.formulaMl), "end")
        svg += text(right + 284, middle + 4, "\(number(day.pee)) / \(number(day.poo))", "end")
        guard let change = clockChangeRemark(of: day) else { return svg }
        return svg + text(right + totalsWidth, middle + 4, change, "start", "#c23b22", size: 11)
    }

    /// Returns the rectangle of a sleep in a band with the top edge `y`.
    ///
    /// - Parameter clock: the clock times of the sleep, in seconds after the time at which days
    ///   start.
    private static func sleepRectangle(
        _ clock: Range<Int64>, _ style: ReportPicture.SleepPart.Style, _ y: Int64, _ height: Int64
    ) -> String {
        let (from, to) = (x(clock.lowerBound), x(clock.upperBound))
        let inner = "x=\"\(from)\" y=\"\(y + 1)\" width=\"\(max(1, to - from))\""
        let box = "<rect \(inner) height=\"\(height - 2)\""
        return switch style {
        case .night: "\(box) fill=\"#1f3f6e\"/>\n"
        case .nap: "\(box) fill=\"#7fa3d1\"/>\n"
        case .estimated: "\(box) fill=\"url(#estimated)\" stroke=\"#33557f\"/>\n"
        case .open:
            "\(box) fill=\"none\" stroke=\"#1f3f6e\" stroke-dasharray=\"4 3\"/>\n"
        case .countedOnEarlierDay: "\(box) fill=\"#fff\" stroke=\"#7fa3d1\"/>\n"
        }
    }

    /// Returns the mark of an entry in a band with the top edge `y`.
    ///
    /// Marks of feeds are in the upper half of the band, other marks in the lower half.
    ///
    /// - Parameter pastS: the clock time of the entry, in seconds after the time at which days
    ///   start.
    private static func markShape(
        _ kind: BabyCare.Kind, at pastS: Int64, _ y: Int64, _ height: Int64
    ) -> String {
        let (place, high, low) = (x(pastS), y + height / 4, y + height * 3 / 4)
        let size = max(3, height / 8)
        let edge = "stroke=\"#fff\" stroke-width=\"1\""
        return switch kind {
        case .formula:
            "<circle cx=\"\(place)\" cy=\"\(high)\" r=\"\(size + 1)\" fill=\"#d55e00\" \(edge)/>\n"
        case .breastfeed:
            "<circle cx=\"\(place)\" cy=\"\(high)\" r=\"\(size)\" fill=\"#fff\" stroke=\"#d55e00\""
                + " stroke-width=\"2\"/>\n"
        case .weaning:
            "<path d=\"M\(place) \(high - size)l\(size) \(size)l-\(size) \(size)l-\(size) -\(size)z\""
                + " fill=\"#8c3d00\" \(edge)/>\n"
        case .pee:
            "<path d=\"M\(place) \(low - size)l\(size) \(2 * size)h-\(2 * size)z\""
                + " fill=\"#f0c000\" stroke=\"#6b5500\"/>\n"
        case .poo:
            "<rect x=\"\(place - size)\" y=\"\(low - size)\" width=\"\(2 * size)\""
                + " height=\"\(2 * size)\" fill=\"#6b4a1f\" \(edge)/>\n"
        case .medication:
            "<path d=\"M\(place - size) \(low)h\(2 * size)M\(place) \(low - size)v\(2 * size)\""
                + " stroke=\"#b0005a\" stroke-width=\"3\"/>\n"
        default: ""
        }
    }

    /// Returns the legend of the sleeps and marks that occur in the picture.
    private static func legend(_ picture: ReportPicture, _ y: Int64) -> String {
        let styles = Set(picture.days.flatMap { $0.sleeps.map(\.style) })
        let kinds = Set(picture.days.flatMap { $0.marks.map(\.kind) })
        let blocks: [(ReportPicture.SleepPart.Style, String)] = [
            (.night, "night sleep"), (.nap, "nap"), (.estimated, "estimated end"),
            (.open, "not ended"), (.countedOnEarlierDay, "counted on the day it began"),
        ]
        var (svg, place) = ("", bandsLeft)
        for (style, name) in blocks where styles.contains(style) {
            let from = (place - bandsLeft) * 86_400 / bandWidth
            svg += sleepRectangle(from..<from + 2_000, style, y - 11, 14)
            svg += text(place + 28, y, name)
            place += 28 + PictureSheet.width(of: name) + 24
        }
        let marks: [(BabyCare.Kind, String)] = [
            (.formula, "formula"), (.breastfeed, "breast"), (.weaning, "weaning"), (.pee, "pee"),
            (.poo, "poo"), (.medication, "medication"),
        ]
        for (kind, name) in marks where kinds.contains(kind) {
            let pastS = (place + 8 - bandsLeft) * 86_400 / bandWidth
            let isFeed = kind.isFeed || kind == .weaning
            // `markShape` puts the mark at a quarter or three quarters of a band of height 32.
            svg += markShape(kind, at: pastS, y - (isFeed ? 12 : 28), 32)
            svg += text(place + 20, y, name)
            place += 20 + PictureSheet.width(of: name) + 24
        }
        if let note = picture.countingNote {
            svg += text(bandsLeft, y + 16, note, "start", "#555", size: 11)
        }
        return svg
    }

    /// Returns a line with the inputs of the report, such as time zone, rules, baby and position.
    private static func footer(_ basis: BabyCare.Basis, _ y: Int64) -> String {
        let known = Timestamp.text(basis.knownAt)
        var line =
            "Days of \(basis.zone), tz database \(basis.database), rules \(basis.rule); baby "
            + "\(basis.babyId) at position \(basis.position), known at \(known)"
        if let valid = basis.validAt { line += ", valid at \(Timestamp.text(valid))" }
        return text(24, y, line, "start", "#555", size: 11)
    }
}
