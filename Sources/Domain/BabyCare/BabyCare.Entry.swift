public import EventSourcing

extension BabyCare {
    /// One entry, as all its events make it.
    public struct Entry: Record {
        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var state = EntryState.none
        public var startedUs: Int64 = 0
        /// `nil` for a moment and for what is still open.
        public var endedUs: Int64?
        public var value = Value()
        public var meta: [String: String] = [:]
        public var hasText = false
        public var source = Source.manual
        public var by: Author?
        /// When it was first written, by the device's clock.
        public var createdUs: Int64 = 0
        /// When the log first had it.
        public var recordedUs: Int64 = 0
        /// When the log last had anything of it.
        public var changedUs: Int64 = 0
        /// Seconds east of UTC on the device that wrote it.
        public var offsetS: Int64 = 0
        /// What it was before it was cancelled.
        public var previousState: EntryState?
        /// Position of the cancellation.
        public var cancelledAt: Int64?
        public var cancelledUs: Int64?
        public var mergedInto: String?
        public var isEstimated = false
        public var confidence: Int64?
        /// Takes no slot, even when it is open.
        public var isImported = false
        public var origin: Origin?
        public var declaredDurationS: Int64?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        public var revisions: Int64 = 0
        public var edits: Int64 = 0
        public var cancellations: Int64 = 0
        public var restorations: Int64 = 0
        /// Ids it had before, the oldest first.
        public var formerIds: [String] = []
        /// Newer ids by the ids they replaced, this entry's among them.
        var replaced: [String: String] = [:]

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Entry
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("state", &value.state)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("hasText", &value.hasText)
            try visitor.field("source", &value.source)
            try visitor.field("by", &value.by)
            try visitor.field("createdUs", &value.createdUs)
            try visitor.field("recordedUs", &value.recordedUs)
            try visitor.field("changedUs", &value.changedUs)
            try visitor.field("offsetS", &value.offsetS)
            try visitor.field("previousState", &value.previousState)
            try visitor.field("cancelledAt", &value.cancelledAt)
            try visitor.field("cancelledUs", &value.cancelledUs)
            try visitor.field("mergedInto", &value.mergedInto)
            try visitor.field("isEstimated", &value.isEstimated)
            try visitor.field("confidence", &value.confidence)
            try visitor.field("isImported", &value.isImported)
            try visitor.field("origin", &value.origin)
            try visitor.field("declaredDurationS", &value.declaredDurationS)
            try visitor.field("startFlag", &value.startFlag)
            try visitor.field("endFlag", &value.endFlag)
            try visitor.field("revisions", &value.revisions)
            try visitor.field("edits", &value.edits)
            try visitor.field("cancellations", &value.cancellations)
            try visitor.field("restorations", &value.restorations)
            try visitor.field("formerIds", &value.formerIds)
            try visitor.working("replaced", &value.replaced)
        }
    }
}
