public import Domain
public import EventSourcing

/// A track of a GPX file, 1.0 or 1.1, as its points stand there.
///
/// All tracks of a file are one run, each of their segments a segment of it: receivers begin a new
/// track whenever they lose the sky. Waypoints and routes are no track.
///
/// Source: topografix.com/GPX/1/0 and /GPX/1/1.
public struct GPXFile: Sendable {
    /// What the first named track is called.
    public var title: PersonalText?
    public var segments: [Running.TrackSegment] = []
    /// Of each point in order, of the file and from 1.
    public var lines: [Int] = []
    /// Seconds east of UTC of the first time.
    public var offsetS = 0
    /// What was kept without something that could not be read.
    public var notes: [Note] = []

    /// Something about a point.
    public struct Note: Hashable, Sendable {
        /// The point, from 1.
        public var row: Int
        public var line: Int
        public var message: String
    }

    /// From below the deepest sea to beyond any balloon, in millimetres.
    static let possibleElevations: ClosedRange<Int64> = -12_000_000...100_000_000

    public init() {}

    public var points: some Sequence<Running.TrackPoint> { segments.lazy.flatMap(\.points) }
}
