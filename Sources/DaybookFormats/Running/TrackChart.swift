/// Draws charts of a run's pace or elevation over its distance, as SVG.
enum TrackChart {
    static let height: Int64 = 130

    /// Returns the chart of pace; `nil` for a track without times.
    static func paceChart(
        _ sections: [TrackProfile.Section], _ profile: TrackProfile, _ top: Int64
    ) -> String? {
        let paces = sections.compactMap(\.paceMsPerKm).sorted()
        guard paces.count > 1, let fastest = paces.first, let slowest = paces.last else {
            return nil
        }
        // Pace has no upper bound, so paces slower than twice the median are clipped.
        let limit = min(slowest, max(2 * paces[paces.count / 2], fastest + 60_000))
        let step = paceStep(limit - fastest)
        // Adds room on both sides, so that an even pace is not drawn on the edge.
        let low = max(0, (fastest - 1) / step * step - (fastest % step < step / 4 ? step : 0))
        let high = max(low + 2 * step, (limit + step - 1) / step * step)
        let y = { (pace: Int64) in
            top * 10 + (min(pace, high) - low) * height * 10 / max(1, high - low)
        }
        let isClipped = sections.contains { ($0.paceMsPerKm ?? 0) > high }
        var svg = axisAndPauses(
            top,
            "Pace, minutes a kilometre (above is faster\(isClipped ? "; ▾ slower than shown" : ""))",
            profile)
        for value in stride(from: low, through: high, by: Int.Stride(step)) {
            svg += gridLine(y(value), TrackSVG.clock(value / 1_000))
        }
        var path = ""
        for section in sections {
            guard let pace = section.paceMsPerKm else { continue }
            let (from, to) = (x(section.fromMm, profile), x(section.toMm, profile))
            path += path.isEmpty ? "M" : "L"
            path += "\(TrackSVG.tenths(from)) \(TrackSVG.tenths(y(pace)))H\(TrackSVG.tenths(to))"
        }
        return svg + "<path d=\"\(path)\" stroke=\"#2E86AB\" stroke-width=\"1.6\" fill=\"none\"/>\n"
            + clippedMarks(sections, profile, top, slowerThan: high)
    }

    /// Returns the marks at the bottom of the chart for sections with a pace slower than the scale.
    ///
    /// Adjacent sections share one mark.
    ///
    /// - Parameter high: the slowest pace of the scale, in milliseconds per kilometre.
    private static func clippedMarks(
        _ sections: [TrackProfile.Section], _ profile: TrackProfile, _ top: Int64,
        slowerThan high: Int64
    ) -> String {
        var svg = ""
        var start: Int64?
        for (index, section) in sections.enumerated() {
            guard (section.paceMsPerKm ?? 0) > high else { continue }
            start = start ?? x(section.fromMm, profile)
            let next = index + 1 < sections.count ? sections[index + 1].paceMsPerKm ?? 0 : 0
            guard next <= high, let from = start else { continue }
            let middle = (from + x(section.toMm, profile)) / 2
            svg += "<path d=\"M\(TrackSVG.tenths(middle - 40)) \(top + height - 7)h8l-4 6z\" "
            svg += "fill=\"#2E86AB\"/>\n"
            start = nil
        }
        return svg
    }

    /// Returns the chart of elevation; `nil` for a track without elevations.
    static func elevationChart(_ profile: TrackProfile, _ top: Int64) -> String? {
        let known = profile.points.filter { $0.eleMm != nil }
        guard known.count > 1, let lowest = known.compactMap(\.eleMm).min(),
            let highest = known.compactMap(\.eleMm).max(), profile.lengthMm > 0
        else { return nil }
        let step = TrackSVG.roundStep(max(1_000, (highest - lowest) / 4), unit: 1_000)
        let low = multipleBelow(lowest - 1, step)
        let high = max(low + 2 * step, multipleBelow(highest + step, step))
        let y = { (elevation: Int64) in
            (top + height) * 10 - (elevation - low) * height * 10 / (high - low)
        }
        var svg = axisAndPauses(top, "Elevation, metres", profile)
        for value in stride(from: low, through: high, by: Int.Stride(step)) {
            svg += gridLine(y(value), "\(value / 1_000)")
        }
        var path = ""
        var last: Int64?
        for point in known {
            guard let elevation = point.eleMm else { continue }
            let place = x(point.distanceMm, profile)
            // Skips points less than half a pixel from the last drawn point.
            if let last, place - last < 5 { continue }
            path += path.isEmpty ? "M" : "L"
            path += "\(TrackSVG.tenths(place)) \(TrackSVG.tenths(y(elevation)))"
            last = place
        }
        return svg + "<path d=\"\(path)\" stroke=\"#F18F01\" stroke-width=\"1.6\" fill=\"none\"/>\n"
    }

    /// Returns the x coordinate of a distance from the start, in tenths of a pixel.
    private static func x(_ distanceMm: Int64, _ profile: TrackProfile) -> Int64 {
        TrackSVG.left * 10
            + Int64(
                clamping: Int128(distanceMm) * Int128((TrackSVG.right - TrackSVG.left) * 10)
                    / Int128(max(1, profile.lengthMm)))
    }

