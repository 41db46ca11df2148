import Daybook

/// Answer of `import`: the counts of the file's rows.
struct ImportAnswer: Answer {
    static let name = "import"
    static let summary =
        "The rows of the file, counted; a file of one entity also has its noun and id."

    /// Id of the entity as which the whole file was imported, by the entity's noun; empty if there
    /// is none.
    var entityID: [String: String] = [:]
    /// Ids of the entities as which sections of the file were imported, by the plural of their
    /// noun.
    var sectionIDs: [String: [String]] = [:]
    /// Number of rows in the file.
    var rowCount: Int64 = 0
    /// Number of rows that were recorded.
    var acceptedCount: Int64 = 0
    /// Number of rows that completed or corrected an entity of an earlier import.
    var changedCount: Int64 = 0
    /// Number of rows that were in the log already.
    var duplicateCount: Int64 = 0
    /// Rows that were not recorded.
    var rejected: [Rejected] = []
    /// Remarks on accepted rows; `nil`, and left out, for a format without remarks.
    var notes: [Note]?
    /// True with `--dry-run`, which writes nothing; otherwise `nil`, and left out.
    var isDryRun: Bool?
    /// Head of a copy of a log, `POSITION:CHAIN`; `nil`, and left out, if the file is no log.
    var head: String?
    /// True if a copy shows personal texts, names and places; `nil`, and left out, if the file is no
    /// log.
    var hasTexts: Bool?

    /// A row that was rejected.
    struct Rejected: Record {
        /// Number of the row, from 1.
        var row: Int64 = 0
        /// Number of the row's line in the file, from 1.
        var line: Int64 = 0
        /// Code of the reason, which programs can compare.
        var code = ""
        /// Sentence that explains the reason to people.
        var reason = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("row", &row, "line", &line, "code", &code, "reason", &reason)
        }
    }

    /// A remark on a row.
    struct Note: Record {
        /// Number of the row, from 1.
        var row: Int64 = 0
        /// Number of the row's line in the file, from 1.
        var line: Int64 = 0
        /// Code of the remark; `nil`, and left out, without a code.
        var code: String?
        /// The remark, as a sentence.
        var note = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("row", &row, "line", &line)
            try field.optionalField("code", &code)
            try field("note", &note)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        for (noun, var id) in entityID { try field(noun, &id) }
        for (nouns, var ids) in sectionIDs { try field(nouns, &ids) }
        try field("rows", &rowCount, "accepted", &acceptedCount, "changed", &changedCount)
        try field("duplicates", &duplicateCount, "rejected", &rejected)
        try field.optionalField("notes", &notes)
        try field.optionalField("dryRun", &isDryRun)
        try field.optionalField("headAtPosition", &head)
        try field.optionalField("texts", &hasTexts)
    }
}

extension ImportAnswer {
    init(_ outcome: ImportOutcome, isTrial: Bool) {
        if let tag = outcome.entity { entityID[String(tag.noun)] = String(tag.id) }
        if let first = outcome.parts.first {
            sectionIDs["\(first.noun)s"] = outcome.parts.map { String($0.id) }
        }
        rowCount = Int64(outcome.rows)
        acceptedCount = Int64(outcome.accepted)
        changedCount = Int64(outcome.changed)
        duplicateCount = Int64(outcome.duplicates)
        rejected = outcome.rejected.map {
            Rejected(
                row: Int64($0.row), line: Int64($0.line), code: $0.code ?? "", reason: $0.message)
        }
        notes = outcome.notes?.map {
            Note(row: Int64($0.row), line: Int64($0.line), code: $0.code, note: $0.message)
        }
        isDryRun = isTrial ? true : nil
    }
}
