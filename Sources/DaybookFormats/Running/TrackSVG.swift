import Daybook
import DaybookGeodesy
import DaybookModel

/// Draws a run as SVG: a map with the track coloured by pace, and charts of pace and elevation.
///
/// All coordinates are whole tenths of a pixel, so that a run gives the same bytes on every
/// machine.
enum TrackSVG {
    /// Width of the picture in pixels.
    static let width: Int64 = 960
    /// Left edge of the charts in pixels.
    static let left: Int64 = 64
    /// Right edge of the charts in pixels.
    static let right: Int64 = 936
    /// Top edge of the map in pixels.
    private static let mapTop: Int64 = 76
    private static let mapHeight: Int64 = 440

    static func picture(
        _ run: Running.Run, title: String?, _ batches: [Running.LocationsRecorded]
    ) -> String {
        let profile = TrackProfile(batches)
        let sections = profile.sections(atMost: 160)
        var charts = ""
        var bottom = mapTop + mapHeight + 74
        if let pace = TrackChart.paceChart(sections, profile, bottom) {
            charts += pace
            bottom += TrackChart.height + 60
        }
        if let elevation = TrackChart.elevationChart(profile, bottom) {
            charts += elevation
            bottom += TrackChart.height + 60
        }
        let name = title ?? "Run \(run.runId)"
        let height = bottom - 12
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" font-family="\(String.pictureFonts)" \
            font-size="12" fill="#222">
            <title>\(name.visible.escapedForXML)</title>
            <desc>The track of run \(run.runId.visible.escapedForXML), its pace and its elevation.</desc>
            \(PictureSheet.dark)
            <rect width="\(width)" height="\(height)" fill="#fff"/>
            <text x="24" y="34" font-size="20" font-weight="bold">\(name.visible.escapedForXML)</text>
            <text x="24" y="56" fill="#555">\(figures(run).visible.escapedForXML)</text>
            \(map(profile, sections))\(charts)</svg>

            """
    }

    /// Returns the figures of the run, such as distance and pace, in one line.
    private static func figures(_ run: Running.Run) -> String {
        var parts = [distanceText(run.distanceMm)]
        if run.activeMs > 0 { parts.append("\(clock(run.activeMs / 1_000)) running") }
        if run.wallMs > run.activeMs { parts.append("\(clock(run.wallMs / 1_000)) in all") }
        if let pace = run.avgPaceMsPerKm { parts.append("\(clock(pace / 1_000)) a kilometre") }
        parts.append("\(run.kcal) kcal")
        if run.segmentCount > 1 { parts.append("\(run.segmentCount) segments") }
        return parts.joined(separator: " · ")
    }

    /// Returns a distance as text: in metres below 1 km, else in kilometres with two decimals.
    private static func distanceText(_ distanceMm: Int64) -> String {
        guard distanceMm >= 1_000_000 else { return "\((distanceMm + 500) / 1_000) m" }
        let hundredths = distanceMm / 10_000 + (distanceMm % 10_000 >= 5_000 ? 1 : 0)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) km"
    }

    /// Returns a duration as text: `4:05`, or `1:04:05` from an hour on.
    static func clock(_ seconds: Int64) -> String {
        let two = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
        let rest = "\(two(seconds % 60))"
        if seconds < 3_600 { return "\(seconds / 60):\(rest)" }
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(rest)"
    }

    /// Returns tenths of a pixel as decimal text in pixels.
    static func tenths(_ value: Int64) -> String {
        value % 10 == 0
            ? "\(value / 10)"
            : "\(value < 0 ? "-" : "")\(value.magnitude / 10).\(value.magnitude % 10)"
    }

    /// Returns an SVG `text` element at a position in pixels.
    ///
    /// - Parameter anchor: the SVG `text-anchor`: `start`, `middle` or `end`.
    static func text(
        _ x: Int64, _ y: Int64, _ text: String, _ anchor: String = "start", fill: String = "#555",
        size: Int64 = 11
    ) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(fill)\" "
            + "font-size=\"\(size)\">\(text.visible.escapedForXML)</text>\n"
    }

    /// Returns the smallest round step of an axis that is at least `value`. Round steps are 1, 2,
    /// 5, 10, 20, 50, … times `unit`.
    static func roundStep(_ value: Int64, unit: Int64) -> Int64 {
        var step = unit
        while step < value {
            for factor: Int64 in [2, 5, 10] where step * factor >= value { return step * factor }
            step *= 10
        }
        return step
    }
}

// The map of the track.
extension TrackSVG {
    /// Returns the map, with the coloured track, pauses, markers, scale bar and legend.
    private static func map(_ profile: TrackProfile, _ sections: [TrackProfile.Section]) -> String {
        guard let projection = MapProjection(profile, top: mapTop, height: mapHeight) else {
            let middle = mapTop + mapHeight / 2
            let note = "The places of this run are erased"
            return profile.points.isEmpty ? "" : text(width / 2, middle, note, "middle")
        }
        var svg = """
            <rect x="24" y="\(mapTop)" width="\(width - 48)" height="\(mapHeight)" fill="#f7f7f5" \
            stroke="#ddd"/>

            """
        svg +=
            pauseLines(profile, projection) + trackPaths(profile, sections, projection)
            + markers(profile, projection)
        return svg + scaleBar(projection) + legend(profile, sections)
    }

    /// Returns dashed lines across pauses, which do not count as distance.
    private static func pauseLines(_ profile: TrackProfile, _ projection: MapProjection) -> String {
        zip(profile.points, profile.points.dropFirst()).filter { $0.segment != $1.segment }
            .map { a, b in
                guard let from = projection.position(of: a), let to = projection.position(of: b)
                else { return "" }
                return "<path d=\"M\(tenths(from.x)) \(tenths(from.y))L\(tenths(to.x)) "
                    + "\(tenths(to.y))\" stroke=\"#999\" stroke-dasharray=\"3 4\" fill=\"none\"/>\n"
            }.joined()
    }

    /// Returns the track as SVG paths, one for each part of a segment with the same colour.
    private static func trackPaths(
        _ profile: TrackProfile, _ sections: [TrackProfile.Section], _ projection: MapProjection
    ) -> String {
        let classes = PaceClasses(sections)
        var svg = ""
        var path = ""
        var drawn: (x: Int64, y: Int64)?
        var state: (segment: Int64, colour: String)?
        func finish() {
            guard let state, !path.isEmpty else { return }
            svg +=
                "<path d=\"\(path)\" stroke=\"\(state.colour)\" stroke-width=\"3\" fill=\"none\" "
                + "stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n"
        }
        for point in profile.points {
            guard let place = projection.position(of: point) else {
                // No line is drawn across erased places.
                finish()
                (path, state, drawn) = ("", nil, nil)
                continue
            }
            let colour = classes.colour(at: point.distanceMm)
            guard let known = state, let last = drawn, known.segment == point.segment else {
                finish()
                path = "M\(tenths(place.x)) \(tenths(place.y))"
                (state, drawn) = ((point.segment, colour), place)
                continue
            }
            // Skips points less than half a pixel from the last drawn point.
            guard abs(place.x - last.x) + abs(place.y - last.y) >= 5 else { continue }
            path += "L\(tenths(place.x)) \(tenths(place.y))"
            drawn = place
            guard known.colour != colour else { continue }
            finish()
            path = "M\(tenths(place.x)) \(tenths(place.y))"
            state = (point.segment, colour)
        }
        finish()
        return svg
    }

    /// Returns the markers of start, finish and full kilometres.
    private static func markers(_ profile: TrackProfile, _ projection: MapProjection) -> String {
        var svg = ""
        let stepMm = roundStep(profile.lengthMm / 12, unit: 1_000_000)
        var next = stepMm
        for point in profile.points where point.distanceMm >= next {
            defer { next = (point.distanceMm / stepMm + 1) * stepMm }
            guard let place = projection.position(of: point) else { continue }
            svg +=
                "<circle cx=\"\(tenths(place.x))\" cy=\"\(tenths(place.y))\" r=\"4\" "
                + "fill=\"#fff\" stroke=\"#222\"/>\n"
            svg += text(place.x / 10 + 7, place.y / 10 + 4, "\(next / 1_000_000)", fill: "#222")
        }
        if let start = profile.points.first.flatMap(projection.position) { svg += startMark(start) }
        if let end = profile.points.last.flatMap(projection.position) { svg += finishMark(end) }
        return svg
    }

    /// Returns a green circle at `start`, a position in tenths of a pixel.
    private static func startMark(_ start: (x: Int64, y: Int64)) -> String {
        "<circle cx=\"\(tenths(start.x))\" cy=\"\(tenths(start.y))\" r=\"8\" "
            + "fill=\"#10B981\" stroke=\"#fff\" stroke-width=\"2\"/>\n"
    }

    /// Returns a dark square at `end`, a position in tenths of a pixel.
    private static func finishMark(_ end: (x: Int64, y: Int64)) -> String {
        "<rect x=\"\(tenths(end.x - 50))\" y=\"\(tenths(end.y - 50))\" width=\"10\" "
            + "height=\"10\" fill=\"#1A1D23\" stroke=\"#fff\" stroke-width=\"2\"/>\n"
    }

    private static func scaleBar(_ projection: MapProjection) -> String {
        let lengthMm = roundStep(projection.mmPerTenth * 600, unit: 1_000)
        let tenthsLong = lengthMm / max(1, projection.mmPerTenth)
        let y = mapTop + mapHeight - 16
        let label = lengthMm < 1_000_000 ? "\(lengthMm / 1_000) m" : "\(lengthMm / 1_000_000) km"
        return "<path d=\"M40 \(y - 5)V\(y)H\(tenths(400 + tenthsLong))V\(y - 5)\" "
            + "stroke=\"#222\" fill=\"none\"/>\n" + text(40, y - 9, label)
    }

    /// Returns the legend of the markers and of the colours for paces.
    private static func legend(_ profile: TrackProfile, _ sections: [TrackProfile.Section])
        -> String
    {
        let y = mapTop + mapHeight + 20
        var (svg, x) = ("", left - 24)
        func add(_ sign: String, _ name: String, width: Int64, _ y: Int64) {
            svg += sign + text(x + width + 6, y, name)
            x += width + 6 + PictureSheet.width(of: name, size: 11) + 22
        }
        add(
            "<circle cx=\"\(x + 5)\" cy=\"\(y - 4)\" r=\"5\" fill=\"#10B981\"/>\n", "start",
            width: 10, y)
        add(
            "<rect x=\"\(x)\" y=\"\(y - 9)\" width=\"9\" height=\"9\" fill=\"#1A1D23\"/>\n",
            "finish", width: 9, y)
        if profile.lengthMm >= 1_000_000 {
            add(
                "<circle cx=\"\(x + 4)\" cy=\"\(y - 4)\" r=\"4\" fill=\"#fff\" stroke=\"#222\"/>\n",
                "kilometres", width: 8, y)
        }
        if zip(profile.points, profile.points.dropFirst()).contains(where: {
            $0.segment != $1.segment
        }) {
            add(
                "<path d=\"M\(x) \(y - 4)h24\" stroke=\"#999\" stroke-dasharray=\"3 4\"/>\n",
                "pause, not counted", width: 24, y)
        }
        guard let classes = PaceClasses(sections).labels else { return svg }
        x = left - 24
        svg += text(x, y + 18, "min/km")
        x += 60
        for (colour, label) in classes {
            add(
                "<path d=\"M\(x) \(y + 14)h24\" stroke=\"\(colour)\" stroke-width=\"4\"/>\n", label,
                width: 24, y + 18)
        }
        return svg
    }
}

/// Projects coordinates of a track onto the map area of the picture.
struct MapProjection {
    /// Southernmost latitude of the track, in billionths of a degree.
    private let minLatE9: Int64
    /// Westernmost longitude of the track, in billionths of a degree.
    private let minLonE9: Int64
    /// Difference between greatest and smallest latitude, in billionths of a degree, at least 1.
    private let spanLatE9: Int64
    /// Difference between greatest and smallest longitude, in billionths of a degree, at least 1.
    private let spanLonE9: Int64
    /// Width of the drawn track, in tenths of a pixel.
    private let drawnWidth: Int64
    /// Height of the drawn track, in tenths of a pixel.
    private let drawnHeight: Int64
    /// Left edge of the drawn track, in tenths of a pixel.
    private let leftEdge: Int64
    /// Bottom edge of the drawn track, in tenths of a pixel.
    private let bottomEdge: Int64
    /// True if the track crosses the date line. Western longitudes are then drawn to the right of
    /// eastern longitudes.
    private let crossesDateLine: Bool
    /// Scale of the map, in millimetres on the ground per tenth of a pixel.
    let mmPerTenth: Int64

    /// Creates a projection that fits the track of a run into the map. `nil` for a track without
    /// coordinates.
    init?(_ profile: TrackProfile, top: Int64, height: Int64) {
        let places = profile.points.compactMap(\.place)
        let lons = places.map(\.lonE9)
        guard let minLat = places.map(\.latE9).min(),
            let maxLat = places.map(\.latE9).max(), let west = lons.min(),
            let east = lons.max()
        else { return nil }
        crossesDateLine = east - west > 180_000_000_000
        let shifted = lons.map {
            $0 < 0 && east - west > 180_000_000_000 ? $0 + 360_000_000_000 : $0
        }
        let minLon = shifted.min() ?? west
        let maxLon = shifted.max() ?? east
        let middle = (minLat + maxLat) / 2
        // Measures half the span and doubles it, because a distance never exceeds half the globe.
        let halfLon = (maxLon - minLon) / 2
        let wide =
            2
            * Coordinate(latE9: middle, lonE9: 0)
            .distanceMm(to: Coordinate(latE9: middle, lonE9: halfLon))
        let tall = Coordinate(latE9: minLat, lonE9: 0)
            .distanceMm(to: Coordinate(latE9: maxLat, lonE9: 0))
        let (roomX, roomY) = ((TrackSVG.width - 112) * 10, (height - 64) * 10)
        mmPerTenth = max(1, max((wide + roomX - 1) / roomX, (tall + roomY - 1) / roomY))
        drawnWidth = wide / mmPerTenth
        drawnHeight = tall / mmPerTenth
        leftEdge = TrackSVG.width * 5 - drawnWidth / 2
        bottomEdge = (top + height / 2) * 10 + drawnHeight / 2
        (minLatE9, minLonE9) = (minLat, minLon)
        (spanLatE9, spanLonE9) = (max(1, maxLat - minLat), max(1, maxLon - minLon))
    }

    /// Returns the position of a point in tenths of a pixel; `nil` if its coordinates are erased.
    func position(of point: TrackProfile.Point) -> (x: Int64, y: Int64)? {
        guard let place = point.place else { return nil }
        let lon = crossesDateLine && place.lonE9 < 0 ? place.lonE9 + 360_000_000_000 : place.lonE9
        return (
            leftEdge + (lon - minLonE9) * drawnWidth / spanLonE9,
            bottomEdge - (place.latE9 - minLatE9) * drawnHeight / spanLatE9
        )
    }
}
