public import Daybook

extension BabyCare {
    /// One care entry, folded from its events.
    public struct Entry: Record {
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var state = EntryState.none
        public var started = Instant.epoch
        /// End of the entry; `nil` for a moment or an open entry.
        public var ended: Instant?
        public var value = Value()
        public var meta: [String: String] = [:]
        public var hasText = false
        public var source = Source.manual
        public var by: Author?
        /// Time of the first event of the entry, by the device's clock.
        public var created = Instant.epoch
        /// Recording time of the first event of the entry.
        public var recorded = Instant.epoch
        /// Recording time of the last event of the entry.
        public var changed = Instant.epoch
        /// Offset from UTC, in seconds east, of the device that recorded the entry.
        public var offsetS: Int64 = 0
        /// State before the entry was cancelled; `nil` unless it is cancelled.
        public var previousState: EntryState?
        /// Position of the cancellation, or of the merge that dropped the entry.
        public var cancelledAt: Int64?
        public var cancelled: Instant?
        public var mergedInto: String?
        public var isEstimated = false
        public var confidence: Int64?
        /// True if the entry comes from a file; an imported entry never holds a slot, even while
        /// open.
        public var isImported = false
        public var origin: Origin?
        /// Line of a file that the entry was last imported from.
        public var fileLine: FileLine?
        public var declaredDurationS: Int64?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        public var revisions: Int64 = 0
        public var edits: Int64 = 0
        public var cancellations: Int64 = 0
        public var restorations: Int64 = 0
        /// Earlier ids of the entry, oldest first.
        public var formerIds: [String] = []
        /// Name that an app gave the newest text; `nil` for a memo.
        public var textName: TextName?
        /// True if the cancellation generated the end, as the rules of the source documents do.
        var hasInventedEnd = false
        /// State of the entry before each merge that kept it and is not undone, oldest first.
        var merges: [BeforeMerge] = []
        /// Newer ids of entries by the ids that they replaced; includes this entry's ids.
        var replaced: [String: String] = [:]
        /// Newer ids of babies by the ids that they replaced.
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
