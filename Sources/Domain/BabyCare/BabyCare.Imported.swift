public import EventSourcing

extension BabyCare {
    /// One entry of a row of a file, with its times resolved and its amounts in one unit.
    public struct ImportedEntry: Record {
        /// Which of the row's entries, where it has several: `pee` and `poo` of one diaper.
        public var part: String?
        public var kind = Kind.formula
        public var startedUs: Int64 = 0
        /// `nil` for a moment, and for a sleep that was never finished.
        public var endedUs: Int64?
        /// `open` only where the file says that it was never finished, `cancelled` where an app's
        /// own export says so; closed by default.
        public var state: EntryState?
        /// The length the file gives a sleep, to be held against its times.
        public var declaredDurationS: Int64?
        public var value = Value()
        public var meta: [String: String] = [:]
        /// A note.
        public var text: PersonalText?
        public var startFlag: TimeFlag?
        public var endFlag: TimeFlag?

        public init() {}

        public init(_ kind: Kind, part: String? = nil, startedUs: Int64, endedUs: Int64? = nil) {
            self.kind = kind
            self.part = part
            self.startedUs = startedUs
            self.endedUs = endedUs
        }

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "endedUs": .moment, "declaredDurationS": .spanS,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ImportedEntry
        ) throws(Visitor.Failure) {
            try visitor.field("part", &value.part)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("state", &value.state)
            try visitor.field("declaredDurationS", &value.declaredDurationS)
            try visitor.field("value", &value.value)
            try visitor.field("meta", &value.meta)
            try visitor.field("text", &value.text)
            try visitor.field("startFlag", &value.startFlag)
            try visitor.field("endFlag", &value.endFlag)
        }
    }

    /// Where an imported entry comes from.
    public struct Origin: Record {
        public var format = FileFormat.babyConnect
        /// Of activity, start, caregiver and contents: what tells that a row is about the same.
        public var row = Digest.blank
        /// Of all cells.
        public var cells = Digest.blank

        public init() {}

        public init(format: FileFormat, row: Digest, cells: Digest) {
            self.format = format
            self.row = row
            self.cells = cells
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Origin
        ) throws(Visitor.Failure) {
            try visitor.field("format", &value.format)
            try visitor.field("row", &value.row)
            try visitor.field("cells", &value.cells)
        }
    }
}
