public import EventSourcing

extension Running {
    /// A place as a phone or a file gives it.
    public struct LocationFix: Record {
        public var tUs: Int64?
        /// Degrees north: 37.5665.
        public var lat: Scalar = Scalar("")
        /// Degrees east: 126.978.
        public var lon: Scalar = Scalar("")
        /// Metres above the sea.
        public var eleM: Scalar?
        /// Within how many metres of the true place.
        public var accM: Scalar?

        public static var blank: Self { Self() }

        public static let places: PlaceFields? = PlaceFields(
            latitude: "lat", longitude: "lon", power: 0, elevation: "eleM")

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &tUs, .any)
            try field("lat", &lat)
            try field("lon", &lon)
            try field("eleM", &eleM)
            try field("accM", &accM)
        }
    }

    /// Begin a run.
    public struct Start: Record {
        public var runId = ""
        public var userId = ""
        public var mode = RunMode.solo
        /// Now by default.
        public var startedUs: Int64?
        /// Pause by itself after standing still for so long; never by default.
        public var autoPauseS: Int64?
        /// 12,500 by default.
        public var maxSpeedMmPerS: Int64?
        /// 50,000 by default.
        public var maxAccuracyMm: Int64?
        /// Whose rules the whole run follows.
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("mode", &mode)
            try field("startedUs", &startedUs, .moment)
            try field("autoPauseS", &autoPauseS, .values(Running.autoPausesS))
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, .values(Running.speedsMmPerS))
            try field("maxAccuracyMm", &maxAccuracyMm, .values(Running.accuraciesMm))
            try field("rules", &rules)
        }
    }

    /// Add what the phone measured, in the order of time.
    public struct RecordLocations: Record {
        public var runId = ""
        public var points: [LocationFix] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("points", &points)
        }
    }

    /// Stop counting.
    public struct Pause: Record {
        public var runId = ""
        /// Now by default.
        public var pausedUs: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("pausedUs", &pausedUs, .moment)
        }
    }

    /// Go on.
    public struct Resume: Record {
        public var runId = ""
        /// Now by default.
        public var resumedUs: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("resumedUs", &resumedUs, .moment)
        }
    }

    /// End the run.
    public struct Stop: Record {
        public var runId = ""
        /// Under the source's rules a run that never began may be stopped too.
        public var userId: String?
        /// Now by default.
        public var endedUs: Int64?
        /// Of a run that never began; else the run's own.
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("endedUs", &endedUs, .moment)
            try field("rules", &rules)
        }
    }

    /// Record that the server took the run.
    public struct Save: Record {
        public var runId = ""
        public var remoteId: String?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("remoteId", &remoteId)
        }
    }

    /// Record that the server did not take the run.
    public struct FailSave: Record {
        public var runId = ""
        public var kind = SaveFailure.network
        public var detail = PersonalText.blank

        public static var blank: Self { Self() }

        public init() {}

        public init(
            runId: String, kind: SaveFailure, detail: String
        ) {
            self.runId = runId
            self.kind = kind
            self.detail = PersonalText(detail)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("kind", &kind)
            try field("detail", &detail)
        }
    }

    /// Throw an unsaved run away.
    public struct Discard: Record {
        public var runId = ""
        public var reason = DiscardReason.reset

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("reason", &reason)
        }
    }

    /// Take a completed run out of the history.
    public struct Cancel: Record {
        public var runId = ""
        public var reason: PersonalText?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            runId: String, reason: String? = nil
        ) {
            self.runId = runId
            self.reason = reason.map { PersonalText($0) }
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("reason", &reason)
        }
    }

    /// Undo a cancellation.
    public struct Restore: Record {
        public var runId = ""
        public var reason: PersonalText?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            runId: String, reason: String? = nil
        ) {
            self.runId = runId
            self.reason = reason.map { PersonalText($0) }
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("reason", &reason)
        }
    }
}
