public import EventSourcing

extension BabyCare {
    /// What a care entry is about.
    public enum Kind: UInt8, StoredEnum {
        case formula
        case breastfeed
        /// Food other than milk; upstream writes it as a memo with a category.
        case weaning
        case sleep
        case pee
        case poo
        case growth
        case memo
        case symptom
        case medication

        /// Growth and symptoms are moments; the rest may be started and go on.
        public var isStartable: Bool { self != .growth && self != .symptom }

        public var isFeed: Bool { self == .formula || self == .breastfeed }
    }

    public enum EntryState: UInt8, StoredEnum {
        /// Not known yet.
        case none
        case open
        case closed
        case cancelled
    }

    /// How an entry came in.
    public enum Source: UInt8, StoredEnum {
        case manual
        case voice
        case text
        case imported
        case assistant

        public static let names = ["manual", "voice", "text", "import", "assistant"]

        public static var absent: Source? { .manual }
    }

    /// Which breast.
    public enum Side: UInt8, StoredEnum {
        case left
        case right
        case both
    }

    /// Where an end comes from.
    public enum EndSource: UInt8, StoredEnum {
        case explicit
        /// The command named no end: it is when the command was given.
        case now
    }

    /// What an estimated length rests on.
    public enum EstimateBasis: UInt8, StoredEnum {
        case median14d
        case median7d
        case standardLength

        public static let names = ["median14d", "median7d", "default"]
    }

    /// What was odd about a local time when it was resolved in its zone.
    public enum TimeFlag: UInt8, StoredEnum {
        /// The clocks were set back and showed it twice; the earlier one was taken.
        case ambiguous
        /// The clocks were set forward past it; it was moved forward by the gap.
        case nonexistent
    }

    /// The form of a file of entries.
    public enum FileFormat: UInt8, StoredEnum {
        case babyConnect
        case huckleberry
        case babyBuddy
        case babyAI

        public static let names = ["babyconnect", "huckleberry", "babybuddy", "babyai-csv"]
    }

    /// Which stretch a report is about.
    public enum ReportKind: UInt8, StoredEnum {
        case daily
        case weekly
        case monthly
    }
}
