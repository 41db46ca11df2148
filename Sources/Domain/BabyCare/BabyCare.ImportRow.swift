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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("entryId", &entryId)
            try field("origin", &origin)
            try field("entries", &entries)
            try field("changes", &changes)
            try field("caregiver", &caregiver)
            try field("source", &source)
            try field("by", &by)
        }
    }
}
