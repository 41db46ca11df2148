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
        public var rules = Rules.standard
        /// The last event it was made from.
        public var position: Int64 = 0
        /// Of its JSON.
        public var digest = Digest.blank
        public var by: Author?

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId), BabyCare.reportTag(babyId, kind, period)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("kind", &kind)
            try field("period", &period)
            try field("zone", &zone)
            try field("tzdata", &tzdata)
            try field("rules", &rules)
            try field("position", &position, .position)
            try field("digest", &digest)
            try field("by", &by)
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

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("format", &format)
            try field("fromUs", &fromUs, .moment)
            try field("toUs", &toUs, .moment)
            try field("rows", &rows, .count)
            try field("sha256", &sha256)
            try field("by", &by)
        }
    }

    /// A row that gave no entry.
    public struct RejectedRow: Record {
        /// From 1, the header not counted.
        public var row: Int64 = 0
        /// A stable word; what stood there is not kept.
        public var reason = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("row", &row, .count)
            try field("reason", &reason)
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

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [BabyCare.tag(babyId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId)
            try field("format", &format)
            try field("sha256", &sha256)
            try field("zone", &zone)
            try field("rows", &rows, .count)
            try field("accepted", &accepted, .count)
            try field("changed", &changed, .count)
            try field("duplicates", &duplicates, .count)
            try field("rejected", &rejected)
            try field("by", &by)
        }
    }
}
