package import Daybook

extension BabyCare {
    /// A format of files with care entries, named after the app that exports them.
    package enum FileFormat: UInt8, StoredEnum {
        case babyConnect, huckleberry, babyBuddy, babyAI, nara, babyTracker

        package static let names = [
            "babyconnect", "huckleberry", "babybuddy", "babyai-csv", "nara", "babytracker",
        ]
    }

    /// The row of a file from which an entry was imported, identified by digests of its cells.
    package struct Origin: PlainRecord {
        package var format = FileFormat.babyConnect
        /// Digest of the cells that identify the row, such as its activity, start and caregiver.
        package var rowDigest = Digest.blank
        package var cellsDigest = Digest.blank
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("format", &format, "row", &rowDigest, "cells", &cellsDigest)
        }
    }

    /// The file and the line from which an entry was imported.
    package struct FileLine: PlainRecord {
        /// Digest of the whole file, keyed with the log's secret, as in `DataImported`.
        package var fileDigest = Digest.blank
        /// Line number, counted from 1; the header is counted.
        package var line: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("file", &fileDigest)
            try field("line", &line, .count)
        }
    }

    /// An entry read from a row of a file, with times in UTC and amounts in the stored units.
    package struct ImportedEntry: PlainRecord {
        /// Name of this entry among several of one row, such as `pee` of a diaper; else `nil`.
        package var part: String?
        package var kind = Kind.formula
        package var started = Instant.epoch
        package var ended: Instant?
        /// State of the entry; `nil` means closed. `open` if the file says that the entry was never
        /// finished, `cancelled` if the file says that it was deleted.
        package var state: EntryState?
        /// Length of a sleep that the file declares, in seconds; `nil` if none is declared.
        package var declaredDurationS: Int64?
        package var value = Value()
        package var meta: [String: String] = [:]
        package var text: PersonalText?
        /// Name of the field with the note in the file; `nil` means `memo`.
        package var textName: TextName?
        package var startFlag: TimeFlag?
        package var endFlag: TimeFlag?
        /// Confidence in an end that the file marks as estimated, 0 to 100; else `nil`.
        package var endConfidence: Int64?
        package init() {}

        package init(_ kind: Kind, part: String? = nil, started: Instant, ended: Instant? = nil) {
            self.kind = kind
            self.part = part
            self.started = started
            self.ended = ended
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("part", &part, "kind", &kind, "startedUs", &started, "endedUs", &ended)
            try field("state", &state)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta, "text", &text, "startFlag", &startFlag)
            try field("endFlag", &endFlag)
            try field("endConfidence", &endConfidence, .values(0...100))
            try field("textName", &textName)
        }
    }
}
