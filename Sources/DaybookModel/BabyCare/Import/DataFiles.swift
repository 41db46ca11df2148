package import Daybook

extension BabyCare {
    /// A row of a file that an import rejected.
    package struct RejectedRow: PlainRecord {
        /// Number of the row, counted from 1; the header is not counted.
        package var row: Int64 = 0
        /// Code of the reason, such as `unreadableTime`; the text of the row is not stored.
        package var reason = ""
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("row", &row, .count)
            try field("reason", &reason)
        }
    }

    /// Records the import of a file, after its rows have been imported one by one.
    package struct DataImported: EventPayload, CareCommand, PlainRecord {
        package static let kind: EventKind = "baby-care.data-imported.v1"
        package var babyId = ""
        /// Format of the file, named after the app that exports it.
        package var format = FileFormat.babyConnect
        /// Digest of the whole file, keyed with the log's secret.
        package var sha256 = Digest.blank
        /// Name of the time zone of the local times in the file.
        package var zone = ""
        /// Number of rows in the file, without the header.
        package var rowCount: Int64 = 0
        /// Number of rows that recorded new entries, or facts about the baby itself.
        package var acceptedCount: Int64 = 0
        /// Number of rows that changed entries from an earlier import.
        package var changedCount: Int64 = 0
        /// Number of rows that were imported before and changed nothing.
        package var duplicateCount: Int64 = 0
        package var rejectedRows: [RejectedRow] = []
        package var by: Author?
        package var tags: [Tag] { [tag(babyId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "format", &format, "sha256", &sha256, "zone", &zone)
            try field("rows", &rowCount, .count)
            try field("accepted", &acceptedCount, .count)
            try field("changed", &changedCount, .count)
            try field("duplicates", &duplicateCount, .count)
            try field("rejected", &rejectedRows, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "\(format.name) file imported",
                "\(acceptedCount) of \(rowCount.counted("row")) new",
                changedCount == 0 ? nil : "\(changedCount) changed",
                duplicateCount == 0 ? nil : "\(duplicateCount) known before",
                rejectedRows.isEmpty ? nil : "\(rejectedRows.count) rejected", zone)
        }

        package static let name = "baby-care.record-import"
        package func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayWrite(by, babyId)
            return [.dataImported(self)]
        }
    }

    /// Records that entries were exported to a file.
    package struct DataExported: EventPayload, CareCommand, PlainRecord {
        package static let kind: EventKind = "baby-care.data-exported.v1"
        package var babyId = ""
        package var format = FileFormat.babyConnect
        /// Start of the exported period; `nil` if it has no start.
        package var from: Instant?
        /// End of the exported period; `nil` if it has no end.
        package var to: Instant?
        package var rowCount: Int64 = 0
        package var sha256 = Digest.blank
        package var by: Author?
        package var tags: [Tag] { [tag(babyId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "format", &format, "fromUs", &from, "toUs", &to)
            try field("rows", &rowCount, .count)
            try field("sha256", &sha256, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "\(format.name) file exported", rowCount.counted("row"),
                from.map { "from \(wording.time($0))" }, to.map { "to \(wording.time($0))" })
        }

        package static let name = "baby-care.record-export"
        package func boundary(_ state: State) -> Boundary { Boundary(babyId: babyId) }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try state.checkMayRead(by, babyId)
            return [.dataExported(self)]
        }
    }
}
