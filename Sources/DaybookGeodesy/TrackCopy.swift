/// Finds out whether two tracks are recordings of one run.
///
/// They are if, after one shift of the clock of at most 14 hours, they agree point by point in
/// elapsed time and place. What is no evidence is ignored: accuracies, elevations, decimals of
/// coordinates, how often a device records, places that are cut at either end.
package enum TrackCopy {
    /// Greatest difference of two clocks, in microseconds: that of a mistaken time zone.
    package static let mostShiftUs: Int64 = 14 * 3_600_000_000
    /// Greatest difference of the elapsed times at one place, in microseconds.
    private static let tolerantUs: Int64 = 1_000_000
    /// Greatest distance between the places at one time, in metres.
    private static let tolerantM = 30.0

    /// Returns the time from the first track to its copy by their clocks, in microseconds; `nil` if
    /// the second track is no copy, or has places that the first lacks for more than a quarter of
    /// its time.
    package static func shiftUs(from first: TimedPath, to copy: TimedPath) -> Int64? {
        guard let origin = first.places.first, first.places.count > 2, copy.places.count > 2,
            let (start, end) = first.bounds, let (copyStart, copyEnd) = copy.bounds,
            copyStart <= end + mostShiftUs, start <= copyEnd + mostShiftUs
        else { return nil }
        let paths = (FlatPath(first, from: origin), FlatPath(copy, from: origin))
        // The places of the sparser path are looked for on the other one.
        let isCopySparser = copy.places.count <= first.places.count
        let comparison =
            isCopySparser
            ? Comparison(sparse: paths.1, dense: paths.0, isCopySparse: true)
            : Comparison(sparse: paths.0, dense: paths.1, isCopySparse: false)
        return comparison.shiftUs().map { isCopySparser ? -$0 : $0 }
    }

    /// The comparison of two paths, of which the sparser one is shifted onto the other.
    fileprivate struct Comparison {
        let sparse: FlatPath
        let dense: FlatPath
        /// True if the copy, and not the first track, is the sparser path.
        let isCopySparse: Bool

        /// Returns the shift of the sparser path's times with which the paths agree.
        func shiftUs() -> Int64? {
            for candidate in candidates() {
                if let shift = verified(candidate) { return shift }
            }
            return nil
        }

        fileprivate var sparseSpan: (Int64, Int64) {
            (sparse.timesUs[0], sparse.timesUs[sparse.timesUs.count - 1])
        }
        fileprivate var denseSpan: (Int64, Int64) {
            (dense.timesUs[0], dense.timesUs[dense.timesUs.count - 1])
        }

        /// Shifts with which a place of the sparser path lies on the other, the least first.
        private func candidates() -> [Int64] {
            var shifts = [0, denseSpan.0 - sparseSpan.0, denseSpan.1 - sparseSpan.1]
            let count = sparse.timesUs.count
            for place in [count / 4, count / 2, count * 3 / 4] {
                let passes = dense.passes(of: place, of: sparse, within: tolerantM)
                shifts += passes.map { $0 - sparse.timesUs[place] }
            }
            let sorted = shifts.filter { $0.magnitude <= mostShiftUs.magnitude }
                .sorted { ($0.magnitude, $0) < ($1.magnitude, $1) }
            return sorted.enumerated().filter { index, shift in
                index == 0 || (shift - sorted[index - 1]).magnitude > tolerantUs.magnitude
            }.map(\.element)
        }

        /// Returns a shift, corrected by the lags of the places, if the paths agree with it.
        private func verified(_ candidate: Int64) -> Int64? {
            guard let places = commonPlaces(candidate) else { return nil }
            guard share(of: sample(places, 12), candidate, within: 2 * tolerantM, 15) > 0.7
            else { return nil }
            let lags = sample(places, 64).compactMap { lag(of: $0, candidate) }.sorted()
            let shift = candidate + (lags.isEmpty ? 0 : lags[lags.count / 2])
            guard shift.magnitude <= mostShiftUs.magnitude + tolerantUs.magnitude,
                share(of: places, shift, within: tolerantM, 1) >= 0.95
            else { return nil }
            return overlaps || isSameRecording(places, shift) ? shift : nil
        }

        /// The places of the sparser path in the time that both paths cover, at most 512; `nil` if
        /// that time is too short: the copy must lie within the first track or, if the first lies
        /// within the copy, have at most a quarter of its time for itself.
        private func commonPlaces(_ shift: Int64) -> [Int]? {
            let start = max(sparseSpan.0 + shift, denseSpan.0)
            let end = min(sparseSpan.1 + shift, denseSpan.1)
            let common = end - start + 2 * tolerantUs
            let (sparseUs, denseUs) = (sparseSpan.1 - sparseSpan.0, denseSpan.1 - denseSpan.0)
            let (copyUs, firstUs) = isCopySparse ? (sparseUs, denseUs) : (denseUs, sparseUs)
            let isWithin = common >= copyUs / 20 * 19
            let coversMost = common >= firstUs / 20 * 19 && common >= copyUs / 4 * 3
            guard end > start, isWithin || coversMost else { return nil }
            let indices = sparse.timesUs.indices.filter {
                (start...end).contains(sparse.timesUs[$0] + shift)
            }
            return indices.count > 2 ? sample(indices, 512) : nil
        }

        /// Returns at most `count` of the places, evenly chosen.
        private func sample(_ places: [Int], _ count: Int) -> [Int] {
            guard places.count > count else { return places }
            return (0..<count).map { places[$0 * (places.count - 1) / (count - 1)] }
        }

        /// Returns the part of the places that are on the other path within a time and a radius.
        fileprivate func share(
            of places: [Int], _ shift: Int64, within radius: Double, _ seconds: Int64
        ) -> Double {
            let near = places.count { place in
                let time = sparse.timesUs[place] + shift
                let found = dense.closest(
                    to: place, of: sparse, from: time - seconds * tolerantUs,
                    to: time + seconds * tolerantUs)
                return found.map { $0.distance <= radius } ?? false
            }
            return Double(near) / Double(places.count)
        }

        /// Returns the time by which the other path reaches a place later, up to 15 seconds; `nil`
        /// for a place at which the runner stands, because it has no such time.
        fileprivate func lag(of place: Int, _ shift: Int64) -> Int64? {
            let time = sparse.timesUs[place] + shift
            let next = place + 1 < sparse.timesUs.count ? place + 1 : place - 1
            let us = Double((sparse.timesUs[next] - sparse.timesUs[place]).magnitude)
            guard us > 0, sparse.distance(place, next) / us * 1e6 >= 0.7 else { return nil }
            return dense.closest(
                to: place, of: sparse, from: time - 15 * tolerantUs, to: time + 15 * tolerantUs
            ).map { $0.timeUs - time }
        }
    }
}

