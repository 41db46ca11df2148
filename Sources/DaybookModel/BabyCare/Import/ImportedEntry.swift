public import Daybook

extension BabyCare {
    /// A format of files with care entries.
    public enum FileFormat: UInt8, StoredEnum {
        case babyConnect, huckleberry, babyBuddy, babyAI, nara, babyTracker

        public static let names = [
            "babyconnect", "huckleberry", "babybuddy", "babyai-csv", "nara", "babytracker",
        ]
    }

    /// The row of a file from which an entry was imported.
    public struct Origin: Record {
        public var format = FileFormat.babyConnect
        /// Digest of the cells that identify the row: activity, start, caregiver and contents.
        public var row = Digest.blank
        /// Digest of all cells of the row.
        public var cells = Digest.blank
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("format", &format, "row", &row, "cells", &cells)
        }
    }

    /// The place of an entry in a file.
    public struct FileLine: Record {
        /// Keyed digest of the whole file under the log's secret, as in `DataImported`.
        public var file = Digest.blank
        /// Line number, counted from 1, the header included.
        public var line: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("file", &file)
            try field("line", &line, .count)
        }
    }

    /// One entry of a row of a file, with resolved times and amounts in the stored units.
    public struct ImportedEntry: Record {
        /// Name of the part in a row with several entries: `pee` and `poo` of one diaper.
        public var part: String?
        public var kind = Kind.formula
        public var started = Instant.epoch
        /// End of the entry; `nil` for a moment or an unfinished sleep.
        public var ended: Instant?
        /// State of the entry; `nil` means closed.
        ///
        /// `open` if the file says that the entry was never finished, `cancelled` if the export of
        /// an app says so.
        public var state: EntryState?
        /// Length of a sleep that the file declares, in seconds; the audit compares it with the
        /// times.
        public var declaredDurationS: Int64?
        public var value = Value()
        public var meta: [String: String] = [:]
        /// A note.
        public var text: PersonalText?
        /// Name of the field that holds the note in the file; `nil` for a memo.
        public var textName: TextName?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        /// Confidence in an end that the file marks as estimated, 0 to 100.
        public var endConfidence: Int64?
        public static var blank: Self { Self() }

        public init() {}

        public init(_ kind: Kind, part: String? = nil, started: Instant, ended: Instant? = nil) {
            self.kind = kind
            self.part = part
            self.started = started
            self.ended = ended
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("part", &part, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended)
            try field("state", &state)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta, "text", &text, "startFlag", &startFlag)
            try field("endFlag", &endFlag)
            try field("endConfidence", &endConfidence, .values(0...100))
            try field("textName", &textName)
        }
    }
}
