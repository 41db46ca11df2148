public import EventSourcing

extension Household {
    public enum Sex: UInt8, Choice {
        case female
        case male

        public static let names = ["female", "male"]
    }

    /// What a baby is fed with.
    public enum FeedingMethod: UInt8, Choice {
        case formula
        case breastmilk
        case mixed

        public static let names = ["formula", "breastmilk", "mixed"]
    }

    /// What had an id of its own while it was offline.
    public enum Replaced: UInt8, Choice {
        case baby
        case household
        case album
        case careEntry

        public static let names = ["baby", "household", "album", "careEntry"]
    }

    public enum Consent: UInt8, Choice {
        case terms
        case privacy
        case dataProcessing

        public static let names = ["terms", "privacy", "dataProcessing"]
    }

    /// What a member of a household may do.
    public enum Role: UInt8, Choice {
        case none
        case owner
        case parent
        case caregiver
        case familyViewer

        public static let names = ["none", "owner", "parent", "caregiver", "familyViewer"]

        public var mayWrite: Bool { self == .owner || self == .parent || self == .caregiver }

        public var mayRead: Bool { self != .none }

        /// Members and money.
        public var mayManage: Bool { self == .owner || self == .parent }
    }

    /// The day a week starts on.
    public enum FirstWeekday: UInt8, Choice {
        case monday
        case sunday

        public static let names = ["monday", "sunday"]
    }
}
