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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
            try field("source", &source)
            try field("by", &by)
            try field("estimate", &estimate)
            try field("rules", &rules)
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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
            try field("removed", &removed)
            try field("by", &by)
            try field("rules", &rules)
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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
            try field("source", &source)
            try field("by", &by)
            try field("rules", &rules)
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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("value", &value)
            try field("meta", &meta)
            try field("removed", &removed)
            try field("by", &by)
            try field("rules", &rules)
        }
    }
}
