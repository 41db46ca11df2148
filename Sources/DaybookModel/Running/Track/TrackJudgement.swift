import Daybook
import DaybookGeodesy

extension Running {
    /// A place with the values needed to decide whether it or a neighbour is wrong.
    struct JudgedPlace {
        var point: TrackPoint
        /// Coordinates of the place; `nil` if they are erased.
        var place: Coordinate?
        /// Index among the points of the command; `nil` for a place of an earlier command.
        var index: Int64?
        /// Number of the segment that contains the place, from 0.
        var segment: Int64 = 0
        /// Recorded distance from the previous place; 0 for the first place of a segment.
        var stepMm: Int64 = 0
        /// Length of the straight line over the pause or break before the place.
        var bridgeMm: Int64 = 0
        /// Time from the previous place of the segment, in microseconds.
        var forwardUs: Int64 = 0
        /// Reason with which the place is rejected unless later places show that it is correct.
        var reason = RejectReason.jump

        /// Returns the distance between two places; 0 if coordinates are erased.
        func distanceMm(to other: JudgedPlace) -> Int64 {
            guard let place, let end = other.place else { return 0 }
            return place.distanceMm(to: end)
        }

        /// Creates a place from a point of the current command.
        init(point: TrackPoint, place: Coordinate, index: Int64) {
            self.point = point
            self.place = place
            self.index = index
        }

        /// Creates a place from a kept point of an earlier command.
        init(_ point: RunPoint, segment: Int64) {
            self.point = TrackPoint(
                time: point.time, latE9: point.latE9.value, lonE9: point.lonE9.value,
                eleMm: point.eleMm?.value, accMm: point.accMm)
            place = point.place
            self.segment = segment
            stepMm = point.stepMm
        }

    }

    /// Decides which place is wrong if two places are farther apart than a runner can cover.
    ///
    /// Two places agree if a runner can cover their distance in the time between them. If
    /// consecutive places disagree, either one of them is wrong, or the track has a break: a ride,
    /// or a clock that was changed. A place is wrong if neither the places before it nor the places
    /// after it agree with it. Places far apart in time always agree. Therefore, if several
    /// explanations are possible, the one with the shortest distance is chosen.
    struct TrackJudgement {
        /// Greatest speed, in mm/s, at which two consecutive places still agree.
        let limitMmPerS: Int64
        /// True if places must be in order of time; false for files, whose places may lack times.
        let isLive: Bool

        /// Newest kept places since the last pause, oldest first, at most `tailLength`.
        var chain: [JudgedPlace] = []

        /// The result of comparing two consecutive places.
        enum Relation {
            /// A runner can cover the distance in the time between the places.
            case agrees
            /// The distance is too long for a runner in the time between the places.
            case tooFast
            /// The second place is not later than the first.
            case notLater
        }

        /// An explanation of a place that was reached too fast or is not later than the one before.
        enum Explanation {
            /// The new place is correct, and all waiting places are wrong.
            case newest
            /// The waiting place at index `correct` is correct, and some of the newest kept places
            /// are wrong; the first value is their number.
            case kept(Int, correct: Int)
            /// The track has a break, whose distance is not measured, before the waiting place at
            /// index `correct`.
            case breaks(correct: Int)
        }

        /// Compares two consecutive places.
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

        /// True if a runner can cover the distance in the time between the places.
        func agree(_ from: JudgedPlace, _ to: JudgedPlace) -> Bool { relation(from, to) == .agrees }

        /// Returns the best explanation of a new place; `nil` if the new place has to wait for
        /// later places too.
        ///
        /// - Parameter waiting: places that disagree with the last kept place and are not decided
        /// yet.
        func explanation(_ waiting: [JudgedPlace], _ new: JudgedPlace) -> Explanation? {
            guard let last = chain.last else { return nil }
            var best: (explanation: Explanation, lengthMm: Int64)?
            func offer(_ explanation: Explanation, _ lengthMm: Int64) {
                if lengthMm < best?.lengthMm ?? .max { best = (explanation, lengthMm) }
            }
            let isNewest = agree(last, new)
            let newestMm = last.distanceMm(to: new)
            if isNewest { offer(.newest, newestMm) }
            for (index, place) in waiting.enumerated() where agree(place, new) {
                // A place with an earlier time does not cast doubt on the places before it.
                if isNewest, place.reason == .time { continue }
                let lengthMm = place.distanceMm(to: new)
                // A kept place is wrong if its time is later than those of both neighbours.
                if place.reason == .time, isSupported, agree(chain[chain.count - 2], place) {
                    return .kept(1, correct: index)
                }
                if let count = strayCount(before: place), !isNewest || lengthMm <= newestMm {
                    return .kept(count, correct: index)
                }
                if isSupported { offer(.breaks(correct: index), lengthMm) }
                guard isSupported else {
                    offer(.kept(1, correct: index), lengthMm)
                    continue
                }
                let before = chain[chain.count - 2]
                if agree(before, place) {
                    offer(
                        .kept(1, correct: index),
                        lengthMm &+ before.distanceMm(to: place) &- last.stepMm)
                }
            }
            return best?.explanation
        }

        /// True if the last two kept places are in the same segment, and so confirm each other.
        private var isSupported: Bool {
            chain.count > 1 && chain[chain.count - 2].segment == chain[chain.count - 1].segment
        }

        /// Returns how many of the newest kept places lie between two breaks and are wrong. They
        /// are wrong if the run continues near the place before them; otherwise returns `nil`.
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

    /// Maximum number of wrong places in a row; more count as a ride there and back.
    static let mostWrongInARow = 3
}

extension Running {
    /// Returns a digest of a place with a possible time; `nil` if a value is missing or erased.
    static func placeDigest(_ time: Instant?, _ latE9: Int64?, _ lonE9: Int64?) -> Int64? {
        guard let time, time.isPossible, let latE9, let lonE9 else { return nil }
        var bits: UInt64 = 0xCBF2_9CE4_8422_2325
        for value in [time.microseconds, latE9, lonE9] {
            bits = (bits ^ UInt64(bitPattern: value)) &* 0x9E37_79B9_7F4A_7C15
            bits ^= bits >> 32
        }
        return Int64(bitPattern: bits)
    }
}

extension Running.TrackPoint {
    /// Digest of a possible place with a possible time; `nil` for any other point.
    var digest: Int64? { place?.isPossible == true ? Running.placeDigest(time, latE9, lonE9) : nil }
}
