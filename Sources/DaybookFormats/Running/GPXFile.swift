import Daybook
import DaybookGeodesy
import DaybookModel

/// The track of a GPX 1.0 or 1.1 file, with its points as in the file.
///
/// The segments of all tracks in a file form one run, because receivers start a new track after
/// losing the satellites. Waypoints and routes are ignored.
///
/// Source: topografix.com/GPX/1/0 and /GPX/1/1.
struct GPXFile: Sendable {
    /// Name of the first named track in the file; `nil` if none has a name.
    var title: PersonalText?
    /// Segments of all tracks, in file order.
    var segments: [Running.TrackSegment] = []
    /// Line number of each point in the file, counted from 1, in the order of the points.
    var lineNumbers: [Int] = []
    /// Offset from UTC of the first time in the file, in seconds, positive to the east.
    var offsetS = 0
    /// Notes on points whose unreadable time, elevation or accuracy was left out.
    var notes: [ImportOutcome.Row] = []

    /// Accepted elevations in millimetres, from below the deepest sea to above the highest balloon.
    static let possibleElevations: ClosedRange<Int64> = -12_000_000...100_000_000
    init() {}

    /// The points of all segments, in file order.
    var points: some Sequence<Running.TrackPoint> { segments.lazy.flatMap(\.points) }

    /// Parts of the track with more than three hours between them (outings), in file order. Points
    /// without a time or with impossible coordinates belong to the preceding outing.
    var outings: [GPXFile] {
        var outings: [GPXFile] = []
        var outing = GPXFile()
        var last: Instant?
        var number = 0
        for segment in segments {
            outing.segments.append(Running.TrackSegment.blank)
            for point in segment.points {
                if let time = point.time, point.place?.isPossible == true {
                    if let last, Running.TrackDoubtFinder.isAnotherOuting(last, time) {
                        outings.append(outing.finished(in: self))
                        outing = GPXFile()
                        outing.segments.append(Running.TrackSegment.blank)
                    }
                    last = time
                }
                outing.segments[outing.segments.count - 1].points.append(point)
                outing.lineNumbers.append(lineNumbers[number])
                number += 1
            }
        }
        outings.append(outing.finished(in: self))
        return outings.count == 1 ? [self] : outings
    }

    /// Returns this outing with the title and the offset of its file, and without empty segments.
    private func finished(in file: GPXFile) -> GPXFile {
        var outing = self
        outing.title = file.title
        outing.offsetS = file.offsetS
        outing.segments.removeAll { $0.points.isEmpty }
        return outing
    }
}
