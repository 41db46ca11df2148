public import Daybook

extension BabyCare {
    /// A row that an import rejected.
    public struct RejectedRow: Record {
        /// Number of the row, counted from 1 without the header.
        public var row: Int64 = 0
        /// Stable code of the reason; the text of the row is not stored.
        public var reason = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("row", &row, .count)
            try field("reason", &reason)
        }
    }

    /// Records that a file was imported; its rows are the commits before this one.
    public struct DataImported: EventPayload, CareCommand {
        public static let kind: EventKind = "baby-care.data-imported.v1"
        public var babyId = ""
        public var format = FileFormat.babyConnect
        public var sha256 = Digest.blank
        public var zone = ""
        public var rows: Int64 = 0
        public var accepted: Int64 = 0
        public var changed: Int64 = 0
        public var duplicates: Int64 = 0
        public var rejected: [RejectedRow] = []
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "format", &format, "sha256", &sha256, "zone", &zone)
            try field("rows", &rows, .count)
            try field("accepted", &accepted, .count)
            try field("changed", &changed, .count)
            try field("duplicates", &duplicates, .count)
            try field("rejected", &rejected, "by", &by)
        }

        public static let name = "baby-care.record-import"

        public func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayWrite(by, babyId)
            return [.dataImported(self)]
        }
    }

    /// Records that entries were written to a file.
    public struct DataExported: EventPayload, CareCommand {
        public static let kind: EventKind = "baby-care.data-exported.v1"
        public var babyId = ""
        public var format = FileFormat.babyConnect
        public var from: Instant?
        public var to: Instant?
        public var rows: Int64 = 0
        public var sha256 = Digest.blank
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "format", &format)
            try field("fromUs", &from)
            try field("toUs", &to)
            try field("rows", &rows, .count)
            try field("sha256", &sha256, "by", &by)
        }

        public static let name = "baby-care.record-export"

        public func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayRead(by, babyId)
            return [.dataExported(self)]
        }
    }
}
