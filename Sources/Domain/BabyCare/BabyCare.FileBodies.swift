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
        public var by: String?

        public init() {}

        public init(
            babyId: String, entryId: String, origin: Origin, entries: [ImportedEntry] = [],
            changes: [String] = [], caregiver: PersonalText? = nil,
            source: Source = Source.imported, by: String? = nil
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

    /// Note what came of a file.
    public struct RecordImport: Record {
        public var babyId = ""
        public var format = FileFormat.babyAI
        public var sha256 = Digest.blank
        public var zone = ""
        public var rows: Int64 = 0
        public var accepted: Int64 = 0
        public var changed: Int64 = 0
        public var duplicates: Int64 = 0
        public var rejected: [RejectedRow] = []
        public var by: String?

        public init() {}

        public init(
            babyId: String, format: FileFormat, sha256: Digest, zone: String, rows: Int64,
            accepted: Int64, changed: Int64, duplicates: Int64, rejected: [RejectedRow] = [],
            by: String? = nil
        ) {
            self.babyId = babyId
            self.format = format
            self.sha256 = sha256
            self.zone = zone
            self.rows = rows
            self.accepted = accepted
            self.changed = changed
            self.duplicates = duplicates
            self.rejected = rejected
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordImport
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("format", &value.format)
            try visitor.field("sha256", &value.sha256)
            try visitor.field("zone", &value.zone)
            try visitor.field("rows", &value.rows)
            try visitor.field("accepted", &value.accepted)
            try visitor.field("changed", &value.changed)
            try visitor.field("duplicates", &value.duplicates)
            try visitor.field("rejected", &value.rejected)
            try visitor.field("by", &value.by)
        }
    }

    /// Note that entries were written to a file.
    public struct RecordExport: Record {
        public var babyId = ""
        public var format = FileFormat.babyAI
        public var fromUs: Int64?
        public var toUs: Int64?
        public var rows: Int64 = 0
        public var sha256 = Digest.blank
        public var by: String?

        public init() {}

        public init(
            babyId: String, format: FileFormat, fromUs: Int64? = nil, toUs: Int64? = nil,
            rows: Int64, sha256: Digest, by: String? = nil
        ) {
            self.babyId = babyId
            self.format = format
            self.fromUs = fromUs
            self.toUs = toUs
            self.rows = rows
            self.sha256 = sha256
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordExport
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("format", &value.format)
            try visitor.field("fromUs", &value.fromUs)
            try visitor.field("toUs", &value.toUs)
            try visitor.field("rows", &value.rows)
            try visitor.field("sha256", &value.sha256)
            try visitor.field("by", &value.by)
        }
    }

    /// Note that a report was handed out.
    public struct IssueReport: Record {
        public var babyId = ""
        public var kind = ReportKind.daily
        public var period = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = RuleSet.standard
        public var position: Int64 = 0
        public var digest = Digest.blank
        public var by: String?

        public init() {}

        public init(
            babyId: String, kind: ReportKind, period: String, zone: String, tzdata: String,
            rules: RuleSet = RuleSet.standard, position: Int64, digest: Digest, by: String? = nil
        ) {
            self.babyId = babyId
            self.kind = kind
            self.period = period
            self.zone = zone
            self.tzdata = tzdata
            self.rules = rules
            self.position = position
            self.digest = digest
            self.by = by
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout IssueReport
        ) throws(Visitor.Failure) {
            try visitor.field("babyId", &value.babyId)
            try visitor.field("kind", &value.kind)
            try visitor.field("period", &value.period)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("rules", &value.rules)
            try visitor.field("position", &value.position)
            try visitor.field("digest", &value.digest)
            try visitor.field("by", &value.by)
        }
    }
}
