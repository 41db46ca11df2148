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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("startedUs", &startedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
            try field("removed", &removed)
            try field("by", &by)
        }
    }

    /// Delete an entry.
    public struct Cancel: Record {
        public var entryId = ""
        public var reason: PersonalText?
        public var by: Author?
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public init() {}

        public init(
            entryId: String, reason: String? = nil, by: Author? = nil,
            rules: Rules = Rules.standard
        ) {
            self.entryId = entryId
            self.reason = reason.map { PersonalText($0) }
            self.by = by
            self.rules = rules
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("reason", &reason)
            try field("by", &by)
            try field("rules", &rules)
        }
    }

    /// Undo a deletion.
    public struct Restore: Record {
        public var entryId = ""
        public var by: Author?
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("by", &by)
            try field("rules", &rules)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("nextEntryId", &nextEntryId)
            try field("nextStartUs", &nextStartUs, .moment)
            try field("by", &by)
        }
    }

    /// Make one entry of several that are about the same.
    public struct Merge: Record {
        public var keepId = ""
        public var dropIds: [String] = []
        public var by: Author?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("keepId", &keepId)
            try field("dropIds", &dropIds)
            try field("by", &by)
        }
    }
}
