/// The places of a track in the order of their times, without those on a straight stretch.
///
/// A path holds a limited number of places, so that it can be kept for each run. Where it has
/// too many, those go first that lie where the runner would have been without them, but never
/// two neighbours at once.
package struct TimedPath: Sendable {
    /// A place with its time.
    package struct Place {
        var timeUs: Int64
        /// Degrees north times 10⁷.
        var latE7: Int32
        /// Degrees east times 10⁷.
        var lonE7: Int32
    }

    /// The places in the order of their times; sorted once `finish` was called.
    package private(set) var places: [Place] = []
    /// True if `places` are in the order of their times.
    private var isSorted = true
    /// Greatest number of places.
    private let limit: Int

    /// Creates an empty path.
    ///
    /// - Parameter limit: the greatest number of places, at least 8.
    package init(limit: Int) { self.limit = max(8, limit) }

    /// Adds a place with its time in microseconds; one with impossible coordinates is ignored.
    package mutating func add(_ timeUs: Int64, _ place: Coordinate) {
        guard place.isPossible else { return }
        if let last = places.last, timeUs <= last.timeUs { isSorted = false }
        places.append(
            Place(
                timeUs: timeUs, latE7: Int32(clamping: place.latE9 / 100),
                lonE7: Int32(clamping: place.lonE9 / 100)))
        if places.count > limit { thin() }
    }

    /// Sorts the places by time; of several at one time, the first is kept.
    package mutating func finish() {
        guard !isSorted else { return }
        isSorted = true
        places.sort { $0.timeUs < $1.timeUs }
        var kept: [Place] = []
        kept.reserveCapacity(places.count)
        for place in places where place.timeUs != kept.last?.timeUs { kept.append(place) }
        places = kept
    }

    /// Times of the first and the last place; `nil` without a place.
    package var bounds: (start: Int64, end: Int64)? {
        guard let first = places.first, let last = places.last else { return nil }
        return (first.timeUs, last.timeUs)
    }

    /// Removes the quarter of the places that the others tell best.
    private mutating func thin() {
        if !isSorted { finish() }
        let scale = DegreeScale(around: places[0])
        var errors: [(error: Double, index: Int)] = []
        errors.reserveCapacity(places.count / 2)
        for index in stride(from: 1, to: places.count - 1, by: 2) {
            errors.append((error(without: index, scale), index))
        }
        errors.sort { ($0.error, $0.index) < ($1.error, $1.index) }
        var isRemoved = [Bool](repeating: false, count: places.count)
        for (_, index) in errors.prefix((errors.count + 1) / 2) { isRemoved[index] = true }
        var count = 0
        for index in places.indices where !isRemoved[index] {
            places[count] = places[index]
            count += 1
        }
        places.removeLast(places.count - count)
    }

    /// Returns the squared distance of a place from where its neighbours would have it at its time.
    private func error(without index: Int, _ scale: DegreeScale) -> Double {
        let (before, place, next) = (places[index - 1], places[index], places[index + 1])
        let whole = Double(next.timeUs - before.timeUs)
        let part = whole > 0 ? Double(place.timeUs - before.timeUs) / whole : 0
        let (x, y) = scale.metres(from: before, to: place)
        let (dx, dy) = scale.metres(from: before, to: next)
        let (ex, ey) = (dx * part - x, dy * part - y)
        return ex * ex + ey * ey
    }
}

/// Lengths of a ten-millionth of a degree in metres, around one place.
struct DegreeScale {
    private let north: Double
    private let east: Double

    init(around place: TimedPath.Place) {
        let corner = Coordinate(latE9: Int64(place.latE7) * 100, lonE9: 0)
        let degree: Int64 = 1_000_000_000
        let equator = Coordinate(latE9: 0, lonE9: 0)
        north = Double(equator.distanceMm(to: Coordinate(latE9: degree, lonE9: 0))) / 1e10
        let neighbour = Coordinate(latE9: corner.latE9, lonE9: degree)
        east = Double(corner.distanceMm(to: neighbour)) / 1e10
    }

