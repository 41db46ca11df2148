import CivilTime
public import EventSourcing

extension Running {
    /// Which run.
    struct TrackArguments: Record {
        var run = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("run", &run)
        }
    }

    static let trackReport = ReportDescription(
        "track", "Why a run has the length it has: segments, pauses, places left out",
        TrackReport.self
    ) { (arguments: TrackArguments, events, context) throws(ReportError) in
        do throws(FoldError) {
            return try TrackReport(
                of: arguments.run, events.filter { $0.tags.contains(tag(arguments.run)) }, context)
        } catch {
            throw .fold(error)
        }
    }
}

extension Running.TrackReport {
    /// - Parameter events: those of the run, in order and in their newest layouts.
    public init(
        of runId: String, _ events: [RecordedEvent], _ context: ReportContext
    ) throws(FoldError) {
        self.init()
        self.runId = runId
        position = Int64(context.position.rawValue)
        knownUs = context.knownAt.microseconds
        let reader = KindReader<Running.Event>()
        var run = Running.Run()
        for event in events {
            guard let known = try reader.read(event) else { continue }
            Running.RunView.evolve(&run, with: known, event.envelope)
            if case .locationsRecorded(let batch) = known { take(batch, at: event.position) }
        }
        state = run.state
        distanceMm = run.distanceMm
        sourceMm = run.tracking.walkedMm &+ run.tracking.bridgeMm
        maxSpeedMmPerS = run.maxSpeedMmPerS
        maxAccuracyMm = run.maxAccuracyMm
    }

    private mutating func take(_ batch: Running.LocationsRecorded, at position: Position) {
        if segments.last?.segment != batch.segment {
            var segment = Running.SegmentReport()
            segment.segment = batch.segment
            segments.append(segment)
        }
        let times = batch.points.compactMap(\.tUs)
        let last = segments.count - 1
        segments[last].startedUs = segments[last].startedUs ?? times.first
        segments[last].endedUs = times.last ?? segments[last].endedUs
        segments[last].points &+= Int64(batch.points.count)
        segments[last].distanceMm &+= batch.addedMm
        segments[last].forwardUs &+= batch.forwardUs
        segments[last].bridgeMm &+= batch.bridgeMm
        for point in batch.rejected {
            var left = Running.LeftOut()
            left.position = Int64(position.rawValue)
            left.index = point.index
            left.reason = point.reason
            left.tUs = point.tUs
            left.latE9 = point.latE9?.value
            left.lonE9 = point.lonE9?.value
            left.accMm = point.accMm
            leftOut.append(left)
        }
    }
}
