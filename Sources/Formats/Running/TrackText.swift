import CivilTime
import Domain
import EventSourcing

/// The parts of a run's length as lines.
enum TrackText {
    static func lines(_ report: Running.TrackReport) -> [String] {
        var lines = [
            "run \(report.runId), \(report.state.name): \(metres(report.distanceMm)) in "
                + report.segments.count.counted("segment"),
            "  by the source's rules \(metres(report.sourceMm)), straight lines over pauses included",
        ]
        if let cropped = report.cropped {
            let times = [cropped.started, cropped.ended].map { time($0) }
            lines.append("  cropped to the part from \(times.joined(separator: " to "))")
        }
        if let elevation = report.elevation { lines += self.lines(elevation) }
        for effort in report.bestEfforts {
            let from = "\(metres(effort.fromMm)), \(Timestamp.text(effort.started))"
            lines.append("  best \(effort.name)  \(duration(effort.timeMs)), from \(from)")
        }
        for segment in report.segments {
            if segment.bridgeMm > 0 || segment.segment > 0 {
                lines.append(
                    "  pause      \(metres(segment.bridgeMm)) "
                        + (report.countsPauses ? "counted, as the source does" : "not counted"))
            }
            let times = [segment.started, segment.ended].map { time($0) }
            lines.append(
                "  segment \(segment.segment)  \(metres(segment.distanceMm)), "
                    + "\(segment.points.counted("point")), \(times.joined(separator: " to "))")
        }
        if !report.leftOut.isEmpty { lines.append("left out") }
        for point in report.leftOut {
            let place =
                point.latE9.flatMap { lat in
                    point.lonE9.map { "\(GPXFile.degrees(lat)), \(GPXFile.degrees($0))" }
                } ?? "no coordinates"
            let accuracy = point.accMm.map { ", known within \(metres($0))" } ?? ""
            lines.append(
                "  position \(point.position), point \(point.index): \(reason(point, report)), "
                    + "\(time(point.time)), \(place)\(accuracy)")
        }
        return lines
    }

    private static func reason(
        _ point: Running.LeftOut, _ report: Running.TrackReport
    ) -> String {
        switch point.reason {
        case .latLon: "no such place"
        case .accuracy: "worse than " + (report.maxAccuracyMm.map { metres($0) } ?? "the limit")
        case .time: "no later than the one before"
        case .jump:
            "faster than "
                + (report.maxSpeedMmPerS.map { "\(metres($0)) a second" } ?? "the limit")
        case .notRunning: "outside the running time"
        case .future: "later than the command that brought it"
        }
    }

    private static func lines(_ elevation: Running.Elevation) -> [String] {
        [
            "  up         \(metres(elevation.gainMm)) smoothed (\(elevation.method)), "
                + "\(metres(elevation.rawGainMm)) raw",
            "  down       \(metres(elevation.lossMm)) smoothed, \(metres(elevation.rawLossMm)) raw",
        ]
    }

    private static func duration(_ milliseconds: Int64) -> String {
        "\(Thousandths.text(milliseconds)) s"
    }

    private static func time(_ moment: Instant?) -> String {
        moment.map { Timestamp.text($0) } ?? "no time"
    }

    /// Metres with three decimals.
    private static func metres(_ millimetres: Int64) -> String {
        "\(Thousandths.text(millimetres)) m"
    }
}
