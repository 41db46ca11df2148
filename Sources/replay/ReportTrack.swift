import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import ReplayCommands

struct TrackReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Tell why a run has the length it has: segments, pauses, places left out.")

    @Option(
        name: .customLong("run"), help: ArgumentHelp("The run.", valueName: "id"),
        transform: identifier)
    var runId: String

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let log = try log.open(.read)
        let report = try mappingLogErrors {
            let reading = try RunReading(log, moment)
            let events = try reading.events(of: runId)
            guard !events.isEmpty else {
                throw Failure(
                    .finding, "no event of run '\(runId)' up to position \(reading.through)")
            }
            let asked = Running.RunTrack { $0.run = runId }
            let context = ReportContext(
                rules: .standard, zones: nil, position: reading.through,
                knownAt: try moment.knownAt(log))
            var report = PreparedReport([asked], context)
            for event in events { try report.fold(event) }
            return try asked.answer(report.state, context)
        }
        guard !output.json else { return Output.json(JSONWriter.text(report)) }
        Output.lines(Self.lines(report))
    }

    private static func lines(_ report: Running.TrackReport) -> [String] {
        var lines = [
            "run \(report.runId), \(report.state.name): \(metres(report.distanceMm)) in "
                + "\(report.segments.count) segments",
            "  by the source's rules \(metres(report.sourceMm)), straight lines over pauses included",
        ]
        for segment in report.segments {
            if segment.bridgeMm > 0 || segment.segment > 0 {
                lines.append("  pause      \(metres(segment.bridgeMm)) not counted")
            }
            let times = [segment.started, segment.ended].map { time($0) }
            lines.append(
                "  segment \(segment.segment)  \(metres(segment.distanceMm)), "
                    + "\(segment.points) points, \(times.joined(separator: " to "))")
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
        }
    }

    private static func time(_ moment: Instant?) -> String {
        moment.map { Timestamp.text($0) } ?? "no time"
    }

    /// Metres with three decimals.
    private static func metres(_ millimetres: Int64) -> String {
        let rest = String(millimetres.magnitude % 1_000)
        return "\(millimetres < 0 ? "-" : "")\(millimetres.magnitude / 1_000)."
            + String(repeating: "0", count: 3 - rest.count) + rest + " m"
    }
}
