public import EventSourcing

extension Running {
    public enum RunState: UInt8, StoredEnum {
        case idle
        case running
        case paused
        case completed
        case discarded
        case cancelled

        /// Whether the run is still under way.
        public var isActive: Bool { self == .running || self == .paused }
    }

    public enum RunMode: UInt8, StoredEnum {
        case solo
        case matching
        /// Recorded elsewhere and taken over as a whole.
        case imported

        public static var absent: RunMode? { .solo }
    }

    public enum PauseCause: UInt8, StoredEnum {
        case manual
        /// The runner stood still.
        case auto
    }

    /// Why a place was left out.
    public enum RejectReason: UInt8, StoredEnum {
        /// There is no such place, or no number was given.
        case latLon
        /// It is not known well enough.
        case accuracy
        /// It has no time, or none behind the point before.
        case time
        /// Nobody runs there that fast.
        case jump
        /// The run was not going on then.
        case notRunning
    }

    public enum SaveFailure: UInt8, StoredEnum {
        case network
        case timeout
        case server
        case storage
    }

    public enum DiscardReason: UInt8, StoredEnum {
        case reset
        case user
        case tooShort

        public static var absent: DiscardReason? { .reset }
    }
}

extension Running {
    /// How a rank moved against the week before.
    public enum RankChange: UInt8, StoredEnum {
        /// As before, or not in it.
        case none
        case up
        case down

        /// As S0 spells them.
        public static let names = ["NONE", "UP", "DOWN"]
    }
}
