package import Daybook

extension Running {
    /// The figures of one segment: consecutive places without a pause or break between them.
    package struct SegmentReport: PlainRecord {
        package var segment: Int64 = 0
        /// Time of the first point that has one; `nil` without times.
        package var started: Instant?
        package var ended: Instant?
        package var pointCount: Int64 = 0
        /// Distance along the points of the segment.
        package var distanceMm: Int64 = 0
        package var forwardUs: Int64 = 0
        /// Length of the straight line over the pause or break before the segment.
        package var bridgeMm: Int64 = 0
        /// True if the segment follows a break, such as a distance covered too fast, and not a
        /// pause.
        package var isAfterBreak = false
        package static var elementKey: String? { "segment" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("segment", &segment)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
            try field("points", &pointCount, "distanceMm", &distanceMm, "forwardUs", &forwardUs)
            try field("bridgeMm", &bridgeMm, "isAfterBreak", &isAfterBreak)
        }
    }

    /// A rejected place, as the report lists it.
    package struct ListedRejection: PlainRecord {
        /// Log position of the event in which the place was recorded.
        package var position: Int64 = 0
        /// Index among the points of the command or file, from 0; printed texts number them from 1.
        package var index: Int64 = 0
        package var reason = RejectReason.latLon
        package var time: Instant?
        package var latE9: Int64?
        package var lonE9: Int64?
        package var accMm: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "index", &index, "reason", &reason)
            try field("tUs", &time, .any)
            try field("latE9", &latE9, "lonE9", &lonE9, "accMm", &accMm)
        }
    }

    /// The parts that make up a run's distance: its segments, pauses and rejected places.
    package struct TrackReport: PlainRecord {
        package var runId = ""
        package var position: Int64 = 0
        package var known = Instant.epoch
        package var state = RunState.idle
        /// Distance of the run, by its own rule set or, if requested, by the rule set `source`.
        package var distanceMm: Int64 = 0
        /// Distance by the rule set `source`, which includes straight lines over pauses; `nil` if
        /// it cannot be computed: this rule set counts rejected places of the run, or the run
        /// paused automatically.
        package var sourceMm: Int64?
        package var maxSpeedMmPerS: Int64?
        package var maxAccuracyMm: Int64?
        /// Figures of the segments, in order.
        package var segments: [SegmentReport] = []
        /// Rejected places.
        package var leftOut: [ListedRejection] = []
        /// True if straight lines over pauses count, as they do under the rule set `source`.
        package var countsPauses = false
        /// Climb and descent; `nil` without elevations and under the rule set `source`.
        package var elevation: Elevation?
        /// The fastest kilometre and mile; empty under the rule set `source`.
        package var bestEfforts: [BestEffort] = []
        package var keptWindow: TrackWindow?
        package var wallMs: Int64 = 0
        package var activeMs: Int64 = 0
        package var movingMs: Int64?
        /// Average pace, in ms per km; `nil` without distance or if part of it lacks times.
        package var avgPaceMsPerKm: Int64?
        /// Average speed; `nil` if the pace is `nil`.
        package var avgSpeedMmPerS: Int64?
        /// Greatest speed from one timed point to the next, except over gaps; `nil` for none.
        package var topSpeedMmPerS: Int64?
        /// Gaps left by rejected places, bridged by straight lines.
        package var gaps: [BridgedGap] = []
        /// Signs that the track is not a single run on foot, such as speeds that no runner reaches.
        package var doubts = TrackDoubts()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "position", &position)
            try field("knownUs", &known, .any)
            try field("state", &state, "distanceMm", &distanceMm, "sourceMm", &sourceMm)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, "maxAccuracyMm", &maxAccuracyMm)
            try field("segments", &segments, "leftOut", &leftOut, "countsPauses", &countsPauses)
            try field("elevation", &elevation, "bestEfforts", &bestEfforts, "cropped", &keptWindow)
            try field("wallMs", &wallMs, "activeMs", &activeMs, "movingMs", &movingMs)
            try field("avgPaceMsPerKm", &avgPaceMsPerKm, "avgSpeedMmPerS", &avgSpeedMmPerS)
            try field("topSpeedMmPerS", &topSpeedMmPerS, "gaps", &gaps, "doubts", &doubts)
        }
    }

    /// A report that explains the distance of a run.
    package struct RunTrack: Report, PlainRecord {
        package typealias Answer = TrackReport
        package static let name = "track"
        package static let summary =
            "The parts of a run's distance: segments, pauses and rejected places"
        package static let basisFields = Running.basisFields
        package var run = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("run", &run)
        }

        package var query: Query { .any(of: Model.kinds, tag(run)) }

        package func unknownEntityMessage(_ track: Model.State) -> String? {
            track == .blank ? "no event of run '\(run)' is known" : nil
        }

        package func answer(
            _ track: Model.State, _ context: ReportContext
        ) throws(ReportError) -> TrackReport {
            guard context.rules != .source || track.run.keptWindow == nil else {
                throw .unanswerable(
                    "run '\(self.run)' was cropped, which the original app cannot do; "
                        + "'replay state run' shows the uncropped run")
            }
            if context.rules == .source, let reason = track.run.sourceRefusal {
                throw .unanswerable(reason)
            }
            var report = TrackReport()
            let kept = track.batches.kept(track.run.keptWindow)
            for batch in kept { report.add(batch) }
            if track.run.mode != .imported, track.run.keptWindow == nil {
                for index in report.segments.indices.dropFirst() {
                    report.segments[index].isAfterBreak =
                        !track.resumedSegments.contains(report.segments[index].segment)
                }
            }
            report.leftOut = track.leftOut
            let run = context.rules == .source ? track.source : track.run
            report.runId = self.run
            report.position = Int64(context.position.rawValue)
            report.known = context.knownAt
            report.state = run.state
            report.distanceMm = run.distanceMm
            report.sourceMm = run.tracking.walkedMm &+ run.tracking.bridgeMm
            if run.keptWindow != nil {
                report.sourceMm = kept.reduce(0) { $0 &+ $1.addedMm &+ $1.bridgeMm }
            } else if run.mode == .manual {
                report.sourceMm = run.distanceMm
            }
            if track.run.sourceRefusal != nil { report.sourceMm = nil }
            report.countsPauses = context.rules == .source || run.rules == .source
            report.keptWindow = run.keptWindow
            let segments = kept.segments
            let leftOut = track.gapFinder.rejectedCounts(in: track.batches, within: run.keptWindow)
            let (gaps, gapEnds) = bridgedGaps(segments, leftOut)
            if !report.countsPauses {
                report.elevation = Elevation(of: segments.map { $0.points })
                report.bestEfforts = bestEfforts(segments, gapEnds)
            }
            report.gaps = gaps
            var doubts = TrackDoubtFinder(maxSpeedMmPerS: run.maxSpeedMmPerS)
            for batch in kept { doubts.add(batch) }
            report.doubts = doubts.result
            report.wallMs = run.wallMs
            report.activeMs = run.activeMs
            report.movingMs = run.movingMs
            report.avgPaceMsPerKm = run.avgPaceMsPerKm
            report.avgSpeedMmPerS = run.avgPaceMsPerKm.flatMap { _ in
                Formula.speedMmPerS(run.distanceMm, Int128(run.activeMs) * 1_000)
            }
            report.topSpeedMmPerS = topSpeedMmPerS(segments, gapEnds)
            report.maxSpeedMmPerS = run.maxSpeedMmPerS
            report.maxAccuracyMm = run.maxAccuracyMm
            return report
        }
    }
}

