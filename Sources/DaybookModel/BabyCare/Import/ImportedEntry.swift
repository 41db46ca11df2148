public import Daybook

extension BabyCare {
    /// The form of a file of entries.
    public enum FileFormat: UInt8, StoredEnum {
        case babyConnect, huckleberry, babyBuddy, babyAI, nara, babyTracker

        public static let names = [
            "babyconnect", "huckleberry", "babybuddy", "babyai-csv", "nara", "babytracker",
        ]
    }

    /// The row of a file that an imported entry comes from.
    public struct Origin: Record {
        public var format = FileFormat.babyConnect
        /// The digest of activity, start, caregiver and contents: what identifies a row.
        public var row = Digest.blank
        /// The digest of all cells.
        public var cells = Digest.blank
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("format", &format, "row", &row, "cells", &cells)
        }
    }

    /// The place in a file that tells of an entry.
    public struct FileLine: Record {
        /// The digest of the whole file under the log's secret, as the record of the import has it.
        public var file = Digest.blank
        /// Line number, counted from 1, the header included.
        public var line: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("file", &file)
            try field("line", &line, .count)
        }
    }

    /// One entry of a row of a file, with its times resolved and its amounts in one unit.
    public struct ImportedEntry: Record {
        /// The part of a row with several entries: `pee` and `poo` of one diaper.
        public var part: String?
        public var kind = Kind.formula
        public var started = Instant.epoch
        /// `nil` for a moment, and for a sleep that was never finished.
        public var ended: Instant?
        /// `open` only where the file says that it was never finished, `cancelled` where an app's
        /// own export says so; closed by default.
        public var state: EntryState?
        /// The length that the file gives a sleep, to be compared with its times.
        public var declaredDurationS: Int64?
        public var value = Value()
        public var meta: [String: String] = [:]
        /// A note.
        public var text: PersonalText?
        /// The name that the note came under; `nil` for a memo.
        public var textName: TextName?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?
        /// The confidence in an end that the file calls an estimate, 0 to 100.
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
