import Daybook
import DaybookGeodesy
import DaybookModel

/// Registers the formats in which runs are imported, exported and drawn.
enum RunFiles: FileFormats {
    /// Import formats; the only one is GPX.
    static let imports = [
        ImportDescription(
            "gpx", "One run: all tracks of a GPX file, every point whose coordinates are possible.",
            subject: .id("user", "The runner, for gpx."),
            options: [maxSpeed, maxAccuracy, split, keepBoth]
        ) { source in
            let reader = GPXReader(rules: source.rules)
            try source.forEachChunk { try reader.feed($0) }
            return TrackFileImport(
                file: try reader.finish(), isSplit: source.options.has(split),
                keepsCopies: source.options.has(keepBoth),
                trackImport: TrackImport(
                    userId: source.subject, zone: source.zone?.name,
                    maxSpeedMmPerS: source.options.number(maxSpeed),
                    maxAccuracyMm: source.options.number(maxAccuracy)))
        }
    ]
    /// Export formats; the only one is GPX.
    static let exports = [ExportDescription(RunFile.self)]
    /// Formats of pictures; the only one is a run as SVG.
    static let pictures = ["run": ExportDescription(RunPicture.self)]

    /// The option `--max-speed`, which leaves out points reached at a greater speed. The speed is
    /// the one from the point before, in metres per second.
    private static let maxSpeed = FileOption(
        "max-speed", value: "m/s", .positive(power: 3, example: "12.5"),
        "gpx: leave out points reached faster than this, in metres a second.")
    /// The option `--max-accuracy`, which leaves out points with a greater accuracy radius. The
    /// radius is in metres.
    private static let maxAccuracy = FileOption(
        "max-accuracy", value: "m", .positive(power: 3, example: "50"),
        "gpx: leave out points less accurate than this, in metres.")
    /// The option `--split`, which imports each outing as a run of its own.
    private static let split = FileOption(
        "split", .flag,
        "gpx: make a run of each part that is more than three hours from the others.")
    /// The option `--keep-both`, which imports a track although the log has a copy of it.
    private static let keepBoth = FileOption(
        "keep-both", .flag,
        "gpx: import the track of a run that the log has from another file, so that both count.")
}

/// An export of a run as GPX, without rejected, cropped and erased points.
struct RunFile: FileExport {
    typealias Model = NamedTrack
    static let name = "gpx"
    static let summary = "A run as GPX 1.1, with the places that were kept."
    static let subject = FileOption.id("run", "The run, for gpx.")
    var runId = ""
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("run", &runId)
    }

    /// The query for the events with the run's name and points.
    var query: Query { NamedTrack.query(runId) }

    /// Returns the run as a GPX file; throws an error if the log has no points of the run, or all
    /// of them are erased.
    func answer(
        _ track: NamedTrack.State, _ context: ReportContext
    ) throws(ReportError) -> ExportedFile {
        let batches = track.keptBatches
        guard !batches.isEmpty else {
            throw .unanswerable(
                "the log has no points of the run '\(runId)' up to position \(context.position)")
        }
        let points = batches.flatMap(\.points)
        let erased = points.count { $0.place == nil }
        guard erased == 0 || erased < points.count else {
            throw .unanswerable("all points of the run '\(runId)' are erased; none can be exported")
        }
        return ExportedFile(
            text: GPXFile.text(track.title, batches), rows: Int64(points.count - erased),
            messages: erased == 0
                ? [] : ["\(erased) of \(points.count) places are erased, and left out"])
    }

    /// Returns the suggested file name: the id of the run with `.gpx`.
    func fileName(_ track: NamedTrack.State, at now: Instant) -> String { "\(runId).gpx" }
}

/// The projection of a run's name and points, for files and pictures.
enum NamedTrack: Projection {
    /// The events that change the name or the points of a run.
    enum Event: EventSet {
        case runStarted(Running.RunStarted)
        case locationsRecorded(Running.LocationsRecorded)
        case runCropped(Running.RunCropped)

        static let kinds = [
            StoredKind(runStarted), StoredKind(locationsRecorded), StoredKind(runCropped),
        ]
    }

    /// The name and the points of a run.
    struct State: Record {
        /// Name in the imported file; `nil` for a live run.
        var title: String?
        /// All batches of points in log order, without points that a correction withdrew.
        var batches: [Running.LocationsRecorded] = []
        /// Part of the run that a crop keeps; `nil` if the run is not cropped.
        var keptWindow: Running.TrackWindow?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("title", &title, "batches", &batches, "cropped", &keptWindow)
        }

        /// Batches with the points that are left after a crop, in log order.
        var keptBatches: [Running.LocationsRecorded] { batches.kept(keptWindow) }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .runStarted(let started):
            if let title = started.title { state.title = title.text }
        case .locationsRecorded(let batch): state.batches.record(batch)
        case .runCropped(let cropped): state.keptWindow = cropped.window
        }
    }

    /// Returns the query for the events of one run that this projection reads.
    static func query(_ runId: String) -> Query { .any(of: kinds, Running.tag(runId)) }
}

/// An export of a run as an SVG picture, suitable for printing.
struct RunPicture: FileExport {
    typealias Model = DrawnRun
    static let name = "svg"
    static let summary = "A run drawn with its pace and its elevation."
    /// The option `--run`, which names the drawn run.
    static let subject = FileOption.id("run", "The run.")
    var runId = ""
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("run", &runId)
    }

    /// The query for all events about the run.
    var query: Query { .any(of: Running.runKinds, Running.tag(runId)) }

    func answer(
        _ drawn: DrawnRun.State, _ context: ReportContext
    ) throws(ReportError) -> ExportedFile {
        ExportedFile(
            text: TrackSVG.picture(drawn.run, title: drawn.track.title, drawn.track.keptBatches))
    }

    /// Returns the suggested file name: the id of the run with `.svg`.
    func fileName(_ drawn: DrawnRun.State, at now: Instant) -> String { "\(runId).svg" }
}

/// The projection of a run's figures and track, for its picture.
enum DrawnRun: Projection {
    typealias Event = Running.Event

    /// The figures and the track of a run.
    struct State: Record {
        /// Figures of the run, such as distance and pace.
        var run = Running.Run.blank
        var track = NamedTrack.State.blank
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("run", &run, "track", &track)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        Running.RunView.evolve(&state.run, with: event, envelope)
        switch event {
        case .runStarted(let started):
            NamedTrack.evolve(&state.track, with: .runStarted(started), envelope)
        case .locationsRecorded(let batch):
            NamedTrack.evolve(&state.track, with: .locationsRecorded(batch), envelope)
        case .runCropped(let cropped):
            NamedTrack.evolve(&state.track, with: .runCropped(cropped), envelope)
        default: break
        }
    }
}