extension Running.RunTrack {
    /// The fold of the events of one run that the track report reads.
    package enum Model: Projection {
        package typealias Event = Running.Event

        package struct State: PlainRecord {
            var run = Running.Run()
            /// The same run, with figures by the rule set `source`.
            var source = Running.Run()
            /// Batches of places of the whole run, as if it had never been cropped.
            var batches: [Running.LocationsRecorded] = []
            /// Rejected places of all batches, including places that were withdrawn later.
            var leftOut: [Running.ListedRejection] = []
            /// Finds the gaps that rejected places leave in the track.
            var gapFinder = Running.GapFinder()
            /// Log positions of the events in `batches`, in the same order.
            var positions: [Int64] = []
            /// Numbers of the segments that start after a pause.
            var resumedSegments: [Int64] = []
            package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("run", &run, "source", &source, "batches", &batches, "leftOut", &leftOut)
                try field("gaps", &gapFinder, "positions", &positions, "resumed", &resumedSegments)
            }

            /// Adds a batch, and applies its corrections to the earlier batches.
            mutating func record(_ batch: Running.LocationsRecorded, _ envelope: Envelope) {
                if let count = batch.correction?.readmittedCount {
                    readmit(batch.points.prefix(Int(clamping: max(0, count))))
                }
                for (index, number, point) in batches.record(batch) {
                    leftOut.append(
                        Running.ListedRejection(
                            position: positions[index], index: Int64(number), reason: .jump,
                            time: point.time, latE9: point.latE9.value,
                            lonE9: point.lonE9.value, accMm: point.accMm))
                }
                leftOut += batch.rejected.map { Running.ListedRejection($0, envelope.position) }
                batches[batches.count - 1].rejected = []
                positions.append(Int64(envelope.position.rawValue))
            }

            /// Removes the places from `leftOut` that a later batch keeps after all.
            private mutating func readmit(_ points: ArraySlice<Running.RunPoint>) {
                for point in points {
                    let index = leftOut.lastIndex {
                        ($0.reason == .jump || $0.reason == .time) && $0.time == point.time
                            && $0.latE9 == point.latE9.value && $0.lonE9 == point.lonE9.value
                    }
                    if let index { leftOut.remove(at: index) }
                }
            }
        }