    /// Returns the greatest multiple of a step that is at most the value.
    private static func multipleBelow(_ value: Int64, _ step: Int64) -> Int64 {
        value - ((value % step) + step) % step
    }

    /// Returns the title of a chart, its axis of distance, and vertical lines at pauses.
    private static func axisAndPauses(_ top: Int64, _ title: String, _ profile: TrackProfile)
        -> String
    {
        var svg = TrackSVG.text(24, top - 14, title, fill: "#222", size: 12)
        let bottom = top + height
        let stepMm = TrackSVG.roundStep(max(1, profile.lengthMm / 8), unit: 10_000)
        for along in stride(from: 0, through: profile.lengthMm, by: Int.Stride(stepMm)) {
            let place = x(along, profile)
            svg += "<path d=\"M\(TrackSVG.tenths(place)) \(bottom)v5\" stroke=\"#555\"/>\n"
            svg += TrackSVG.text(place / 10, bottom + 18, distanceLabel(along, stepMm), "middle")
        }
        for (a, b) in zip(profile.points, profile.points.dropFirst()) where a.segment != b.segment {
            svg +=
                "<path d=\"M\(TrackSVG.tenths(x(b.distanceMm, profile))) \(top)V\(bottom)\" "
                + "stroke=\"#999\" stroke-dasharray=\"3 4\"/>\n"
        }
        return svg
    }

    /// Returns the label for a distance on the axis, in metres if `stepMm` is below 1 km.
    private static func distanceLabel(_ distanceMm: Int64, _ stepMm: Int64) -> String {
        stepMm < 1_000_000 ? "\(distanceMm / 1_000) m" : "\(distanceMm / 1_000_000) km"
    }

    /// Returns a horizontal grid line with its label.
    ///
    /// - Parameter y: the y coordinate in tenths of a pixel.
    private static func gridLine(_ y: Int64, _ label: String) -> String {
        "<path d=\"M\(TrackSVG.left) \(TrackSVG.tenths(y))H\(TrackSVG.right)\" stroke=\"#ddd\"/>\n"
            + TrackSVG.text(TrackSVG.left - 8, y / 10 + 4, label, "end")
    }

    /// Returns the step between grid lines for pace, in milliseconds per kilometre.
    ///
    /// It is the smallest of 10 s, 30 s, 1 min, 2 min, 5 min, … that gives at most six lines.
    ///
    /// - Parameter span: the slowest pace minus the fastest, in milliseconds per kilometre.
    private static func paceStep(_ span: Int64) -> Int64 {
        for step: Int64 in [10, 30, 60, 120, 300, 600, 1_200, 3_600] where span / (step * 1_000) < 5
        {
            return step * 1_000
        }
        return TrackSVG.roundStep(span / 4, unit: 3_600_000)
    }
}

/// The five classes, each with a colour, into which the paces of a run are divided.
///
/// The bounds of the classes depend on the median pace of the run.
struct PaceClasses {
    /// Sections of the run, of equal length.
    private let sections: [TrackProfile.Section]
    /// Upper bounds of all classes but the slowest, in milliseconds per kilometre; empty if no
    /// section has a pace.
    private let upperBounds: [Int64]
    /// Colours of the classes, fastest first.
    private static let colours = ["#C2410C", "#F18F01", "#9A9A2E", "#2E86AB", "#1E3A8A"]

    /// Creates the classes for the sections of a run, which have equal lengths.
    init(_ sections: [TrackProfile.Section]) {
        self.sections = sections
        let paces = sections.compactMap(\.paceMsPerKm).sorted()
        let median = paces.isEmpty ? 0 : paces[paces.count / 2]
        upperBounds = median == 0 ? [] : [85, 95, 105, 120].map { median / 100 * $0 }
    }

    /// Returns the colour for the pace at a distance from the start; grey if the pace is unknown.
    func colour(at distanceMm: Int64) -> String {
        guard !upperBounds.isEmpty, let section = section(at: distanceMm),
            let pace = section.paceMsPerKm
        else { return "#6B7280" }
        return Self.colours[upperBounds.firstIndex { pace < $0 } ?? upperBounds.count]
    }

    /// Colour and label of each class, fastest first; `nil` for a track without times.
    var labels: [(String, String)]? {
        guard !upperBounds.isEmpty else { return nil }
        let texts = upperBounds.map { TrackSVG.clock($0 / 1_000) }
        var labels = ["under \(texts[0])"]
        for index in 1..<texts.count { labels.append("\(texts[index - 1])–\(texts[index])") }
        labels.append("over \(texts[texts.count - 1])")
        return Array(zip(Self.colours, labels))
    }

    /// Returns the section at a distance from the start; `nil` for a run without sections.
    private func section(at distanceMm: Int64) -> TrackProfile.Section? {
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].toMm < distanceMm { low = middle + 1 } else { high = middle }
        }
        return low < sections.count ? sections[low] : sections.last
    }
}
