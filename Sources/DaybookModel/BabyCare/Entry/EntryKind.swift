public import Daybook

extension BabyCare {
    /// The subject of a care entry.
    public enum Kind: UInt8, StoredEnum {
        case formula, breastfeed
        /// Food other than milk; S4's app records this kind as a memo with a category.
        case weaning
        case sleep, pee, poo, growth, memo, symptom, medication
        /// A dry diaper that was changed; counts as neither pee nor poo.
        case dry

        /// True if an entry of the kind can be opened and closed; growth and symptoms are moments.
        public var isStartable: Bool { self != .growth && self != .symptom }
        public var isFeed: Bool { self == .formula || self == .breastfeed }
        /// Kinds with figures in reports.
        static let reported = allCases.filter { $0 != .dry }
        /// Category of the memo that stands for the kind in S4's app; `nil` if the app has the
        /// kind.
        public var memoCategory: String? {
            switch self {
            case .weaning: "WEANING"
            case .dry: "DRY_DIAPER"
            default: nil
            }
        }
    }

    public enum EntryState: UInt8, StoredEnum {
        /// The state of an entry before its first event.
        case none
        case open, closed, cancelled
    }

    /// The way an entry was recorded.
    public enum Source: UInt8, StoredEnum {
        case manual, voice, text, imported, assistant

        public static let names = ["manual", "voice", "text", "import", "assistant"]

        public static var absent: Source? { .manual }
    }

    /// The side of a breast feed.
    public enum Side: UInt8, StoredEnum { case left, right, both }

    /// The source of the end of an entry.
    public enum EndSource: UInt8, StoredEnum {
        case explicit
        /// The command named no end, so the end is the time of the command.
        case now
    }

    /// A problem with a local time, found when it was resolved in its zone.
    public enum TimeFlag: UInt8, StoredEnum {
        /// The clocks were set back and showed the time twice; the earlier reading was used.
        case ambiguous
        /// The clocks skipped the time; it was moved forward by the length of the gap.
        case nonexistent
    }
}