// Evidence where the clocks say that one track followed the other.
extension TrackCopy.Comparison {
    /// True if the tracks overlap by their clocks: one runner cannot have run both.
    private var overlaps: Bool {
        let common = min(sparseSpan.1, denseSpan.1) - max(sparseSpan.0, denseSpan.0)
        return common * 2 >= min(sparseSpan.1 - sparseSpan.0, denseSpan.1 - denseSpan.0)
    }

    /// True if the tracks are one recording with different clocks, and not the same way run twice.
    /// The runner was nowhere more than a second ahead or behind, apart from the scatter of the
    /// places. A shift that is no mistaken time zone needs the very same places, and ten of them.
    private func isSameRecording(_ places: [Int], _ shift: Int64) -> Bool {
        let length = zip(places, places.dropFirst()).reduce(0) { $0 + sparse.distance($1.0, $1.1) }
        guard length >= 100, hasSamePace(places, shift) else { return false }
        let zoneStepUs: Int64 = 900_000_000
        let rest = shift.magnitude % zoneStepUs.magnitude
        let isZone = min(rest, zoneStepUs.magnitude - rest) <= 2_000_000
        return isZone || (places.count >= 10 && share(of: places, shift, within: 2, 1) >= 0.95)
    }

    /// True if in each tenth of the way the median lag is at most a second.
    private func hasSamePace(_ places: [Int], _ shift: Int64) -> Bool {
        let lags = places.compactMap { lag(of: $0, shift) }
        guard lags.count > 2 else { return false }
        let count = max(1, min(10, lags.count / 3))
        return (0..<count).allSatisfy { part in
            let values = lags[lags.count * part / count..<lags.count * (part + 1) / count].sorted()
            let median = values[values.count / 2]
            let deviations = values.map { ($0 - median).magnitude }.sorted()
            // Twice the standard error of the median, as the scatter of the places has it.
            let error = 3 * Double(deviations[values.count / 2]) / Double(values.count).squareRoot()
            return Double(median.magnitude) <= 1_000_000 + error
        }
    }
}
