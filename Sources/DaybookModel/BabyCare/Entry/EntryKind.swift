import Daybook

extension BabyCare {
    /// The kind of a care entry, such as a feed, a sleep or a diaper.
    package enum Kind: UInt8, StoredEnum {
        case formula, breastfeed
        /// Food other than milk; the original app records this kind as a memo with a category.
        case weaning
        case sleep, pee, poo, growth, memo, symptom, medication
        /// A dry diaper that was changed; counts as neither pee nor poo.
        case dry

        /// True if an entry of the kind can be started and completed; growth and symptoms cannot.
        var isStartable: Bool { self != .growth && self != .symptom }
        /// True if the kind is milk from a bottle or the breast; other food is no feed.
        package var isFeed: Bool { self == .formula || self == .breastfeed }
        /// Kinds that have figures in reports: all except dry diapers.
        static let reportedKinds = allCases.filter { $0 != .dry }
        /// Category of the memo that the original app records in place of an entry of this kind;
        /// `nil` if the original app has the kind itself.
        package var memoCategory: String? {
            switch self {
            case .weaning: "WEANING"
            case .dry: "DRY_DIAPER"
            default: nil
            }
        }
    }

    /// The stage in the life of an entry: open, closed or cancelled.
    package enum EntryState: UInt8, StoredEnum {
        /// The state of an entry before its first event.
        case none
        case open, closed, cancelled
    }

    /// The way in which an entry was recorded: by hand, voice, text, import or assistant.
    package enum Source: UInt8, StoredEnum {
        case manual, voice, text, imported, assistant
        package static let names = ["manual", "voice", "text", "import", "assistant"]

        /// Value for an entry that states no way of recording: by hand.
        package static var absent: Source? { .manual }
    }

    /// The side of a breast feed.
    package enum Side: UInt8, StoredEnum { case left, right, both }

    /// The source of an entry's end time.
    package enum EndSource: UInt8, StoredEnum {
        /// The command stated the end.
        case explicit
        /// The command named no end, so the end is the time of the command.
        case now
    }

    /// A problem with a local time, found when it was converted to UTC.
    package enum TimeFlag: UInt8, StoredEnum {
        /// The clocks were set back and showed the time twice. The earlier reading was used, except
        /// for an end that would then precede its start.
        case ambiguous
        /// The clocks skipped the time; it was moved forward by the length of the gap.
        case nonexistent
    }
}
