public import EventSourcing

extension Household {
    public enum Sex: UInt8, StoredEnum {
        case female
        case male
    }

    /// What a baby is fed with.
    public enum FeedingMethod: UInt8, StoredEnum {
        case formula
        case breastmilk
        case mixed
    }

    /// What had an id of its own while it was offline.
    public enum Replaced: UInt8, StoredEnum {
        case baby
        case household
        case album
        case careEntry
    }

    public enum Consent: UInt8, StoredEnum {
        case terms
        case privacy
        case dataProcessing
    }

    /// What a member of a household may do.
    public enum Role: UInt8, StoredEnum {
        case none
        case owner
        case parent
        case caregiver
        case familyViewer

        public var mayWrite: Bool { self == .owner || self == .parent || self == .caregiver }

        public var mayRead: Bool { self != .none }

        /// Members and money.
        public var mayManage: Bool { self == .owner || self == .parent }
    }

    /// The day a week starts on.
    public enum FirstWeekday: UInt8, StoredEnum {
        case monday
        case sunday
    }
}
