public import EventSourcing

extension BabyCare {
    /// An entry was deleted; it still stands in the log.
    public struct EntryCancelled: EventPayload {
        public static let kind: EventKind = "baby-care.entry-cancelled.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var previousState = EntryState.closed
        /// Only the source documents invent an end here.
        public var endedUs: Int64?
        public var reason: SealableText?
        public var by: Author?

        public static var blank: Self { Self() }

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, previousState: EntryState,
            endedUs: Int64? = nil, reason: String? = nil, by: Author? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.previousState = previousState
            self.endedUs = endedUs
            self.reason = reason.map { SealableText($0) }
            self.by = by
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("previousState", &previousState)
            try field("endedUs", &endedUs, .moment)
            try field("reason", &reason)
            try field("by", &by)
        }
    }

    /// A deletion was undone.
    public struct EntryRestored: EventPayload {
        public static let kind: EventKind = "baby-care.entry-restored.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var toState = EntryState.closed
        /// Position of the cancellation.
        public var undoOf: Int64?
        /// Within the five seconds that the app offers it.
        public var withinUndoWindow = false
        /// Only the source documents invent an end here.
        public var endedUs: Int64?
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("toState", &toState)
            try field("undoOf", &undoOf, .position)
            try field("withinUndoWindow", &withinUndoWindow)
            try field("endedUs", &endedUs, .moment)
            try field("by", &by)
        }
    }

    /// Nobody said when it ended; this is the likely time.
    public struct EndEstimated: EventPayload {
        public static let kind: EventKind = "baby-care.end-estimated.v1"

        public var entryId = ""
        public var babyId = ""
        public var kind = Kind.formula
        public var startedUs: Int64 = 0
        public var endedUs: Int64 = 0
        /// 0 to 100.
        public var confidence: Int64 = 0
        public var basis = EstimateBasis.standardLength
        /// The entry whose start it was not to pass.
        public var cappedBy: String?
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [
                BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind),
            ] + BabyCare.weekTags(babyId, startedUs, endedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("confidence", &confidence, .values(0...100))
            try field("basis", &basis)
            try field("cappedBy", &cappedBy)
            try field("by", &by)
        }
    }

    /// Several entries were about the same and became one.
    public struct EntriesMerged: EventPayload {
        public static let kind: EventKind = "baby-care.entries-merged.v1"

        public var keepId = ""
        public var dropIds: [String] = []
        public var babyId = ""
        public var kind = Kind.formula
        public var startedUs: Int64 = 0
        public var endedUs: Int64?
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(keepId)]
                + dropIds.map(BabyCare.entryTag) + BabyCare.weekTags(babyId, startedUs, endedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId)
            try field("dropIds", &dropIds, .elements(150))
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("by", &by)
        }
    }
}
