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

        public static let limits: [String: Limit] = ["endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntryCancelled
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("previousState", &value.previousState)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("reason", &value.reason)
            try visitor.field("by", &value.by)
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

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, toState: EntryState, undoOf: Int64? = nil,
            withinUndoWindow: Bool, endedUs: Int64? = nil, by: Author? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.toState = toState
            self.undoOf = undoOf
            self.withinUndoWindow = withinUndoWindow
            self.endedUs = endedUs
            self.by = by
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind)]
        }

        public static let limits: [String: Limit] = ["undoOf": .position, "endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntryRestored
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("toState", &value.toState)
            try visitor.field("undoOf", &value.undoOf)
            try visitor.field("withinUndoWindow", &value.withinUndoWindow)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("by", &value.by)
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

        public init() {}

        public init(
            entryId: String, babyId: String, kind: Kind, startedUs: Int64, endedUs: Int64,
            confidence: Int64, basis: EstimateBasis, cappedBy: String? = nil, by: Author? = nil
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.confidence = confidence
            self.basis = basis
            self.cappedBy = cappedBy
            self.by = by
        }

        public var tags: [Tag] {
            [
                BabyCare.tag(babyId), BabyCare.entryTag(entryId), BabyCare.slotTag(babyId, kind),
            ] + BabyCare.weekTags(babyId, startedUs, endedUs)
        }

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "endedUs": .moment, "confidence": .values(0...100),
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EndEstimated
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("confidence", &value.confidence)
            try visitor.field("basis", &value.basis)
            try visitor.field("cappedBy", &value.cappedBy)
            try visitor.field("by", &value.by)
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

        public init() {}

        public init(
            keepId: String, dropIds: [String] = [], babyId: String, kind: Kind, startedUs: Int64,
            endedUs: Int64? = nil, by: Author? = nil
        ) {
            self.keepId = keepId
            self.dropIds = dropIds
            self.babyId = babyId
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.by = by
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.entryTag(keepId)]
                + dropIds.map(BabyCare.entryTag) + BabyCare.weekTags(babyId, startedUs, endedUs)
        }

        public static let limits: [String: Limit] = [
            "dropIds": .elements(150), "startedUs": .moment, "endedUs": .moment,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EntriesMerged
        ) throws(Visitor.Failure) {
            try visitor.field("keepId", &value.keepId)
            try visitor.field("dropIds", &value.dropIds)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("by", &value.by)
        }
    }
}
