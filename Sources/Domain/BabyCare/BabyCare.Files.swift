public import EventSourcing

extension BabyCare {
    /// A report was handed out; what it said can be held against what is known later.
    public struct ReportIssued: EventPayload {
        public static let kind: EventKind = "baby-care.report-issued.v1"

        public var babyId = ""
        public var kind = ReportKind.daily
        /// `2020-03-08`, `2020-W10` or `2020-03`.
        public var period = ""
        public var zone = ""
        /// The release of the tz database.
        public var tzdata = ""
        public var rules = RuleSet.standard
        /// The last event it was made from.
        public var position: Int64 = 0
        /// Of its JSON.
        public var digest = Digest.blank
        public var by: Author?

        public init() {}

        public init(
            babyId: String, kind: ReportKind, period: String, zone: String, tzdata: String,
            rules: RuleSet = RuleSet.standard, position: Int64, digest: Digest, by: Author? = nil
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

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.reportTag(babyId, kind, period)]
        }

        public static let limits: [String: Limit] = ["position": .position]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ReportIssued
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

    /// Entries were written to a file.
    public struct DataExported: EventPayload {
        public static let kind: EventKind = "baby-care.data-exported.v1"

        public var babyId = ""
        public var format = FileFormat.babyAI
        public var fromUs: Int64?
        public var toUs: Int64?
        public var rows: Int64 = 0
        public var sha256 = Digest.blank
        public var by: Author?

        public init() {}

        public init(
            babyId: String, format: FileFormat, fromUs: Int64? = nil, toUs: Int64? = nil,
            rows: Int64, sha256: Digest, by: Author? = nil
        ) {
            self.babyId = babyId
            self.format = format
            self.fromUs = fromUs
            self.toUs = toUs
            self.rows = rows
            self.sha256 = sha256
            self.by = by
        }

        public var tags: [Tag] {
            [BabyCare.tag(babyId)]
        }

        public static let limits: [String: Limit] = [
            "fromUs": .moment, "toUs": .moment, "rows": .count,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DataExported
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

    /// A row that gave no entry.
    public struct RejectedRow: Record {
        /// From 1, the header not counted.
        public var row: Int64 = 0
        /// A stable word; what stood there is not kept.
        public var reason = ""

        public init() {}

        public init(
            row: Int64, reason: String
        ) {
            self.row = row
            self.reason = reason
        }

        public static let limits: [String: Limit] = ["row": .count]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RejectedRow
        ) throws(Visitor.Failure) {
            try visitor.field("row", &value.row)
            try visitor.field("reason", &value.reason)
        }
    }

    /// A file was read, and its rows became the commits before this one.
    public struct DataImported: EventPayload {
        public static let kind: EventKind = "baby-care.data-imported.v1"

        public var babyId = ""
        public var format = FileFormat.babyAI
        public var sha256 = Digest.blank
        public var zone = ""
        public var rows: Int64 = 0
        public var accepted: Int64 = 0
        public var changed: Int64 = 0
        public var duplicates: Int64 = 0
        public var rejected: [RejectedRow] = []
        public var by: Author?

        public init() {}

        public init(
            babyId: String, format: FileFormat, sha256: Digest, zone: String, rows: Int64,
            accepted: Int64, changed: Int64, duplicates: Int64, rejected: [RejectedRow] = [],
            by: Author? = nil
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

        public var tags: [Tag] {
            [BabyCare.tag(babyId)]
        }

        public static let limits: [String: Limit] = [
            "rows": .count, "accepted": .count, "changed": .count, "duplicates": .count,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DataImported
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
}
