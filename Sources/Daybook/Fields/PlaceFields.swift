/// The fields of a record that together hold a place.
public struct PlaceFields: Hashable, Sendable {
    /// Degrees north.
    public var latitude: String
    /// Degrees east.
    public var longitude: String
    /// Elevation above sea level.
    public var elevation: String?
    /// Decimal digits that the coordinates' numbers leave out: 9 for billionths of a degree.
    public var power: Int
    /// Decimal digits that the elevation leaves out: 3 for millimetres.
    public var elevationPower: Int

    public init(
        latitude: String, longitude: String, power: Int, elevation: String? = nil,
        elevationPower: Int = 0
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.power = power
        self.elevation = elevation
        self.elevationPower = elevationPower
    }
}
