/// The names of the fields of a record that together hold a geographic location.
public struct PlaceFields: Hashable, Sendable {
    /// Name of the field with the latitude, positive to the north.
    public var latitude: String
    /// Name of the field with the longitude, positive to the east.
    public var longitude: String
    /// Name of the field with the elevation above sea level; `nil` if no field holds it.
    public var elevation: String?
    /// The integer coordinates are degrees times 10 to the power of `power`: 9 for billionths.
    public var power: Int
    /// The elevation is metres times 10 to the power of `elevationPower`: 3 for millimetres.
    public var elevationPower: Int

    /// Declares the fields of a location, and the powers of 10 of its degrees and metres.
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
