import DaybookLibC

/// A place on the earth, in billionths of a degree.
///
/// A billionth is 0.11 mm at the equator, so that a step recomputed from two places agrees with
/// the one taken when they were recorded.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north times 10⁹.
    public var latE9: Int64
    /// Degrees east times 10⁹.
    public var lonE9: Int64

    public init(latE9: Int64, lonE9: Int64) {
        self.latE9 = latE9
        self.lonE9 = lonE9
    }

    /// `true` within 90 degrees north or south and 180 east or west.
    public var isPossible: Bool {
        latE9.magnitude <= 90_000_000_000 && lonE9.magnitude <= 180_000_000_000
    }

    /// The way to another place along the surface, in whole millimetres, rounded half up.
    ///
    /// Haversine on a sphere of the earth's mean radius, R₁ = 6,371,008.8 m (Moritz, Geodetic
    /// Reference System 1980). 0 where one of them cannot be. Mathematical libraries differ in the
    /// last bits of a sine, so that this is asked once, when something is recorded, and never
    /// when it is replayed.
    public func distanceMm(to other: Coordinate) -> Int64 {
        guard self != other, isPossible, other.isPossible else { return 0 }
        let radians = Double.pi / 180e9
        let latitudes = sin(Double(other.latE9 - latE9) * radians / 2)
        let longitudes = sin(Double(other.lonE9 - lonE9) * radians / 2)
        let cosines = cos(Double(latE9) * radians) * cos(Double(other.latE9) * radians)
        let haversine = latitudes * latitudes + cosines * longitudes * longitudes
        let angle = 2 * asin(haversine.clamped.squareRoot())
        return Int64((angle * Self.radiusMm).rounded())
    }

    /// This place on a globe turned so that `origin` comes to lie at 0 degrees north and east.
    ///
    /// Distances between places stay, but for the rounding to billionths of a degree. A place that
    /// cannot be stays impossible, and says nothing of itself.
    public func relocated(from origin: Coordinate) -> Coordinate {
        guard isPossible, origin.isPossible else {
            return Coordinate(latE9: 91_000_000_000, lonE9: 0)
        }
        let radians = Double.pi / 180e9
        let lat = Double(latE9) * radians
        let lon = Double(lonE9 - origin.lonE9) * radians
        let turn = Double(origin.latE9) * radians
        let x = cos(lat) * cos(lon) * cos(turn) + sin(lat) * sin(turn)
        let y = cos(lat) * sin(lon)
        let z = sin(lat) * cos(turn) - cos(lat) * cos(lon) * sin(turn)
        return Coordinate(
            latE9: Int64((atan2(z, (x * x + y * y).squareRoot()) / radians).rounded()),
            lonE9: Int64((atan2(y, x) / radians).rounded()))
    }

    private static let radiusMm = 6_371_008_800.0
}

extension Double {
    /// A haversine lies between 0 and 1, whatever the last bit says.
    fileprivate var clamped: Double { Swift.max(0, Swift.min(self, 1)) }
}
