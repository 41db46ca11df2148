public import Domain
public import EventSourcing

/// A track of a GPX 1.0 or 1.1 file, with its points as written.
///
/// All tracks of a file are one run, each of their segments a segment of it: receivers begin a new
/// track whenever they lose the sky. Waypoints and routes are no track.
///
/// Source: topografix.com/GPX/1/0 and /GPX/1/1.
public struct GPXFile: Sendable {
    /// Name of the first track that has one.
    public var title: PersonalText?
    public var segments: [Running.TrackSegment] = []
    /// Line number in the file of each point, in order and counted from 1.
    public var lines: [Int] = []
    /// Seconds east of UTC of the first time.
    public var offsetS = 0
    /// Points that were kept without an unreadable part.
    public var notes: [ImportOutcome.Note] = []

    /// Elevations in millimetres from below the deepest sea to above any balloon.
    static let possibleElevations: ClosedRange<Int64> = -12_000_000...100_000_000

    public init() {}

    public var points: some Sequence<Running.TrackPoint> { segments.lazy.flatMap(\.points) }
}
