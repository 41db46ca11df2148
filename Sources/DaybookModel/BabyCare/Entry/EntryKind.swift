public import Daybook

extension BabyCare {
    /// The subject of a care entry.
    public enum Kind: UInt8, StoredEnum {
        case formula, breastfeed
        /// Food other than milk; upstream writes it as a memo with a category.
        case weaning
        case sleep, pee, poo, growth, memo, symptom, medication
        /// A diaper that was changed and was dry; it counts as neither pee nor poo.
        case dry

        /// Growth and symptoms are moments; the rest may be started and go on.
        public var isStartable: Bool { self != .growth && self != .symptom }
        public var isFeed: Bool { self == .formula || self == .breastfeed }
        /// Kinds that reports have figures of.
        static let reported = allCases.filter { $0 != .dry }
        /// The category of the memo that an app writes which has no such kind.
        public var memoCategory: String? {
            switch self {
            case .weaning: "WEANING"
            case .dry: "DRY_DIAPER"
            default: nil
            }
        }
    }

    public enum EntryState: UInt8, StoredEnum {
        /// Not known yet.
        case none
        case open, closed, cancelled
    }

    /// The way an entry came in.
    public enum Source: UInt8, StoredEnum {
        case manual, voice, text, imported, assistant

        public static let names = ["manual", "voice", "text", "import", "assistant"]

        public static var absent: Source? { .manual }
    }

    /// The side of a breast feed.
    public enum Side: UInt8, StoredEnum { case left, right, both }

    /// The origin of an end.
    public enum EndSource: UInt8, StoredEnum {
        case explicit
        /// The command named no end: it is when the command was given.
        case now
    }

    /// An oddity of a local time when it was resolved in its zone.
    public enum TimeFlag: UInt8, StoredEnum {
        /// The clocks were set back and showed it twice; the earlier one was taken.
        case ambiguous
        /// The clocks were set forward past it; it was moved forward by the gap.
        case nonexistent
    }
}
