import Daybook

// Folding of the places of a run, batch by batch.
extension Running.Run {
    mutating func apply(_ event: Running.LocationsRecorded) {
        runId = event.runId
        if let correction = event.correction {
            readmit(event.points.prefix(Int(clamping: max(0, correction.readmittedCount))))
            withdraw(correction)
        }
        tracking.batchCount = event.batch &+ 1
        tracking.segment = event.segment
        tracking.bridgeMm &+= event.bridgeMm
        tracking.movingUs &+= event.movingUs
        tracking.stoodSince = event.stoodSince
        segmentCount = max(segmentCount, event.segment &+ 1)
        pointCount &+= Int64(event.points.count)
        rejectedCount &+= Int64(event.rejected.count)
        for point in event.rejected {
            rejectedCountsByReason[point.reason.name, default: 0] &+= 1
            if isCountedBySource(point) { tracking.sourceCountedPlaceCount &+= 1 }
        }
        let untailed = event.points.count - Running.tailLength
        for (index, point) in event.points.enumerated() {
            apply(point, event.segment)
            if index >= untailed { tracking.appendToTail(point) }
        }
        if mode == .imported {
            tracking.beforeUs &+= event.forwardUs
        } else {
            tracking.updateDoubtful(event)
            tracking.noteReported(event)
        }
        tracking.updateMarks(event)
    }

    /// True if the original app (S1), without limits and automatic pauses, would count the place.
    private func isCountedBySource(_ point: Running.RejectedPoint) -> Bool {
        guard point.reason != .latLon, point.time != nil else { return false }
        return point.reason != .notRunning || state != .paused || pauseCause == .auto
    }

    /// Removes places from the counts of rejected places, because a batch keeps them after all.
    private mutating func readmit(_ points: ArraySlice<Running.RunPoint>) {
        for point in points {
            let isLate = point.time.flatMap { time in tracking.lastTimed.map { time <= $0 } }
            let reason = isLate == true ? Running.RejectReason.time : .jump
            let count = (rejectedCountsByReason[reason.name] ?? 0) &- 1
            rejectedCountsByReason[reason.name] = count == 0 ? nil : count
            rejectedCount &-= 1
        }
    }

    /// Withdraws the newest kept places and subtracts the sums that were added for them.
    mutating func withdraw(_ correction: Running.TrackCorrection) {
        tracking.bridgeMm &-= correction.takenBackBridgeMm
        tracking.movingUs &-= correction.takenBackMovingUs
        if mode == .imported { tracking.beforeUs &-= correction.takenBackForwardUs }
        rejectedCount &+= correction.withdrawnCount
        tracking.sourceCountedPlaceCount &+= correction.withdrawnCount &- correction.readmittedCount
        if correction.withdrawnCount != 0 {
            rejectedCountsByReason[Running.RejectReason.jump.name, default: 0] &+=
                correction.withdrawnCount
        }
        pointCount &-= correction.withdrawnCount
        let count = min(max(0, correction.withdrawnCount), Int64(tracking.tail.count))
        guard count > 0 else { return }
        let timed = tracking.tail.suffix(Int(count)).count { $0.point.time != nil }
        tracking.marks.removeLast(min(timed, tracking.marks.count))
        tracking.tail.removeLast(Int(count))
        resetSums(to: tracking.tail.last)
    }

    /// Resets the run's sums to their values at an earlier place; `nil` means the start of the run.
    private mutating func resetSums(to place: Running.TailPlace?) {
        let place = place ?? Running.TailPlace()
        let isNone = tracking.tail.isEmpty
        tracking.walkedMm = place.walkedMm
        tracking.untimedMm = place.untimedMm
        tracking.clockUs = place.clockUs
        tracking.kilometreCount = place.kilometreCount
        tracking.splitUs = place.splitUs
        tracking.splitIsKnown = place.splitIsKnown
        tracking.judgedStepCount = place.judgedStepCount
        tracking.longMovingUs = place.longMovingUs
        splitsMs.removeLast(max(0, splitsMs.count - Int(clamping: place.kilometreCount)))
        tracking.last = isNone ? nil : place.point
        tracking.lastSegment = isNone ? nil : place.segment
        tracking.lastTimed = place.lastTimed
        let steps = [started, tracking.stretchStart, tracking.paused, place.newestTime]
        tracking.newestTime = steps.compactMap { $0 }.max()
        let isOfStretch = place.stretchStart == tracking.stretchStart
        if !isNone, isOfStretch { segmentCount = place.segment &+ 1 }
    }

    /// Adds the distance and time up to a kept point to the run's sums and splits.
    private mutating func apply(_ point: Running.RunPoint, _ segment: Int64) {
        let isFirst = tracking.lastSegment != segment
        let isTimed = point.time != nil && (isFirst || tracking.last?.time != nil)
        let clockUs = clockUs(at: point, isFirst)
        let walkedMm = tracking.walkedMm &+ point.stepMm
        if !isTimed {
            tracking.splitIsKnown = false
            tracking.untimedMm &+= point.stepMm
        }
        var next = (tracking.kilometreCount &+ 1) &* 1_000_000
        while next <= walkedMm, (1...Running.longestStepMm).contains(point.stepMm),
            tracking.kilometreCount < Running.mostSplits
        {
            let share = Int128(next &- tracking.walkedMm)
            let wholeUs = Int128(clockUs) - Int128(tracking.clockUs)
            let length = Int128(point.stepMm)
            let crossedUs = Int128(tracking.clockUs) + (wholeUs * share * 2 + length) / (length * 2)
            let splitUs = crossedUs - Int128(tracking.splitUs)
            splitsMs.append(tracking.splitIsKnown ? Running.Formula.milliseconds(splitUs) : nil)
            tracking.splitUs = Int64(truncatingIfNeeded: crossedUs)
            tracking.splitIsKnown = isTimed
            tracking.kilometreCount += 1
            next &+= 1_000_000
        }
        if !isFirst, let time = point.time, let before = tracking.last?.time {
            let stepUs = max(0, time.microseconds(since: before))
            if stepUs <= Running.longestMovingGapUs {
                tracking.judgedStepCount &+= 1
            } else if Running.isMoving(point.stepMm, stepUs) {
                tracking.longMovingUs &+= stepUs
            }
        }
        tracking.walkedMm = walkedMm
        tracking.clockUs = clockUs
        tracking.last = point
        tracking.lastSegment = segment
        if let time = point.time {
            tracking.lastTimed = time
            tracking.extendNewestTime(time)
        } else if isFirst {
            tracking.lastTimed = nil
        }
    }

    /// Returns the time without pauses, in microseconds, from the start of the run to a point. For
    /// a point without a time, the result is that of the previous point.
    private func clockUs(at point: Running.RunPoint, _ isFirst: Bool) -> Int64 {
        guard let time = point.time else { return tracking.clockUs }
        if mode != .imported {
            guard let stretchStart = tracking.stretchStart else { return tracking.clockUs }
            return tracking.beforeUs &+ time.microseconds(since: stretchStart)
        }
        guard !isFirst, let last = tracking.lastTimed else { return tracking.clockUs }
        return tracking.clockUs &+ max(0, time.microseconds(since: last))
    }
}
