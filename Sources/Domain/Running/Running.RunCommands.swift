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

        public init() {}

        public init(
            tUs: Int64? = nil, lat: Scalar, lon: Scalar, eleM: Scalar? = nil, accM: Scalar? = nil
        ) {
            self.tUs = tUs
            self.lat = lat
            self.lon = lon
            self.eleM = eleM
            self.accM = accM
        }

        public static let limits: [String: Limit] = ["tUs": .any]

        public static let places: PlaceFields? = PlaceFields(
            latitude: "lat", longitude: "lon", power: 0, elevation: "eleM")

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout LocationFix
        ) throws(Visitor.Failure) {
            try visitor.field("tUs", &value.tUs)
            try visitor.field("lat", &value.lat)
            try visitor.field("lon", &value.lon)
            try visitor.field("eleM", &value.eleM)
            try visitor.field("accM", &value.accM)
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
        public var rules = RuleSet.standard

        public init() {}

        public init(
            runId: String, userId: String, mode: RunMode = RunMode.solo, startedUs: Int64? = nil,
            autoPauseS: Int64? = nil, maxSpeedMmPerS: Int64? = nil, maxAccuracyMm: Int64? = nil,
            rules: RuleSet = RuleSet.standard
        ) {
            self.runId = runId
            self.userId = userId
            self.mode = mode
            self.startedUs = startedUs
            self.autoPauseS = autoPauseS
            self.maxSpeedMmPerS = maxSpeedMmPerS
            self.maxAccuracyMm = maxAccuracyMm
            self.rules = rules
        }

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "autoPauseS": .values(Running.autoPausesS),
            "maxSpeedMmPerS": .values(Running.speedsMmPerS),
            "maxAccuracyMm": .values(Running.accuraciesMm),
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Start
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("mode", &value.mode)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("autoPauseS", &value.autoPauseS)
            try visitor.field("maxSpeedMmPerS", &value.maxSpeedMmPerS)
            try visitor.field("maxAccuracyMm", &value.maxAccuracyMm)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Add what the phone measured, in the order of time.
    public struct RecordLocations: Record {
        public var runId = ""
        public var points: [LocationFix] = []

        public init() {}

        public init(
            runId: String, points: [LocationFix] = []
        ) {
            self.runId = runId
            self.points = points
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordLocations
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("points", &value.points)
        }
    }

    /// Stop counting.
    public struct Pause: Record {
        public var runId = ""
        /// Now by default.
        public var pausedUs: Int64?

        public init() {}

        public init(
            runId: String, pausedUs: Int64? = nil
        ) {
            self.runId = runId
            self.pausedUs = pausedUs
        }

        public static let limits: [String: Limit] = ["pausedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Pause
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("pausedUs", &value.pausedUs)
        }
    }

    /// Go on.
    public struct Resume: Record {
        public var runId = ""
        /// Now by default.
        public var resumedUs: Int64?

        public init() {}

        public init(
            runId: String, resumedUs: Int64? = nil
        ) {
            self.runId = runId
            self.resumedUs = resumedUs
        }

        public static let limits: [String: Limit] = ["resumedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Resume
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("resumedUs", &value.resumedUs)
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
        public var rules = RuleSet.standard

        public init() {}

        public init(
            runId: String, userId: String? = nil, endedUs: Int64? = nil,
            rules: RuleSet = RuleSet.standard
        ) {
            self.runId = runId
            self.userId = userId
            self.endedUs = endedUs
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Stop
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Record that the server took the run.
    public struct Save: Record {
        public var runId = ""
        public var remoteId: String?

        public init() {}

        public init(
            runId: String, remoteId: String? = nil
        ) {
            self.runId = runId
            self.remoteId = remoteId
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Save
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("remoteId", &value.remoteId)
        }
    }

    /// Record that the server did not take the run.
    public struct FailSave: Record {
        public var runId = ""
        public var kind = SaveFailure.network
        public var detail = PersonalText.blank

        public init() {}

        public init(
            runId: String, kind: SaveFailure, detail: String
        ) {
            self.runId = runId
            self.kind = kind
            self.detail = PersonalText(detail)
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout FailSave
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("kind", &value.kind)
            try visitor.field("detail", &value.detail)
        }
    }

    /// Throw an unsaved run away.
    public struct Discard: Record {
        public var runId = ""
        public var reason = DiscardReason.reset

        public init() {}

        public init(
            runId: String, reason: DiscardReason = DiscardReason.reset
        ) {
            self.runId = runId
            self.reason = reason
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Discard
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("reason", &value.reason)
        }
    }

    /// Take a completed run out of the history.
    public struct Cancel: Record {
        public var runId = ""
        public var reason: PersonalText?

        public init() {}

        public init(
            runId: String, reason: String? = nil
        ) {
            self.runId = runId
            self.reason = reason.map { PersonalText($0) }
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Cancel
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("reason", &value.reason)
        }
    }

    /// Undo a cancellation.
    public struct Restore: Record {
        public var runId = ""
        public var reason: PersonalText?

        public init() {}

        public init(
            runId: String, reason: String? = nil
        ) {
            self.runId = runId
            self.reason = reason.map { PersonalText($0) }
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Restore
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("reason", &value.reason)
        }
    }
}
