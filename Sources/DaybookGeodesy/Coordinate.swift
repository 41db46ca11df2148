import DaybookLibC

/// A place on the earth, in billionths of a degree.
///
/// A billionth of a degree is 0.11 mm at the equator, so a distance that is recomputed from two
/// stored places agrees with the distance computed when they were recorded.
package struct Coordinate: Hashable, Sendable {
    /// The latitude in degrees times 10⁹, positive to the north.
    package var latE9: Int64
    /// The longitude in degrees times 10⁹, positive to the east.
    package var lonE9: Int64

    @inlinable
    package init(latE9: Int64, lonE9: Int64) {
        self.latE9 = latE9
        self.lonE9 = lonE9
    }

    /// True if the latitude is within ±90 degrees and the longitude within ±180 degrees.
    @inlinable
    package var isPossible: Bool {
        latE9.magnitude <= 90_000_000_000 && lonE9.magnitude <= 180_000_000_000
    }

    /// Returns the distance to another place along the surface, in whole millimetres.
    ///
    /// Uses the haversine formula on a sphere of the earth's mean radius, R₁ = 6,371,008.8 m
    /// (Moritz, Geodetic Reference System 1980), and rounds half up; 0 if either place is
    /// impossible. Mathematical libraries differ in the last bits of a sine, so a distance is
    /// computed once, when it is recorded, and never on replay.
    package func distanceMm(to other: Coordinate) -> Int64 {
        guard self != other, isPossible, other.isPossible else { return 0 }
        let radians = Double.pi / 180e9
        let latitudes = sin(Double(other.latE9 - latE9) * radians / 2)
        let longitudes = sin(Double(other.lonE9 - lonE9) * radians / 2)
        let cosines = cos(Double(latE9) * radians) * cos(Double(other.latE9) * radians)
        let haversine = latitudes * latitudes + cosines * longitudes * longitudes
        let angle = 2 * asin(haversine.clamped.squareRoot())
        return Int64((angle * Self.radiusMm).rounded())
    }

    /// Returns this place on a globe turned so that `origin` lies at 0° north and 0° east.
    ///
    /// Places relocated from the same origin keep their distances, except for rounding to
    /// billionths of a degree. If this place or the origin is impossible, the result is a fixed
    /// impossible place, which reveals nothing.
    package func relocated(from origin: Coordinate) -> Coordinate {
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

    /// The earth's mean radius R₁, in millimetres.
    private static let radiusMm = 6_371_008_800.0
}

extension Double {
    /// The number limited to 0...1, because rounding can push a haversine out of this range.
    fileprivate var clamped: Double { Swift.max(0, Swift.min(self, 1)) }
}