        package static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            Running.RunView.evolve(&state.run, with: event, envelope)
            Running.SourceRunView.evolve(&state.source, with: event, envelope)
            if case .runResumed(let resumed) = event {
                state.resumedSegments.append(resumed.segment)
            }
            guard case .locationsRecorded(let batch) = event else { return }
            state.gapFinder.add(batch, envelope.recordedAt, isFile: state.run.mode == .imported)
            state.record(batch, envelope)
        }
    }
}

extension Running.ListedRejection {
    /// Creates the entry for a rejected point of the event at a log position.
    fileprivate init(_ point: Running.RejectedPoint, _ position: Position) {
        self.init(
            position: Int64(position.rawValue), index: point.index, reason: point.reason,
            time: point.time, latE9: point.latE9?.value, lonE9: point.lonE9?.value,
            accMm: point.accMm)
    }
}

extension [Running.LocationsRecorded] {
    /// Points of each segment, in order.
    fileprivate var segments: [(number: Int64, points: [Running.RunPoint])] {
        var segments: [(number: Int64, points: [Running.RunPoint])] = []
        for batch in self {
            if segments.last?.number != batch.segment { segments.append((batch.segment, [])) }
            segments[segments.count - 1].points += batch.points
        }
        return segments
    }
}

extension Running.TrackReport {
    /// Adds the points of a batch to the figures of its segment.
    fileprivate mutating func add(_ batch: Running.LocationsRecorded) {
        if segments.last?.segment != batch.segment {
            segments.append(Running.SegmentReport(segment: batch.segment))
        }
        let times = batch.points.compactMap(\.time)
        let last = segments.count - 1
        segments[last].started = segments[last].started ?? times.first
        segments[last].ended = times.last ?? segments[last].ended
        segments[last].pointCount &+= Int64(batch.points.count)
        segments[last].distanceMm &+= batch.addedMm
        segments[last].forwardUs &+= batch.forwardUs
        segments[last].bridgeMm &+= batch.bridgeMm
    }
}
