public import EventSourcing

extension BabyCare {
    /// Take over one row of a file.
    public struct ImportRow: Record {
        public var babyId = ""
        /// Of its entry; with several, of the part of each: `x-pee`.
        public var entryId = ""
        public var origin = Origin()
        public var entries: [ImportedEntry] = []
        /// Entries of an earlier export that this row completes or puts right.
        public var changes: [String] = []
        public var caregiver: PersonalText?
        public var source = Source.imported
        public var by: Author?

        public init() {}

        public init(
            babyId: String, entryId: String, origin: Origin, entries: [ImportedEntry] = [],
            changes: [String] = [], caregiver: PersonalText? = nil,
            source: Source = Source.imported, by: Author? = nil
        ) {
            self.babyId = babyId
            self.entryId = entryId
            self.origin = origin
            self.entries = entries
            self.changes = changes
            self.caregiver = caregiver
            self.source = source
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ImportRow
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("entryId", &value.entryId)
            try visitor.field("origin", &value.origin)
            try visitor.field("entries", &value.entries)
            try visitor.field("changes", &value.changes)
            try visitor.field("caregiver", &value.caregiver)
            try visitor.field("source", &value.source)
            try visitor.field("by", &value.by)
        }
    }
}
