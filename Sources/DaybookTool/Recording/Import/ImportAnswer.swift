import Daybook

struct ImportAnswer: Answer {
    static let name = "import"
    static let summary =
        "The rows of the file, counted; a file of one entity also has its noun and id."

    /// Id of the entity as which the whole file was imported, by its noun; empty for none.
    var entityID: [String: String] = [:]
    /// Ids of the entities as which sections were imported, by the plural of their noun.
    var sectionIDs: [String: [String]] = [:]
    var rowCount: Int64 = 0
    var acceptedCount: Int64 = 0
    /// Number of rows that completed or corrected an entity of an earlier import.
    var changedCount: Int64 = 0
    var duplicateCount: Int64 = 0
    var rejected: [Rejected] = []
    /// Remarks on accepted rows; `nil`, and left out, for a format without remarks.
    var notes: [Note]?
    var isDryRun: Bool?
    /// Head of a copy of a log, `POSITION:CHAIN`; `nil`, and left out, if the file is no log.
    var head: String?
    /// True if a copy of a log shows personal texts, names and places.
    var hasTexts: Bool?

    struct Rejected: AnswerPart {
        /// Number of the row, from 1.
        var row: Int64 = 0
        var line: Int64 = 0
        var code = ""
        var reason = ""

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("row", &row, "line", &line, "code", &code, "reason", &reason)
        }
    }

    struct Note: AnswerPart {
        var row: Int64 = 0
        var line: Int64 = 0
        var code: String?
        var note = ""

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
