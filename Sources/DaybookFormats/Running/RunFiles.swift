public import Daybook
import DaybookGeodesy
public import DaybookModel

/// The imports, exports and pictures of runs.
public enum RunFiles: FileFormats {
    public static let imports = [
        ImportDescription(
            "gpx", "One run: all tracks of a GPX file, every point whose coordinates are possible.",
            subject: .id("user", "The runner, for gpx."), options: [maxSpeed, maxAccuracy, split]
        ) { source in
            let reader = GPXReader(rules: source.rules)
            try source.forEachChunk { try reader.feed($0) }
            return TrackFileImport(
                file: try reader.finish(), isSplit: source.options.has(split),
                runs: TrackImport(
                    userId: source.subject, zone: source.zone?.name,
                    maxSpeedMmPerS: source.options.number(maxSpeed),
                    maxAccuracyMm: source.options.number(maxAccuracy)))
        }
    ]
    public static let exports = [ExportDescription(RunFile.self)]
    public static let pictures = [PictureDescription(of: "run", RunPicture.self)]

    private static let maxSpeed = FileOption(
        "max-speed", value: "m/s", .positive(power: 3, example: "12.5"),
        "gpx: leave out points reached faster than this, in metres a second.")
    private static let maxAccuracy = FileOption(
        "max-accuracy", value: "m", .positive(power: 3, example: "50"),
        "gpx: leave out points less accurate than this, in metres.")
    private static let split = FileOption(
        "split", .flag,
        "gpx: make a run of each part that is more than three hours from the others.")
}

/// An export of a run as GPX, with its kept places by segment.
public struct RunFile: FileExport {
    public typealias Model = RunTrackFile

    public static let name = "gpx"
    public static let summary = "A run as GPX 1.1, with the places that were kept."
    public static let subject = FileOption.id("run", "The run, for gpx.")

    public var run = ""
    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("run", &run)
    }

    public var query: Query { RunTrackFile.query(run) }

    public func answer(
        _ track: RunTrackFile.State, _ context: ReportContext
    ) throws(ReportError) -> ExportedFile {
        let batches = track.kept
        guard !batches.isEmpty else {
            throw .unanswerable(
                "no locations of a run '\(run)' up to position \(context.position)")
        }
        let points = batches.flatMap(\.points)
        let erased = points.count { $0.place == nil }
        guard erased == 0 || erased < points.count else {
            throw .unanswerable("the places of run '\(run)' are erased")
        }
        return ExportedFile(
            text: GPXFile.text(track.title, batches),
            rows: Int64(points.count - erased),
            messages: erased == 0
                ? [] : ["\(erased) of \(points.count) places are erased, and left out"])
    }

    public func fileName(_ track: RunTrackFile.State, at now: Instant) -> String { "\(run).gpx" }
}

/// The fold of a run's track: its name and its places.
public enum RunTrackFile: Projection {
    public enum Event: EventSet {
        case runStarted(Running.RunStarted)
        case locationsRecorded(Running.LocationsRecorded)
        case runCropped(Running.RunCropped)

        public static let kinds = [
            StoredKind(runStarted), StoredKind(locationsRecorded), StoredKind(runCropped),
        ]
    }

    public struct State: Record {
        /// Name in the imported file; `nil` for a live run.
        public var title: String?
        /// All batches in log order, without withdrawn places.
        public var batches: [Running.LocationsRecorded] = []
        /// Part that a crop keeps; `nil` for the whole run.
        public var cropped: Running.TrackWindow?
        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("title", &title, "batches", &batches, "cropped", &cropped)
        }

        /// Batches within the part that the crop keeps.
        public var kept: [Running.LocationsRecorded] { batches.kept(cropped) }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .runStarted(let started):
            if let title = started.title { state.title = title.text }
        case .locationsRecorded(let batch): state.batches.record(batch)
        case .runCropped(let cropped): state.cropped = cropped.window
        }
    }

    static func query(_ runId: String) -> Query { .any(of: kinds, Running.tag(runId)) }
}

/// An export of a run as an SVG picture, suitable for printing.
public struct RunPicture: FileExport {
    public typealias Model = DrawnRun

    public static let name = "svg"
    public static let summary = "A run drawn with its pace and its elevation."
    public static let subject = FileOption.id("run", "The run.")

    public var run = ""
    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("run", &run)
    }

    public var query: Query { .any(of: Running.runKinds, Running.tag(run)) }

    public func answer(
        _ drawn: DrawnRun.State, _ context: ReportContext
    ) throws(ReportError) -> ExportedFile {
        ExportedFile(
            text: TrackSVG.picture(drawn.run, title: drawn.track.title, drawn.track.kept))
    }

    public func fileName(_ drawn: DrawnRun.State, at now: Instant) -> String { "\(run).svg" }
}

/// The fold of a run's figures and track.
public enum DrawnRun: Projection {
    public typealias Event = Running.Event

    public struct State: Record {
        public var run = Running.Run.blank
        public var track = RunTrackFile.State.blank
        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("run", &run, "track", &track)
        }
    }

    public static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        Running.RunView.evolve(&state.run, with: event, envelope)
        switch event {
        case .runStarted(let started):
            RunTrackFile.evolve(&state.track, with: .runStarted(started), envelope)
        case .locationsRecorded(let batch):
            RunTrackFile.evolve(&state.track, with: .locationsRecorded(batch), envelope)
        case .runCropped(let cropped):
            RunTrackFile.evolve(&state.track, with: .runCropped(cropped), envelope)
        default: break
        }
    }
}
