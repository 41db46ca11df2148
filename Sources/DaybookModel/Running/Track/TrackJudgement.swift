import Daybook
import DaybookGeodesy

extension Running {
    /// A place with what a decision about its neighbours needs.
    struct JudgedPlace {
        var point: TrackPoint
        var place: Coordinate?
        /// Index among the points of the command; `nil` for one of an earlier command.
        var index: Int64?
        var segment: Int64 = 0
        /// The step to it, as recorded; 0 for the first of a segment.
        var stepMm: Int64 = 0
        var bridgeMm: Int64 = 0
        var forwardUs: Int64 = 0
        /// The reason to leave it out, unless later places speak for it.
        var reason = RejectReason.jump

        /// 0 where coordinates are erased.
        func distanceMm(to other: JudgedPlace) -> Int64 {
            guard let place, let end = other.place else { return 0 }
            return place.distanceMm(to: end)
        }

        init(point: TrackPoint, place: Coordinate, index: Int64) {
            self.point = point
            self.place = place
            self.index = index
        }

        /// A place of an earlier command.
        init(_ point: RunPoint, segment: Int64) {
            self.point = TrackPoint(
                time: point.time, latE9: point.latE9.value, lonE9: point.lonE9.value,
                eleMm: point.eleMm?.value, accMm: point.accMm)
            place = point.place
            self.segment = segment
            stepMm = point.stepMm
        }

        func isSame(as other: JudgedPlace) -> Bool {
            point.time == other.point.time && place == other.place
        }
    }

    /// Judges which of two places that are farther apart than anybody runs is wrong, if any.
    ///
    /// Two places agree where the way between them can be run in the time between them. A step between
    /// places that disagree has a wrong place at one of its ends, or is a break: a ride, or a clock that
    /// was set. The wrong one is that with which neither the places before it nor those after it agree.
    /// Between far times everything agrees, so that of two readings the one with the shorter way holds.
    struct TrackJudgement {
        let limitMmPerS: Int64
        /// True for places in the order of their times; those of files may lack times.
        let isLive: Bool

        /// Kept places of the newest stretch without a pause, at most `tailLength`.
        var chain: [JudgedPlace] = []

        enum Relation {
            case agrees
            case tooFast
            case notLater
        }

        /// A reading of the places around a step that nobody runs.
        enum Reading {
            /// The waiting places are wrong.
            case newest
            /// The newest kept places are wrong, and the waiting one of this index is right.
            case kept(Int, right: Int)
            /// Nothing is measured before the waiting place of this index.
            case breaks(right: Int)
        }

        func relation(_ from: JudgedPlace, _ to: JudgedPlace) -> Relation {
            guard let start = from.point.time, let end = to.point.time else {
                return isLive ? .notLater : .agrees
            }
            let timeUs = Int128(end.microseconds) - Int128(start.microseconds)
            if isLive, timeUs <= 0 { return .notLater }
            let isRunnable =
                Int128(from.distanceMm(to: to)) * 1_000_000
                <= Int128(limitMmPerS) * max(0, timeUs)
            return isRunnable ? .agrees : .tooFast
        }

        func agree(_ from: JudgedPlace, _ to: JudgedPlace) -> Bool {
            relation(from, to) == .agrees
        }

        /// The reading that a new place allows; `nil` where it agrees with none, and waits too.
        func reading(_ waiting: [JudgedPlace], _ new: JudgedPlace) -> Reading? {
            guard let last = chain.last else { return nil }
            var best: (reading: Reading, lengthMm: Int64)?
            func offer(_ reading: Reading, _ lengthMm: Int64) {
                if lengthMm < best?.lengthMm ?? .max { best = (reading, lengthMm) }
            }
            let isNewest = agree(last, new)
            let newestMm = last.distanceMm(to: new)
            if isNewest { offer(.newest, newestMm) }
            for (index, place) in waiting.enumerated() where agree(place, new) {
                // A place that came late is no reason to doubt those before it.
                if isNewest, place.reason == .time { continue }
                let lengthMm = place.distanceMm(to: new)
                // A time that lies ahead of those around it tells which one is wrong.
                if place.reason == .time, isSupported, agree(chain[chain.count - 2], place) {
                    return .kept(1, right: index)
                }
                if let count = strayCount(before: place), !isNewest || lengthMm <= newestMm {
                    return .kept(count, right: index)
                }
                if isSupported, canBreak(before: place) {
                    offer(.breaks(right: index), lengthMm)
                }
                guard isSupported else {
                    offer(.kept(1, right: index), lengthMm)
                    continue
                }
                let before = chain[chain.count - 2]
                if agree(before, place) {
                    offer(
                        .kept(1, right: index),
                        lengthMm &+ before.distanceMm(to: place) &- last.stepMm)
                }
            }
            return best?.reading
        }

        /// True where the last kept place agrees with the one before it.
        private var isSupported: Bool {
            chain.count > 1 && chain[chain.count - 2].segment == chain[chain.count - 1].segment
        }

        /// A clock that was set back is known within a command alone: a batch may be sent twice.
        private func canBreak(before place: JudgedPlace) -> Bool {
            place.reason == .jump || chain.last?.index != nil && place.index != nil
        }

        /// Number of the newest kept places that lie between two breaks and are wrong: the run goes on
        /// where it was before them.
        private func strayCount(before place: JudgedPlace) -> Int? {
            guard let last = chain.last,
                let end = chain.lastIndex(where: { $0.segment != last.segment })
            else { return nil }
            let (before, first) = (chain[end], chain[end + 1])
            let count = chain.count - 1 - end
            let wayMm = before.distanceMm(to: place)
            guard count <= mostWrongInARow, agree(before, place),
                wayMm < before.distanceMm(to: first), wayMm < last.distanceMm(to: place)
            else { return nil }
            return count
        }
    }

    /// Maximum number of wrong places one after another that are told from a ride there and back.
    static let mostWrongInARow = 3
}
