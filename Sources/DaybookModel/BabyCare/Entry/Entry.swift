public import Daybook

extension BabyCare {
    /// The state of a care entry, such as a feed, a sleep or a diaper.
    public struct Entry: Record {
        public var entryId = ""
        public var babyId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        public var kind = Kind.formula
        /// Stage in the life of the entry: open, closed or cancelled.
        public var state = EntryState.none
        public var started = Instant.epoch
        /// End of the entry; `nil` for a moment or an open entry.
        public var ended: Instant?
        /// Amounts and other details of the entry, in fixed units.
        public var value = Value()
        /// Details without a field in `Value`, by key, except names of people, which are encrypted.
        public var meta: [String: String] = [:]
        /// True if the entry has a note; the text itself is not part of the state.
        public var hasText = false
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        public var source = Source.manual
        /// User who recorded the entry, if known.
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
        /// Time of the cancellation, or of the merge that dropped the entry, by the device's clock.
        public var cancelled: Instant?
        /// Id of the entry that this entry was merged into; `nil` unless a merge dropped it.
        public var mergedInto: String?
        /// True if the end is an estimate.
        public var isEstimated = false
        /// Confidence in an estimated end, 0 to 100; `nil` if the end is not an estimate.
        public var confidence: Int64?
        /// True if the entry comes from a file; such an entry never prevents the start of another.
        public var isImported = false
        /// Row of a file that the entry was last imported from; `nil` without an import.
        public var origin: Origin?
        /// Line of a file that the entry was last imported from.
        public var fileLine: FileLine?
        /// Length that a file declares, in seconds.
        public var declaredDurationS: Int64?
        /// Problem with the local time of the start, such as a time that clocks showed twice.
        public var startFlag: TimeFlag?
        /// Problem with the local time of the end, such as a time that clocks showed twice.
        public var endFlag: TimeFlag?
        /// Number of events that changed the entry, including its first event.
        public var revisions: Int64 = 0
        /// Number of corrections of the entry.
        public var edits: Int64 = 0
        /// Number of times that the entry was cancelled.
        public var cancellations: Int64 = 0
        /// Number of times that the entry was restored after a cancellation.
        public var restorations: Int64 = 0
        /// Earlier ids of the entry, oldest first.
        public var formerIds: [String] = []
        /// App's name of the field with the newest note, such as `content`; `nil` for `memo`.
        public var textName: TextName?
        /// True if the cancellation set an end that was never recorded, as the source app does.
        var hasInventedEnd = false
        /// Values before each merge into this entry that is not undone, oldest first.
        var merges: [BeforeMerge] = []
        /// Newer id of each replaced entry id, including ids of this entry.
        var replaced: [String: String] = [:]
        /// Newer id of each replaced baby id.
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
