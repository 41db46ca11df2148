import CivilTime
import EventSourcing
import Geodesy

extension Running {
    /// Judges the points of a run one after another, and makes its events.
    struct TrackRecorder {
        private(set) var events: [Event] = []
        private var run: Run
        private var batch = LocationsRecorded()
        private var index: Int64 = 0
        /// True where the next point starts a segment.
        private var startsSegment: Bool
        /// True where a batch of the segment is written.
        private var isSegmentWritten = false
        /// True where an impossible place follows the last point.
        private var isBroken = false
        /// The latest time that a place of a live run can have; `nil` for any.
        private let latest: Instant?

        /// - Parameter now: the moment of the command that brings the places; `nil` for those of a file.
        init(_ run: Run, now: Instant?) {
            self.run = run
            latest = run.rules == .standard ? now.map(Running.latest) : nil
            startsSegment = run.tracking.lastOfSegment != run.tracking.segment
            if let latest, let last = run.tracking.lastTimed, last > latest, !startsSegment {
                // An earlier version kept a place from the future, from which nothing is measured.
                self.run.tracking.segment &+= 1
                startsSegment = true
            }
            open()
        }

        /// True for a run whose places are judged by their times; those of a file never are.
        private var isLive: Bool { run.mode != .imported }

        mutating func record(_ point: TrackPoint) {
            defer { index += 1 }
            guard let place = point.place, place.isPossible else {
                // Some apps mark a pause this way.
                isBroken = !isLive && !startsSegment
                return reject(.latLon, point)
            }
            if let limit = run.maxAccuracyMm, let accuracy = point.accMm, accuracy > limit {
                return reject(.accuracy, point)
            }
            var point = point
            if let time = point.time, !time.isPossible { point.time = nil }
            if isLive, let reason = refusal(of: point, place) { return reject(reason, point) }
            if isBroken { startSegment() }
            accept(point, place)
        }

        /// Starts a segment, also after an empty one.
        mutating func startSegment() {
            if !isSegmentWritten || !batch.isEmpty { write() }
            run.tracking.segment &+= 1
            run.tracking.lastTimed = nil
            startsSegment = true
            isSegmentWritten = false
            isBroken = false
            open()
        }

        /// Writes the last batch.
        mutating func finish() {
            if !batch.isEmpty || (!isLive && !isSegmentWritten) { write() }
        }

        /// The reason to leave a point of a live run out; `nil` to keep it.
        private mutating func refusal(
            of point: TrackPoint, _ place: Coordinate
        ) -> RejectReason? {
            guard let time = point.time else { return .time }
            if let latest, time > latest { return .future }
            if run.rules == .source { return run.state == .running ? nil : .notRunning }
            let tracking = run.tracking
            guard let stretchStart = tracking.stretchStart, time >= stretchStart else {
                return .notRunning
            }
            if !startsSegment, let last = tracking.lastTimed, time <= last { return .time }
            guard let paused = tracking.paused, time > paused else { return nil }
            guard run.pauseCause == .auto, let last = tracking.last,
                let earlier = last.place, earlier.distanceMm(to: place) >= resumeDistanceMm
            else { return .notRunning }
            resume(at: time)
            return nil
        }

        private mutating func accept(_ point: TrackPoint, _ place: Coordinate) {
            let lengthMm = run.tracking.last?.place?.distanceMm(to: place) ?? 0
            let stepMm = startsSegment ? 0 : lengthMm
            var sinceLastUs: Int64?
            if !startsSegment, let time = point.time, let last = run.tracking.lastTimed {
                sinceLastUs = max(0, time.microseconds(since: last))
            }
            if let sinceLastUs, let limit = run.maxSpeedMmPerS,
                Int128(stepMm) * 1_000_000 > Int128(limit) * Int128(sinceLastUs)
            {
                return reject(.jump, point)
            }
            let forwardUs = sinceLastUs ?? 0
            let isFast = isMoving(stepMm, forwardUs)
            let accuracyMm = point.accMm.flatMap { recordedAccuraciesMm.contains($0) ? $0 : nil }
            let kept = RunPoint(
                time: point.time, latE9: PersonalInteger(place.latE9),
                lonE9: PersonalInteger(place.lonE9),
                eleMm: point.eleMm.map { PersonalInteger($0) }, accMm: accuracyMm, stepMm: stepMm)
            batch.points.append(kept)
            batch.addedMm &+= stepMm
            if startsSegment { batch.bridgeMm &+= lengthMm }
            batch.forwardUs &+= forwardUs
            if isFast, forwardUs <= longestMovingGapUs { batch.movingUs &+= forwardUs }
            if isLive { noteStanding(isFast || startsSegment ? nil : run.tracking.lastTimed) }
            run.tracking.last = kept
            run.tracking.lastTimed = point.time ?? run.tracking.lastTimed
            startsSegment = false
            if batch.points.count == mostPointsOfBatch { write() }
            pauseIfStanding(at: point.time)
        }

        /// Notes that the runner stands still since a moment; `nil` for one who moves.
        private mutating func noteStanding(_ since: Instant?) {
            run.tracking.stoodSince = since.map { run.tracking.stoodSince ?? $0 }
            batch.stoodSince = run.tracking.stoodSince
        }

        private mutating func pauseIfStanding(at time: Instant?) {
            guard isLive, run.rules == .standard, let limitS = run.autoPauseS, let time,
                run.tracking.paused == nil, let since = run.tracking.stoodSince,
                time.microseconds(since: since) >= limitS * 1_000_000
            else { return }
            if !batch.isEmpty { write() }
            events.append(
                .runPaused(RunPaused(runId: run.runId, cause: .auto, paused: time)))
            run.tracking.paused = time
            run.pauseCause = .auto
        }

        private mutating func resume(at time: Instant) {
            if !batch.isEmpty { write() }
            run.tracking.segment &+= 1
            run.tracking.stretchStart = time
            run.tracking.paused = nil
            run.pauseCause = nil
            run.tracking.stoodSince = nil
            run.tracking.lastTimed = nil
            startsSegment = true
            open()
            events.append(
                .runResumed(
                    RunResumed(
                        runId: run.runId, cause: .auto, resumed: time,
                        segment: run.tracking.segment)))
        }

        private mutating func reject(_ reason: RejectReason, _ point: TrackPoint) {
            batch.rejected.append(
                RejectedPoint(
                    index: index, reason: reason, time: point.time,
                    latE9: point.latE9.map { PersonalInteger($0) },
                    lonE9: point.lonE9.map { PersonalInteger($0) }, accMm: point.accMm))
        }

        private mutating func open() {
            batch = LocationsRecorded(
                runId: run.runId, segment: run.tracking.segment, batch: run.tracking.batches,
                stoodSince: run.tracking.stoodSince, rules: run.rules)
        }

        private mutating func write() {
            events.append(.locationsRecorded(batch))
            run.tracking.batches &+= 1
            isSegmentWritten = true
            open()
        }
    }
}

extension Running.LocationsRecorded {
    fileprivate var isEmpty: Bool { points.isEmpty && rejected.isEmpty }
}

extension Running {
    /// Maximum number of points of an event.
    fileprivate static let mostPointsOfBatch = 4_096

    /// The distance from where the runner stood that ends an automatic pause: 10 m.
    fileprivate static let resumeDistanceMm: Int64 = 10_000
}
