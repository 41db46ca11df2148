import Daybook
import DaybookGeodesy

extension Running {
    /// Validates the points of a run in order, and creates the events that record them.
    struct TrackRecorder {
        /// Events created so far.
        private(set) var events: [Event] = []
        /// The run with its current pause and segment; kept places are not applied to it.
        private var run: Run
        private var batch = LocationsRecorded()
        /// Index of the current point within the command or file.
        private var index: Int64 = 0
        /// True if the next point starts a segment.
        private var startsSegment: Bool
        /// True if a batch of the segment has been written.
        private var isSegmentWritten = false
        /// True if the newest point had impossible coordinates, which mark a pause in some files.
        private var isAfterImpossiblePoint = false
        /// Latest time that a place may have; `nil` for no limit.
        private let latest: Instant?
        /// Kept places since the last pause, and the rules that decide which places are wrong.
        private var judgement: TrackJudgement
        /// Last kept place before those in `judgement.chain`; `nil` if there is none.
        private var placeBeforeChain: JudgedPlace?
        /// Places that disagree with the last kept place and wait until later places decide.
        private var waiting: [JudgedPlace] = []
        /// Digests of the places of this command so far, to recognise repeated reports.
        private var reportedDigests: Set<Int64> = []

        /// Creates a recorder that continues the track of a run.
        ///
        /// - Parameter now: the time of the command that reports the places; `nil` for a file.
        init(_ run: Run, now: Instant?) {
            self.run = run
            latest = run.rules == .standard ? now.map(AcceptedTimes.latest) : nil
            startsSegment = run.tracking.lastSegment != run.tracking.segment
            judgement = TrackJudgement(
                limitMmPerS: run.maxSpeedMmPerS ?? .max,
                isLive: run.mode != .imported && run.rules == .standard)
            readTail()
            if let latest, let last = run.tracking.lastTimed, last > latest, !startsSegment {
                // An earlier version kept a place from the future; no step is measured from such a
                // place.
                self.run.tracking.segment &+= 1
                waiting = []
                startChain()
            }
            openBatch()
        }

        /// True for a run that is recorded while it is active; false for an imported file.
        private var isLive: Bool { run.mode != .imported }

        /// True if later places may show that an earlier place was wrong.
        private var isJudged: Bool { judgement.isLive || run.maxSpeedMmPerS != nil }

        /// Loads the newest kept and rejected places of the run's earlier batches.
        private mutating func readTail() {
            var places: [JudgedPlace] = []
            for entry in run.tracking.tail {
                var place = JudgedPlace(entry.point, segment: entry.segment)
                if let last = places.last, last.segment == place.segment {
                    place.forwardUs = forwardUs(last, place)
                } else {
                    place.bridgeMm = places.last?.distanceMm(to: place) ?? 0
                }
                places.append(place)
            }
            let begin = run.tracking.tail.lastIndex { $0.stretchStart != run.tracking.stretchStart }
            let rest = begin.map { places.index(after: $0) } ?? 0
            judgement.chain = Array(places[rest...])
            placeBeforeChain = places[..<rest].last
            for point in run.tracking.doubtful {
                var place = JudgedPlace(point, segment: 0)
                if let time = point.time, let last = run.tracking.lastTimed, time <= last {
                    place.reason = .time
                }
                waiting.append(place)
            }
        }

        /// Validates the next point, and adds it to the kept, rejected or waiting places.
        mutating func record(_ point: TrackPoint) {
            defer {
                index += 1
                if isLive, let digest = point.digest { reportedDigests.insert(digest) }
            }
            guard let place = point.place, place.isPossible else {
                // Some apps mark a pause with an impossible place.
                isAfterImpossiblePoint = !isLive && !startsSegment
                return reject(.latLon, point)
            }
            if let limit = run.maxAccuracyMm, let accuracy = point.accMm, accuracy > limit {
                return reject(.accuracy, point)
            }
            var point = point
            if let time = point.time, !time.isPossible { point.time = nil }
            if isLive, let reason = rejectReason(of: point) { return reject(reason, point) }
            if isAfterImpossiblePoint { startSegment() }
            let new = JudgedPlace(point: point, place: place, index: index)
            guard isJudged else { return accept(new) }
            judge(new)
        }

