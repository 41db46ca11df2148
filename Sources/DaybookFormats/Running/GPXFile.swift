public import Daybook
import DaybookGeodesy
public import DaybookModel

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

    /// The parts of the track more than three hours apart, in the order of the file.
    ///
    /// Points without a time, and those that cannot be, belong to the outing before them.
    public var outings: [GPXFile] {
        var outings: [GPXFile] = []
        var outing = GPXFile()
        var last: Instant?
        var number = 0
        for segment in segments {
            outing.segments.append(Running.TrackSegment.blank)
            for point in segment.points {
                if let time = point.time, point.place?.isPossible == true {
                    if let last, Running.TrackDoubtFinder.isAnotherOuting(last, time) {
                        outings.append(outing.whole(in: self))
                        outing = GPXFile()
                        outing.segments.append(Running.TrackSegment.blank)
                    }
                    last = time
                }
                outing.segments[outing.segments.count - 1].points.append(point)
                outing.lines.append(lines[number])
                number += 1
            }
        }
        outings.append(outing.whole(in: self))
        return outings.count == 1 ? [self] : outings
    }

    /// The outing with what it has of its file, without the empty segments beside it.
    private func whole(in file: GPXFile) -> GPXFile {
        var outing = self
        outing.title = file.title
        outing.offsetS = file.offsetS
        outing.segments.removeAll { $0.points.isEmpty }
        return outing
    }
}
