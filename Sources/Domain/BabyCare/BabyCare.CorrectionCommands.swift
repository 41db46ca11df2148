public import EventSourcing

extension BabyCare {
    /// Put right what is still going on.
    public struct EditOpen: Record {
        public var entryId = ""
        public var startedUs: Int64?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var removed: [String] = []
        public var by: Author?

        public init() {}

        public init(
            entryId: String, startedUs: Int64? = nil, value: [String: Scalar] = [:],
            meta: [String: Scalar] = [:], removed: [String] = [], by: Author? = nil
        ) {
            self.entryId = entryId
            self.startedUs = startedUs
            self.value = value
            self.meta = meta
            self.removed = removed
            self.by = by
        }

        public static let limits: [String: Limit] = ["startedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EditOpen
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("removed", &value.removed)
            try visitor.field("by", &value.by)
        }
    }

    /// Delete an entry.
    public struct Cancel: Record {
        public var entryId = ""
        public var reason: PersonalText?
        public var by: Author?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            entryId: String, reason: String? = nil, by: Author? = nil,
            rules: RuleSet = RuleSet.standard
        ) {
            self.entryId = entryId
            self.reason = reason.map { PersonalText($0) }
            self.by = by
            self.rules = rules
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Cancel
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("reason", &value.reason)
            try visitor.field("by", &value.by)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Undo a deletion.
    public struct Restore: Record {
        public var entryId = ""
        public var by: Author?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            entryId: String, by: Author? = nil, rules: RuleSet = RuleSet.standard
        ) {
            self.entryId = entryId
            self.by = by
            self.rules = rules
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Restore
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("by", &value.by)
            try visitor.field("rules", &value.rules)
        }
    }

    /// End an open entry by its likely length.
    public struct EstimateEnd: Record {
        public var entryId = ""
        /// The entry that shows it must have ended.
        public var nextEntryId: String?
        /// When that one started; when the command was given, by default.
        public var nextStartUs: Int64?
        public var by: Author?

        public init() {}

        public init(
            entryId: String, nextEntryId: String? = nil, nextStartUs: Int64? = nil,
            by: Author? = nil
        ) {
            self.entryId = entryId
            self.nextEntryId = nextEntryId
            self.nextStartUs = nextStartUs
            self.by = by
        }

        public static let limits: [String: Limit] = ["nextStartUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout EstimateEnd
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("nextEntryId", &value.nextEntryId)
            try visitor.field("nextStartUs", &value.nextStartUs)
            try visitor.field("by", &value.by)
        }
    }

    /// Make one entry of several that are about the same.
    public struct Merge: Record {
        public var keepId = ""
        public var dropIds: [String] = []
        public var by: Author?

        public init() {}

        public init(
            keepId: String, dropIds: [String] = [], by: Author? = nil
        ) {
            self.keepId = keepId
            self.dropIds = dropIds
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Merge
        ) throws(Visitor.Failure) {
            try visitor.field("keepId", &value.keepId)
            try visitor.field("dropIds", &value.dropIds)
            try visitor.field("by", &value.by)
        }
    }
}