        /// Starts a segment after a pause, even if the current segment is empty.
        mutating func startSegment() {
            rejectWaiting()
            startChain()
            breakTrack()
        }

        /// Starts a segment after a break. The places after the break may still show that earlier
        /// places were wrong.
        private mutating func breakTrack() {
            if !batch.isEmpty || (!isLive && !isSegmentWritten) { writeBatch() }
            run.tracking.segment &+= 1
            startsSegment = true
            isSegmentWritten = false
            isAfterImpossiblePoint = false
            openBatch()
        }

        /// Starts an empty chain of places to compare, after a pause.
        private mutating func startChain() {
            placeBeforeChain = judgement.chain.last ?? placeBeforeChain
            judgement.chain = []
            startsSegment = true
        }

        /// Rejects the waiting places and writes the last batch.
        mutating func finish() {
            let indices = waiting.compactMap(\.index)
            rejectWaiting()
            if !batch.isEmpty || (!isLive && !isSegmentWritten) { writeBatch(waiting: indices) }
        }

        /// Returns the reason to reject a point of a live run by its time alone; `nil` for none.
        private func rejectReason(of point: TrackPoint) -> RejectReason? {
            guard let time = point.time else { return .time }
            if let latest, time > latest { return .future }
            if run.rules == .source { return run.state == .running ? nil : .notRunning }
            let tracking = run.tracking
            guard let stretchStart = tracking.stretchStart, time >= stretchStart else {
                return .notRunning
            }
            guard let paused = tracking.paused, time > paused else { return nil }
            return run.pauseCause == .auto ? nil : .notRunning
        }

        /// Keeps or rejects a place, or adds it to the waiting places until later places decide.
        private mutating func judge(_ place: JudgedPlace) {
            var new = place
            guard let last = judgement.chain.last, !isStanding(new) else {
                // No place from before a pause casts doubt on the first one after it.
                if !isStanding(new) { rejectWaiting() }
                return keep(new)
            }
            let relation = judgement.relation(last, new)
            if relation == .agrees, waiting.isEmpty { return keep(new) }
            if relation == .notLater {
                guard !isReported(new.point) else { return reject(.time, new.point) }
                new.reason = .time
            }
            switch judgement.explanation(waiting, new) {
            case nil:
                waiting.append(new)
                if waiting.count > mostWrongInARow { rejectOnce(waiting.removeFirst()) }
            case .newest:
                rejectWaiting()
                keep(new)
            case .kept(let count, let correct):
                for _ in 0..<count { withdraw() }
                keep(correct, then: new, isBreak: false)
            case .breaks(let correct):
                keep(correct, then: new, isBreak: true)
            }
        }

        /// True if the run has a place with the same time and coordinates, in any command so far.
        private func isReported(_ point: TrackPoint) -> Bool {
            guard let digest = point.digest else { return false }
            return reportedDigests.contains(digest) || run.tracking.reported.contains(digest)
        }

        /// Keeps the waiting place at index `correct` and the new place; rejects the other waiting
        /// places.
        private mutating func keep(_ correct: Int, then new: JudgedPlace, isBreak: Bool) {
            let places = waiting
            waiting = []
            for place in places[..<correct] { rejectOnce(place) }
            let disagrees =
                judgement.chain.last.map { !judgement.agree($0, places[correct]) } ?? false
            if isAutoPaused(at: places[correct].point.time), let time = places[correct].point.time {
                resume(at: time)
            } else if isBreak || disagrees {
                breakTrack()
            }
            readmit(places[correct])
            for place in places[(correct + 1)...] { rejectOnce(place) }
            keep(new)
        }

