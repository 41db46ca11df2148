import Daybook

// Sums and newest places that need no other value of the run.
extension Running.Tracking {
    /// Sets `newestTime` to a time, unless it is already later.
    mutating func extendNewestTime(_ time: Instant) { newestTime = max(newestTime ?? time, time) }

    /// Returns the microseconds from the start of the run to the last tick of the original app's
    /// timer. The timer of the original app (S1) ticks every second; resuming the run restarts it.
    func elapsedUs(at time: Instant, since started: Instant?) -> Int64 {
        guard let started, let stretchStart, time >= stretchStart else { return elapsedUs }
        let ticks = time.microseconds(since: stretchStart) / 1_000_000
        guard ticks > 0 else { return elapsedUs }
        return stretchStart.microseconds(since: started) &+ ticks &* 1_000_000
    }

    /// True if the time in motion is known, or the run has no way that took any. It is unknown if
    /// all steps lack times or take too long to judge, or if most of the motion is in steps that
    /// do.
    var knowsMovingTime: Bool {
        guard walkedMm > 0 else { return true }
        return judgedStepCount > 0 && longMovingUs <= movingUs
    }

    /// Returns the pace from the first to the last of `marks` in the segment of the newest; `nil`
    /// with fewer than two of them. If `bridged` is true, `marks` of all segments count, and the
    /// distance includes the straight lines over pauses.
    func currentPace(bridged: Bool = false) -> Int64? {
        let newest = marks.last?.segment
        let chosen = bridged ? marks : marks.filter { $0.segment == newest }
        guard chosen.count > 1, let first = chosen.first, let last = chosen.last else { return nil }
        let timeMs = Running.Formula.milliseconds(Int128(last.time.microseconds(since: first.time)))
        let lengthMm =
            bridged ? last.bridgedMm &- first.bridgedMm : last.distanceMm &- first.distanceMm
        return Running.Formula.pace(timeMs, lengthMm)
    }

    /// Updates `marks`: the last ten points with times, which determine the current pace.
    mutating func updateMarks(_ event: Running.LocationsRecorded) {
        var alongMm = walkedMm
        var added: [Running.PaceMark] = []
        for point in event.points.reversed() {
            if let time = point.time {
                added.append(
                    Running.PaceMark(
                        time: time, segment: event.segment, distanceMm: alongMm,
                        bridgedMm: alongMm &+ bridgeMm))
                if added.count == 10 { break }
            }
            alongMm &-= point.stepMm
        }
        marks = (marks + added.reversed()).suffix(10)
    }

    /// Adds a kept place, with the run's sums up to it, to the `tail` of newest places.
    mutating func appendToTail(_ point: Running.RunPoint) {
        tail.append(
            Running.TailPlace(
                point: point, segment: lastSegment ?? 0, stretchStart: stretchStart,
                lastTimed: lastTimed, newestTime: newestTime, walkedMm: walkedMm,
                untimedMm: untimedMm, clockUs: clockUs, kilometreCount: kilometreCount,
                splitUs: splitUs, splitIsKnown: splitIsKnown, judgedStepCount: judgedStepCount,
                longMovingUs: longMovingUs))
        if tail.count > Running.tailLength { tail.removeFirst() }
    }

    /// Updates `doubtful`: the places that were rejected, since the last kept place, as too fast or
    /// not later.
    mutating func updateDoubtful(_ event: Running.LocationsRecorded) {
        if !event.points.isEmpty { doubtful = [] }
        for point in event.rejected where point.reason == .jump || point.reason == .time {
            if let waiting = event.waiting, !waiting.indices.contains(point.index) { continue }
            guard let time = point.time, let latE9 = point.latE9, let lonE9 = point.lonE9 else {
                continue
            }
            // A jump that is not later than the last kept place cannot be readmitted.
            if event.waiting == nil, point.reason == .jump, lastTimed.map({ time <= $0 }) ?? false {
                continue
            }
            doubtful.append(
                Running.RunPoint(time: time, latE9: latE9, lonE9: lonE9, accMm: point.accMm))
        }
        doubtful = doubtful.suffix(Running.mostWrongInARow)
    }

    /// Adds the digests of a live run's places to `reported`.
    mutating func noteReported(_ event: Running.LocationsRecorded) {
        reported += event.points.compactMap {
            Running.placeDigest($0.time, $0.latE9.value, $0.lonE9.value)
        }
        reported += event.rejected.filter { $0.reason != .latLon }.compactMap {
            Running.placeDigest($0.time, $0.latE9?.value, $0.lonE9?.value)
        }
    }
}
