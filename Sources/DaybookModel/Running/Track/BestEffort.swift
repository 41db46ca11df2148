package import Daybook

extension Running {
    /// The fastest part of a run that has a given length.
    package struct BestEffort: PlainRecord {
        /// Name of the length: `1 km` or `1 mi`.
        package var name = ""
        package var lengthMm: Int64 = 0
        /// Time in which the part was run.
        package var timeMs: Int64 = 0
        /// Pace in milliseconds per kilometre; `nil` without time.
        package var paceMsPerKm: Int64?
        /// Number of the segment that contains the part, from 0.
        package var segment: Int64 = 0
        /// Distance from the start of the run to the start of the part.
        package var fromMm: Int64 = 0
        /// Time at the start of the part.
        package var started = Instant.epoch
        package static var elementKey: String? { "name" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "lengthMm", &lengthMm, "timeMs", &timeMs)
            try field("paceMsPerKm", &paceMsPerKm, "segment", &segment, "fromMm", &fromMm)
            try field("startedUs", &started, .any)
        }
    }

    /// Lengths for which the fastest part of a run is reported, with their names.
    private static let effortLengths: [(name: String, lengthMm: Int64)] = [
        ("1 km", 1_000_000), ("1 mi", 1_609_344),
    ]

    /// Returns the best effort for each reported length that the track is long enough for.
    ///
    /// An effort spans neither a pause nor a gap: it lies within one segment, all its points have
    /// times, and no places were rejected between them.
    ///
    /// - Parameter gapEnds: indices, over all segments, of points that follow rejected places.
    static func bestEfforts(
        _ segments: [(number: Int64, points: [RunPoint])], _ gapEnds: Set<Int> = []
    ) -> [BestEffort] {
        var stretches: [TimedStretch] = []
        var place = 0
        var alongMm: Int64 = 0
        for (number, points) in segments {
            var stretch = TimedStretch(segment: number)
            for (index, point) in points.enumerated() {
                defer { place += 1 }
                if gapEnds.contains(place) {
                    stretches.append(stretch)
                    stretch = TimedStretch(segment: number)
                }
                // A recorded fact may have a negative step.
                if index > 0 { alongMm = alongMm + max(0, point.stepMm) }
                guard let time = point.time else {
                    stretches.append(stretch)
                    stretch = TimedStretch(segment: number)
                    continue
                }
                stretch.add(time, alongMm)
            }
            stretches.append(stretch)
        }
        return effortLengths.compactMap { (name, lengthMm) -> BestEffort? in
            var best: TimedStretch.Window?
            var segment: Int64 = 0
            for stretch in stretches {
                guard let window = stretch.fastest(lengthMm),
                    window.timeUs < best?.timeUs ?? .max
                else { continue }
                best = window
                segment = stretch.segment
            }
            return best.map { window in
                let timeMs = Formula.milliseconds(Int128(window.timeUs))
                return BestEffort(
                    name: name, lengthMm: lengthMm, timeMs: timeMs,
                    paceMsPerKm: Formula.pace(timeMs, lengthMm), segment: segment,
                    fromMm: window.fromMm, started: window.started)
            }
        }
    }
}

/// Consecutive points that all have times.
private struct TimedStretch {
    /// A section of the track along these points, with the length of a best effort.
    struct Window {
        var timeUs: Int64
        /// Distance from the start of the run to the start of the window.
        var fromMm: Int64
        var started: Instant
    }

    /// A point, with the time and distance up to it.
    private struct TimedPoint {
        /// Time since the first of the points.
        var clockUs: Int64
        /// Distance since the start of the run.
        var alongMm: Int64
        var time: Instant
    }

    /// Number of the segment that contains the points.
    let segment: Int64
    /// The points, in order.
    private var timedPoints: [TimedPoint] = []
    init(segment: Int64) { self.segment = segment }

    /// Adds a point; a time before that of the previous point counts as equal to it.
    mutating func add(_ time: Instant, _ alongMm: Int64) {
        let last = timedPoints.last
        let stepUs = last.map { max(0, time.microseconds(since: $0.time)) } ?? 0
        timedPoints.append(
            TimedPoint(clockUs: (last?.clockUs ?? 0) + stepUs, alongMm: alongMm, time: time))
    }

    /// Returns the fastest window of a length; `nil` if the points cover less or take no time.
    /// Between points, time is interpolated linearly by distance, so the fastest window starts or
    /// ends at a point.
    func fastest(_ lengthMm: Int64) -> Window? {
        guard let first = timedPoints.first, let last = timedPoints.last,
            last.alongMm &- first.alongMm >= lengthMm
        else { return nil }
        var best: Window?
        func offer(_ window: Window) {
            if window.timeUs > 0, window.timeUs < best?.timeUs ?? .max { best = window }
        }
        var (end, start) = (0, 0)
        for index in timedPoints.indices {
            let goalMm = timedPoints[index].alongMm + lengthMm
            while end < timedPoints.count, timedPoints[end].alongMm < goalMm { end += 1 }
            if end < timedPoints.count {
                let endUs = clockUs(at: goalMm, before: end)
                offer(
                    Window(
                        timeUs: endUs &- timedPoints[index].clockUs,
                        fromMm: timedPoints[index].alongMm, started: timedPoints[index].time))
            }
            let fromMm = timedPoints[index].alongMm &- lengthMm
            guard fromMm >= first.alongMm else { continue }
            while timedPoints[start + 1].alongMm <= fromMm { start += 1 }
            let startUs = clockUs(at: fromMm, before: start + 1)
            offer(
                Window(
                    timeUs: timedPoints[index].clockUs &- startUs, fromMm: fromMm,
                    started: timedPoints[start].time.advanced(
                        byMicroseconds: startUs &- timedPoints[start].clockUs)))
        }
        return best
    }

    /// Returns the interpolated `clockUs` at a distance that is reached between the point before
    /// `index` and the point at `index`. The result is rounded half up.
    private func clockUs(at alongMm: Int64, before index: Int) -> Int64 {
        guard index > 0 else { return timedPoints[0].clockUs }
        let (from, to) = (timedPoints[index - 1], timedPoints[index])
        let stepMm = Int128(to.alongMm &- from.alongMm)
        guard stepMm > 0 else { return to.clockUs }
        let share = Int128(alongMm &- from.alongMm) * Int128(to.clockUs &- from.clockUs)
        return from.clockUs &+ Int64(clamping: (share * 2 + stepMm) / (stepMm * 2))
    }
}