        /// Keeps a place; rejects it if the runner has not moved since an automatic pause.
        private mutating func keep(_ new: JudgedPlace) {
            guard !isStanding(new) else {
                return reject(.notRunning, new.point, new.index ?? index)
            }
            if isAutoPaused(at: new.point.time), let time = new.point.time { resume(at: time) }
            accept(new)
        }

        /// True in an automatic pause, if the place is within 10 m of the last kept place.
        private func isStanding(_ new: JudgedPlace) -> Bool {
            guard isAutoPaused(at: new.point.time) else { return false }
            guard let last = judgement.chain.last ?? placeBeforeChain else { return true }
            return last.distanceMm(to: new) < resumeDistanceMm
        }

        /// True if the run is in an automatic pause that began before a time.
        private func isAutoPaused(at time: Instant?) -> Bool {
            guard isLive, run.pauseCause == .auto, let paused = run.tracking.paused, let time
            else { return false }
            return time > paused
        }

        /// Keeps a waiting place, which an earlier batch may have rejected.
        private mutating func readmit(_ place: JudgedPlace) {
            if place.index == nil { batch.correction = batch.correction ?? TrackCorrection() }
            if place.index == nil { batch.correction?.readmittedCount += 1 }
            accept(place)
        }

        private mutating func rejectWaiting() {
            for place in waiting { rejectOnce(place) }
            waiting = []
        }

        /// Rejects a place, unless an earlier batch already did.
        private mutating func rejectOnce(_ place: JudgedPlace) {
            guard let index = place.index else { return }
            reject(place.reason, place.point, index)
        }

        /// Removes the newest kept place from this batch, or adds it to the batch's correction.
        private mutating func withdraw() {
            guard var place = judgement.chain.popLast() else { return }
            let movingUs = movingUs(place)
            if batch.points.popLast() != nil {
                if place.index == nil { batch.correction?.readmittedCount -= 1 }
                batch.addedMm &-= place.stepMm
                batch.bridgeMm &-= place.bridgeMm
                batch.forwardUs &-= place.forwardUs
                batch.movingUs &-= movingUs
                place.reason = .jump
                rejectOnce(place)
            } else {
                var correction = batch.correction ?? TrackCorrection()
                correction.withdrawnCount += 1
                correction.takenBackMm &+= place.stepMm
                correction.takenBackBridgeMm &+= place.bridgeMm
                correction.takenBackForwardUs &+= place.forwardUs
                correction.takenBackMovingUs &+= movingUs
                batch.correction = correction
            }
            noteStanding(nil)
            startsSegment = judgement.chain.isEmpty
            guard let last = judgement.chain.last else { return }
            run.tracking.segment = last.segment
            batch.segment = last.segment
        }

        /// Adds a place to the kept points, and measures its distance from the previous place.
        private mutating func accept(_ new: JudgedPlace) {
            var new = new
            let lengthMm = (judgement.chain.last ?? placeBeforeChain)?.distanceMm(to: new) ?? 0
            let sinceUs = judgement.chain.last.map { forwardUs($0, new) } ?? 0
            new.stepMm = startsSegment ? 0 : lengthMm
            new.bridgeMm = startsSegment ? lengthMm : 0
            new.forwardUs = startsSegment ? 0 : sinceUs
            new.segment = run.tracking.segment
            let point = new.point
            let accuracyMm = point.accMm.flatMap { recordedAccuraciesMm.contains($0) ? $0 : nil }
            batch.points.append(
                RunPoint(
                    time: point.time, latE9: PersonalInteger(new.place?.latE9 ?? 0),
                    lonE9: PersonalInteger(new.place?.lonE9 ?? 0),
                    eleMm: point.eleMm.map { PersonalInteger($0) }, accMm: accuracyMm,
                    stepMm: new.stepMm))
            batch.addedMm &+= new.stepMm
            batch.bridgeMm &+= new.bridgeMm
            batch.forwardUs &+= new.forwardUs
            batch.movingUs &+= movingUs(new)
            if isLive {
                let isFast = isMoving(new.stepMm, new.forwardUs)
                noteStanding(isFast || startsSegment ? nil : judgement.chain.last?.point.time)
            }
            judgement.chain.append(new)
            if judgement.chain.count > tailLength {
                placeBeforeChain = judgement.chain.removeFirst()
            }
            startsSegment = false
            if batch.points.count == mostPointsOfBatch { writeBatch() }
            pauseIfStanding(at: point.time)
        }

