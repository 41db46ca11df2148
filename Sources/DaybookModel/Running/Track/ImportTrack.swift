package import Daybook
package import DaybookGeodesy

extension Running {
    /// A point as reported by a file or a phone, before validation.
    package struct TrackPoint: PlainRecord {
        package var time: Instant?
        /// Degrees north times 10⁹; `nil` if the input has no number.
        package var latE9: Int64?
        /// Degrees east times 10⁹; `nil` if the input has no number.
        package var lonE9: Int64?
        /// Elevation above sea level; `nil` if not recorded.
        package var eleMm: Int64?
        /// Accuracy radius: greatest distance from the true place; `nil` if not recorded.
        package var accMm: Int64?

        package static let places: PlaceFields? = PlaceFields(
            latitude: "latE9", longitude: "lonE9", power: 9, elevation: "eleMm", elevationPower: 3)

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time, .any)
            try field("latE9", &latE9, .any)
            try field("lonE9", &lonE9, .any)
            try field("eleMm", &eleMm, .any)
            try field("accMm", &accMm, .any)
        }

        /// Coordinates of the point; `nil` if a number is missing.
        package var place: Coordinate? {
            guard let latE9, let lonE9 else { return nil }
            return Coordinate(latE9: latE9, lonE9: lonE9)
        }
    }

    /// A part of a track file without a pause.
    package struct TrackSegment: PlainRecord {
        package var points: [TrackPoint] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("points", &points)
        }
    }

    /// Imports a complete track that was recorded elsewhere.
    ///
    /// Every place with possible coordinates is kept, in the order of the file, unless it exceeds a
    /// limit that the command sets.
    package struct ImportTrack: RunCommand, PlainRecord {
        package static let name = "running.import-track"
        package var runId = ""
        package var userId = ""
        package var title: PersonalText?
        /// IANA name of the time zone for the runner's profile, if the import creates one.
        package var zone: String?
        /// Parts of the track between pauses.
        package var segments: [TrackSegment] = []
        package var maxSpeedMmPerS: Int64?
        package var maxAccuracyMm: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "title", &title)
            try field("zone", &zone, .zone)
            try field("segments", &segments)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, .values(speedsMmPerS))
            try field("maxAccuracyMm", &maxAccuracyMm, .values(accuraciesMm))
        }

        package var query: Query { Query(runItem(runId), profileItem(userId)) }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.runs[runId] == nil else { throw .runExists(runId) }
            try checkZone(zone)
            try check(maxSpeedMmPerS, "maxSpeedMmPerS", speedsMmPerS)
            try check(maxAccuracyMm, "maxAccuracyMm", accuraciesMm)
            let count = segments.reduce(0) { $0 + $1.points.count }
            guard count <= mostPointsOfTrack else {
                throw Refusal(
                    "tooManyPoints",
                    "the track has \(count) points; expected at most \(mostPointsOfTrack)")
            }
            let times = segments.lazy.flatMap(\.points).filter { $0.place?.isPossible == true }
                .compactMap(\.time).filter(\.isPossible)
            let started = RunStarted(
                runId: runId, userId: userId, mode: .imported, started: times.min(),
                maxSpeedMmPerS: maxSpeedMmPerS, maxAccuracyMm: maxAccuracyMm, title: title)
            var run = Run()
            run.apply(.runStarted(started))
            try checkSegments(Int64(segments.count))
            let places = placeEvents(of: run)
            for event in places { run.apply(event) }
            guard run.pointCount > 0 else {
                throw Refusal(
                    "emptyTrack",
                    "the track has no point with possible coordinates within the limits")
            }
            try checkSegments(run.segmentCount)
            let isNewRunner = state.runners[userId]?.isKnown != true
            let profile = RunnerProfileChanged(userId: userId, zone: zone)
            return (isNewRunner ? [.runnerProfileChanged(profile)] : [])
                + [.runStarted(started)] + places
                + [.runCompleted(RunCompleted(run, ended: times.max(), state))]
        }

        /// Validates the points of the track and returns the events that record them.
        private func placeEvents(of run: Run) -> [Event] {
            var recorder = TrackRecorder(run, now: nil)
            for (index, segment) in segments.enumerated() {
                if index > 0 { recorder.startSegment() }
                for point in segment.points { recorder.record(point) }
            }
            recorder.finish()
            return recorder.events
        }

        /// Throws a refusal if the track has too many segments.
        private func checkSegments(_ count: Int64) throws(Refusal) {
            guard count > mostSegmentsOfTrack else { return }
            throw Refusal(
                "tooManySegments",
                "the track has \(count) segments; expected at most \(mostSegmentsOfTrack)")
        }
    }

    /// Accepted accuracy radii of a recorded point, in millimetres, up to the circumference of the
    /// earth.
    static let recordedAccuraciesMm: ClosedRange<Int64> = -40_000_000_000...40_000_000_000
    /// Maximum number of segments of a track.
    package static let mostSegmentsOfTrack: Int64 = 100_000
    /// Maximum number of points of a track: eleven days at one point per second.
    package static let mostPointsOfTrack = 1_000_000
}
