public import EventSourcing

extension BabyCare {
    /// Something goes on from now, or from then.
    public struct Start: Record {
        public var entryId = ""
        public var babyId = ""
        /// As an app writes it: `SLEEP`, `sleep`.
        public var kind = ""
        /// When the command was given, by default.
        public var startedUs: Int64?
        /// In any of the apps' spellings and units.
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var source = Source.manual
        public var by: Author?
        /// End an entry that is still open by an estimate first.
        public var estimate: Bool?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            entryId: String, babyId: String, kind: String, startedUs: Int64? = nil,
            value: [String: Scalar] = [:], meta: [String: Scalar] = [:],
            source: Source = Source.manual, by: Author? = nil, estimate: Bool? = nil,
            rules: RuleSet = RuleSet.standard
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.startedUs = startedUs
            self.value = value
            self.meta = meta
            self.source = source
            self.by = by
            self.estimate = estimate
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["startedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Start
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("source", &value.source)
            try visitor.field("by", &value.by)
            try visitor.field("estimate", &value.estimate)
            try visitor.field("rules", &value.rules)
        }
    }

    /// It has ended.
    public struct Complete: Record {
        public var entryId = ""
        /// When the command was given, by default.
        public var endedUs: Int64?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var removed: [String] = []
        public var by: Author?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            entryId: String, endedUs: Int64? = nil, value: [String: Scalar] = [:],
            meta: [String: Scalar] = [:], removed: [String] = [], by: Author? = nil,
            rules: RuleSet = RuleSet.standard
        ) {
            self.entryId = entryId
            self.endedUs = endedUs
            self.value = value
            self.meta = meta
            self.removed = removed
            self.by = by
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Complete
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("removed", &value.removed)
            try visitor.field("by", &value.by)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Write something down as a whole.
    public struct RecordEntry: Record {
        public var entryId = ""
        public var babyId = ""
        public var kind = ""
        public var startedUs: Int64 = 0
        public var endedUs: Int64?
        public var value: [String: Scalar] = [:]
        public var meta: [String: Scalar] = [:]
        public var source = Source.manual
        public var by: Author?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            entryId: String, babyId: String, kind: String, startedUs: Int64, endedUs: Int64? = nil,
            value: [String: Scalar] = [:], meta: [String: Scalar] = [:],
            source: Source = Source.manual, by: Author? = nil, rules: RuleSet = RuleSet.standard
        ) {
            self.entryId = entryId
            self.babyId = babyId
            self.kind = kind
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.value = value
            self.meta = meta
            self.source = source
            self.by = by
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["startedUs": .moment, "endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordEntry
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("source", &value.source)
            try visitor.field("by", &value.by)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Put an entry right; fields left out stay.
    public struct Edit: Record {
        public var entryId = ""
        public var startedUs: Int64?
        public var endedUs: Int64?
        /// Merged into what stands there.
        public var value: [String: Scalar] = [:]
        /// `undo_delete` restores a cancelled entry.
        public var meta: [String: Scalar] = [:]
        public var removed: [String] = []
        public var by: Author?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            entryId: String, startedUs: Int64? = nil, endedUs: Int64? = nil,
            value: [String: Scalar] = [:], meta: [String: Scalar] = [:], removed: [String] = [],
            by: Author? = nil, rules: RuleSet = RuleSet.standard
        ) {
            self.entryId = entryId
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.value = value
            self.meta = meta
            self.removed = removed
            self.by = by
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["startedUs": .moment, "endedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Edit
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("removed", &value.removed)
            try visitor.field("by", &value.by)
            try visitor.field("rules", &value.rules)
        }
    }
}
