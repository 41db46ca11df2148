public import Daybook

extension BabyCare {
    /// One entry, as all its events make it.
    public struct Entry: Record {
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var state = EntryState.none
        public var started = Instant.epoch
        /// `nil` for a moment and for what is still open.
        public var ended: Instant?
        public var value = Value()
        public var meta: [String: String] = [:]
        public var hasText = false
        public var source = Source.manual
        public var by: Author?
        /// The time of its first event, by the device's clock.
        public var created = Instant.epoch
        /// Recording time of its first event.
        public var recorded = Instant.epoch
        /// Recording time of its last event.
        public var changed = Instant.epoch
        /// Seconds east of UTC on the device that wrote it.
        public var offsetS: Int64 = 0
        /// Its state before it was cancelled.
        public var previousState: EntryState?
        /// Position of the cancellation.
        public var cancelledAt: Int64?
        public var cancelled: Instant?
        public var mergedInto: String?
        public var isEstimated = false
        public var confidence: Int64?
        /// Takes no slot, even when it is open.
        public var isImported = false
        public var origin: Origin?
        /// The last line of a file that told of it.
        public var fileLine: FileLine?
        public var declaredDurationS: Int64?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        public var revisions: Int64 = 0
        public var edits: Int64 = 0
        public var cancellations: Int64 = 0
        public var restorations: Int64 = 0
        /// Ids it had before, the oldest first.
        public var formerIds: [String] = []
        /// The name that an app gave the newest text; `nil` for a memo.
        public var textName: TextName?
        /// True where the end was made up when the entry was cancelled.
        var hasInventedEnd = false
        /// The entry before each merge that it was kept in and that is not undone, the first one
        /// first.
        var merges: [BeforeMerge] = []
        /// Newer ids by the ids they replaced, this entry's among them.
        var replaced: [String: String] = [:]
        /// Newer ids of babies by the ids they replaced.
        var replacedBabies: [String: String] = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended, "value", &value, "meta", &meta)
            try field("hasText", &hasText, "source", &source, "by", &by, "createdUs", &created)
            try field("recordedUs", &recorded, "changedUs", &changed, "offsetS", &offsetS)
            try field("previousState", &previousState, "cancelledAt", &cancelledAt)
            try field("cancelledUs", &cancelled, "mergedInto", &mergedInto)
            try field("isEstimated", &isEstimated, "confidence", &confidence)
            try field("isImported", &isImported, "origin", &origin)
            try field("declaredDurationS", &declaredDurationS, "startFlag", &startFlag)
            try field("endFlag", &endFlag, "revisions", &revisions, "edits", &edits)
            try field("cancellations", &cancellations, "restorations", &restorations)
            try field("formerIds", &formerIds, "fileLine", &fileLine)
            try field.internalField("hasInventedEnd", &hasInventedEnd)
            try field.internalField("merges", &merges)
            try field.internalField("replaced", &replaced)
            try field.internalField("replacedBabies", &replacedBabies)
            try field.internalField("textName", &textName)
        }
    }
}
