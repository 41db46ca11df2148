import Daybook
import DaybookModel

/// Formats the report on a run's track as lines of text.
enum TrackText {
    /// Returns the lines of the report: distance, figures, segments and rejected points.
    static func lines(_ report: Running.TrackReport) -> [String] {
        var lines = [
            "run \(report.runId), \(report.state.name): \(metres(report.distanceMm)) in "
                + report.segments.count.counted("segment"),
            "  by the source's rules "
                + (report.sourceMm.map { "\(metres($0)), straight lines over pauses included" }
                    ?? "unknown: those rules count the rejected places, or have no automatic "
                    + "pauses"),
        ]
        if let kept = report.keptWindow {
            let times = [kept.started, kept.ended].map { utcText($0) }
            lines.append("  cropped to the part from \(times.joined(separator: " to "))")
        }
        lines += figureLines(report) + gapLines(report.gaps) + doubtLines(report.doubts)
        if let elevation = report.elevation { lines += elevationLines(elevation) }
        for effort in report.bestEfforts {
            let from = "\(metres(effort.fromMm)), \(Timestamp.text(effort.started))"
            lines.append("  best \(effort.name)  \(seconds(effort.timeMs)), from \(from)")
        }
        for segment in report.segments {
            if segment.bridgeMm > 0 || segment.segment > 0 {
                let noun = segment.isAfterBreak ? "break" : "pause"
                lines.append(
                    "  \(noun)      \(metres(segment.bridgeMm)) "
                        + (report.countsPauses ? "counted, as the source does" : "not counted"))
            }
            let times = [segment.started, segment.ended].map { utcText($0) }
            lines.append(
                "  segment \(segment.segment)  \(metres(segment.distanceMm)), "
                    + "\(segment.pointCount.counted("point")), \(times.joined(separator: " to "))")
        }
        if !report.leftOut.isEmpty { lines.append("left out") }
        for point in report.leftOut {
            let place =
                point.latE9.flatMap { lat in
                    point.lonE9.map { "\(GPXFile.degrees(lat)), \(GPXFile.degrees($0))" }
                } ?? "no coordinates"
            let accuracy = point.accMm.map { ", known within \(metres($0))" } ?? ""
            lines.append(
                "  position \(point.position), point \(point.index &+ 1): \(reason(point, report)), "
                    + "\(utcText(point.time)), \(place)\(accuracy)")
        }
        return lines
    }

    /// Returns the reason why a point was left out, with the limit. An example is `jump: faster
    /// than the limit (12.000 m a second)`.
    private static func reason(
        _ point: Running.ListedRejection, _ report: Running.TrackReport
    ) -> String {
        let limit: String? =
            switch point.reason {
            case .accuracy: report.maxAccuracyMm.map { "at most \(metres($0)) off" }
            case .jump: report.maxSpeedMmPerS.map { "\(metres($0)) a second" }
            default: nil
            }
        return "\(point.reason.name): \(point.reason.sentence)" + (limit.map { " (\($0))" } ?? "")
    }

    /// Returns the lines with time, pace and speed, as the command `state run` prints them.
    private static func figureLines(_ report: Running.TrackReport) -> [String] {
        guard report.wallMs != 0 || report.activeMs != 0 else { return [] }
        let unknown =
            report.countsPauses || report.segments.isEmpty
            ? "" : ", time in motion unknown: the places are over 30 s apart or without times"
        let moving = report.movingMs.map { ", \(HomeText.duration($0)) moving" } ?? unknown
        let active =
            report.countsPauses ? "" : ", \(HomeText.duration(report.activeMs)) without pauses"
        var lines = ["  time       \(HomeText.duration(report.wallMs)) in all\(active)\(moving)"]
        let pace = report.avgPaceMsPerKm.map { "\(HomeText.duration($0)) /km" } ?? "unknown"
        let speeds = [
            report.avgSpeedMmPerS.map { "\(kilometresAnHour($0)) on average" },
            report.topSpeedMmPerS.map { "\(kilometresAnHour($0)) in the fastest step" },
        ].compactMap { $0 }
        lines.append("  pace       \(pace)")
        if !speeds.isEmpty { lines.append("  speed      \(speeds.joined(separator: ", "))") }
        return lines
    }

    /// Returns a speed in kilometres per hour, rounded half up: `12.7 km/h`.
    private static func kilometresAnHour(_ mmPerS: Int64) -> String {
        let tenths = Tenths.rounded(mmPerS.saturatingProduct(36), 1_000)
        return "\(Tenths(tenths: tenths).text) km/h"
    }

    /// Returns the line about gaps where rejected points are bridged by straight lines. Returns no
    /// line for a run without such gaps.
    private static func gapLines(_ gaps: [Running.BridgedGap]) -> [String] {
        guard !gaps.isEmpty else { return [] }
        let lengthMm = gaps.reduce(0) { $0 &+ $1.lengthMm }
        let places = gaps.reduce(0) { $0 &+ $1.rejectedCount }
        return [
            "  bridged    \(metres(lengthMm)) counted as straight lines over "
                + "\(places.counted("place")) left out, in \(gaps.count.counted("gap")); "
                + "no best effort spans a gap"
        ]
    }

    /// Returns one line for each reason to doubt the track, such as speeds that no runner has.
    private static func doubtLines(_ doubts: Running.TrackDoubts) -> [String] {
        var lines: [String] = []
        if doubts.fastLegCount > 0 {
            let top = doubts.fastestMmPerS.map { ", the fastest \(metres($0)) a second" } ?? ""
            lines.append(
                "  doubtful   \(doubts.fastLegCount.counted("step")) faster than "
                    + "\(metres(doubts.limitMmPerS)) a second\(top): "
                    + "\(metres(doubts.fastMm)) too fast for a runner")
        }
        for overlap in doubts.overlaps {
            lines.append(
                "  doubtful   segment \(overlap.segment) overlaps segment "
                    + "\(overlap.earlierSegment) for \(seconds(overlap.overlapUs / 1_000)); "
                    + "the distance of both counts")
        }
        if doubts.outingCount > 1 {
            lines.append(
                "  doubtful   \(doubts.outingCount.counted("outing")) more than 3 hours apart in "
                    + "one run"
            )
        }
        return lines
    }

    /// Returns the lines with gain and loss of elevation.
    private static func elevationLines(_ elevation: Running.Elevation) -> [String] {
        [
            "  up         \(metres(elevation.gainMm)) smoothed (\(elevation.method)), "
                + "\(metres(elevation.rawGainMm)) raw",
            "  down       \(metres(elevation.lossMm)) smoothed, \(metres(elevation.rawLossMm)) raw",
        ]
    }

    /// Returns milliseconds as text in seconds: `1.500 s`.
    private static func seconds(_ milliseconds: Int64) -> String {
        "\(Thousandths.text(milliseconds)) s"
    }

    /// Returns a point in time in UTC as text; `no time` for `nil`.
    private static func utcText(_ time: Instant?) -> String {
        time.map { Timestamp.text($0) } ?? "no time"
    }

    /// Returns millimetres as text in metres: `1.500 m`.
    private static func metres(_ millimetres: Int64) -> String {
        "\(Thousandths.text(millimetres)) m"
    }
}
