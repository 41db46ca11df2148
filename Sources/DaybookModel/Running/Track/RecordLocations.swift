import Daybook

extension Running {
    /// A location as reported by a phone.
    struct LocationFix: PlainRecord {
        var time: Instant?
        /// Degrees north as a decimal number, such as 37.5665.
        var lat: Scalar = Scalar("")
        /// Degrees east as a decimal number, such as 126.978.
        var lon: Scalar = Scalar("")
        /// Elevation above sea level, in metres.
        var eleM: Scalar?
        /// Accuracy radius: greatest distance from the true place, in metres.
        var accM: Scalar?

        static let places: PlaceFields? = PlaceFields(
            latitude: "lat", longitude: "lon", power: 0, elevation: "eleM")

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time, .any)
            try field("lat", &lat, "lon", &lon, "eleM", &eleM, "accM", &accM)
        }

        /// The location in the integer units of `TrackPoint`, such as millimetres.
        fileprivate var point: TrackPoint {
            TrackPoint(
                time: time, latE9: lat.scaled(toPowerOfTen: 9), lonE9: lon.scaled(toPowerOfTen: 9),
                eleMm: eleM.flatMap { $0.scaled(toPowerOfTen: 3) },
                accMm: accM.flatMap { $0.scaled(toPowerOfTen: 3) })
        }
    }

    /// Records locations that a phone measured during an active run, in order of time.
    struct RecordLocations: RunCommand, PlainRecord {
        static let name = "running.record-locations"
        var runId = ""
        var points: [LocationFix] = []
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "points", &points)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(LocationsRecorded.self, in: run.state) else {
                throw .runNotActive(run)
            }
            var recorder = TrackRecorder(run, now: now)
            for fix in points { recorder.record(fix.point) }
            recorder.finish()
            return recorder.events
        }
    }
}