        /// Returns the time from one place to the next in microseconds; 0 if it is negative or
        /// unknown.
        private func forwardUs(_ from: JudgedPlace, _ to: JudgedPlace) -> Int64 {
            guard let start = from.point.time, let end = to.point.time else { return 0 }
            return max(0, end.microseconds(since: start))
        }

        /// Returns the time in motion, in microseconds, from the previous place to a place.
        private func movingUs(_ place: JudgedPlace) -> Int64 {
            isMoving(place.stepMm, place.forwardUs) && place.forwardUs <= longestMovingGapUs
                ? place.forwardUs : 0
        }

        /// Records the time since which the runner has stood still; `nil` if the runner moves.
        private mutating func noteStanding(_ since: Instant?) {
            run.tracking.stoodSince = since.map { run.tracking.stoodSince ?? $0 }
            batch.stoodSince = run.tracking.stoodSince
        }

        /// Starts an automatic pause if the runner has stood still for long enough.
        private mutating func pauseIfStanding(at time: Instant?) {
            guard isLive, run.rules == .standard, let limitS = run.autoPauseS, let time,
                run.tracking.paused == nil, let since = run.tracking.stoodSince,
                time.microseconds(since: since) >= limitS * 1_000_000
            else { return }
            if !batch.isEmpty { writeBatch() }
            events.append(.runPaused(RunPaused(runId: run.runId, cause: .auto, paused: time)))
            run.tracking.paused = time
            run.pauseCause = .auto
        }

        /// Ends an automatic pause, and starts a segment.
        private mutating func resume(at time: Instant) {
            if !batch.isEmpty { writeBatch() }
            run.tracking.segment &+= 1
            run.tracking.stretchStart = time
            run.tracking.paused = nil
            run.pauseCause = nil
            run.tracking.stoodSince = nil
            startChain()
            openBatch()
            events.append(
                .runResumed(
                    RunResumed(
                        runId: run.runId, cause: .auto, resumed: time,
                        segment: run.tracking.segment)))
        }

        /// Adds a point to the rejected points of the batch.
        private mutating func reject(
            _ reason: RejectReason, _ point: TrackPoint, _ index: Int64? = nil
        ) {
            batch.rejected.append(
                RejectedPoint(
                    index: index ?? self.index, reason: reason, time: point.time,
                    latE9: point.latE9.map { PersonalInteger($0) },
                    lonE9: point.lonE9.map { PersonalInteger($0) }, accMm: point.accMm))
        }

        /// Starts an empty batch in the current segment.
        private mutating func openBatch() {
            batch = LocationsRecorded(
                runId: run.runId, segment: run.tracking.segment, batch: run.tracking.batchCount,
                stoodSince: run.tracking.stoodSince, rules: run.rules)
        }

        /// Adds the current batch to the events, and starts the next one.
        ///
        /// - Parameter indices: indices of the places that still wait for later places.
        private mutating func writeBatch(waiting indices: [Int64] = []) {
            // A place may be rejected after later places.
            batch.rejected.sort { $0.index < $1.index }
            let hasDoubtful = batch.rejected.contains { $0.reason == .jump || $0.reason == .time }
            if isLive, hasDoubtful { batch.waiting = WaitingPoints(indices: indices) }
            events.append(.locationsRecorded(batch))
            run.tracking.batchCount &+= 1
            isSegmentWritten = true
            openBatch()
        }
    }
}

extension Running.LocationsRecorded {
    /// True if the batch records nothing.
    fileprivate var isEmpty: Bool { points.isEmpty && rejected.isEmpty && correction == nil }
}