    /// Returns the way from one place to another, in metres to the east and the north.
    func metres(from: TimedPath.Place, to place: TimedPath.Place) -> (east: Double, north: Double) {
        var turn = Double(place.lonE7) - Double(from.lonE7)
        if turn.magnitude > 180e7 { turn -= turn > 0 ? 360e7 : -360e7 }
        return (turn * east, (Double(place.latE7) - Double(from.latE7)) * north)
    }
}

/// A path on a plane around one place, in metres to the east and the north of it.
struct FlatPath {
    /// Times of the places in microseconds, ascending.
    let timesUs: [Int64]
    private let x: [Double]
    private let y: [Double]

    init(_ path: TimedPath, from origin: TimedPath.Place) {
        let scale = DegreeScale(around: origin)
        let ways = path.places.map { scale.metres(from: origin, to: $0) }
        timesUs = path.places.map(\.timeUs)
        x = ways.map(\.east)
        y = ways.map(\.north)
    }

    /// Returns the distance between two places, in metres.
    func distance(_ a: Int, _ b: Int) -> Double {
        let (dx, dy) = (x[a] - x[b], y[a] - y[b])
        return (dx * dx + dy * dy).squareRoot()
    }

    /// The point of a path that is closest to a place: its distance in metres, and its time.
    typealias Closest = (distance: Double, timeUs: Int64)

    /// Returns the closest point of the path between two times to a place of another path. Between
    /// its places, the runner moved evenly. Returns `nil` if the path has no point between the
    /// times.
    func closest(
        to place: Int, of other: FlatPath, from startUs: Int64, to endUs: Int64
    ) -> Closest? {
        guard let first = timesUs.first, let last = timesUs.last, startUs <= last,
            first <= endUs
        else { return nil }
        let (px, py) = (other.x[place], other.y[place])
        var best: Closest?
        var index = max(0, firstIndex(after: startUs) - 1)
        while index + 1 < timesUs.count, timesUs[index] <= endUs {
            let found = closest(px, py, on: index, startUs, endUs)
            if found.distance < best?.distance ?? .infinity { best = found }
            index += 1
        }
        return best
    }

    /// Returns the closest point to a place on the way from place `index` to the next one. Only the
    /// part of the way between the two times counts.
    func closest(
        _ px: Double, _ py: Double, on index: Int, _ startUs: Int64 = .min, _ endUs: Int64 = .max
    ) -> Closest {
        let (fromUs, toUs) = (timesUs[index], timesUs[index + 1])
        let (dx, dy) = (x[index + 1] - x[index], y[index + 1] - y[index])
        let length = dx * dx + dy * dy
        let wholeUs = Double(toUs - fromUs)
        let least = max(0, startUs > fromUs ? Double(startUs - fromUs) / wholeUs : 0)
        let most = min(1, endUs < toUs ? Double(endUs - fromUs) / wholeUs : 1)
        let along = length > 0 ? ((px - x[index]) * dx + (py - y[index]) * dy) / length : 0
        let part = max(least, min(most, along))
        let (ex, ey) = (x[index] + dx * part - px, y[index] + dy * part - py)
        return ((ex * ex + ey * ey).squareRoot(), fromUs + Int64(wholeUs * part))
    }

    /// Returns the times at which the path passes within `radius` metres of a place of another.
    /// Each pass has one time, that of its closest point; there are at most 300.
    func passes(of place: Int, of other: FlatPath, within radius: Double) -> [Int64] {
        let (px, py) = (other.x[place], other.y[place])
        var times: [Int64] = []
        var best: Closest?
        for index in timesUs.indices.dropLast() {
            let found = closest(px, py, on: index)
            if found.distance <= radius {
                if found.distance < best?.distance ?? .infinity { best = found }
            } else if let pass = best {
                times.append(pass.timeUs)
                best = nil
                if times.count == 300 { return times }
            }
        }
        return times + (best.map { [$0.timeUs] } ?? [])
    }

    /// Returns the index of the first place later than a time.
    func firstIndex(after timeUs: Int64) -> Int {
        var (low, high) = (0, timesUs.count)
        while low < high {
            let middle = (low + high) / 2
            if timesUs[middle] <= timeUs { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
