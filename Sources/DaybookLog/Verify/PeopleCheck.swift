import Daybook
import DaybookCryptography

/// The people and erasures that a check of the log has read.
struct PeopleCheck {
    /// The first position of each named person, ordered by position and number.
    var firstUses: [(position: UInt64, number: UInt32)] = []
    /// First positions by person number minus 1: 0 for unnamed people, `nil` for lost people.
    var firstPositions: [UInt64?] = []
    /// The number of people in the log, erased and lost ones included.
    var count: UInt32 = 0
    /// The state of each allocated slot, by slot number minus 1.
    var slots: [SlotState] = []
    /// The position of the newest erasure of each tag.
    var erasedTags: [String: UInt64] = [:]
    /// The position of the newest erasure of each event, by the position of the event.
    var erasedPositions: [UInt64: UInt64] = [:]
    /// The numbers of people who were erased completely.
    var erasedPeople: Set<UInt32> = []

    /// The state of a slot of the vault, the table of encryption keys.
    enum SlotState: UInt8 {
        /// No person uses the key.
        case unassigned
        /// The slot contains the current or next key of a person.
        case assigned
        /// A recorded erasure has overwritten the key.
        case erased
        /// A recorded erasure still has to overwrite the key.
        case beingErased
        /// The key was lost with damage before the log was salvaged.
        case lost
    }

    /// True if a recorded erasure covers the texts of an event.
    func isErasureRecorded(_ position: UInt64, _ tags: [Tag]) -> Bool {
        erasedPositions[position, default: 0] > position
            || tags.contains { erasedTags[$0.text, default: 0] > position }
    }
}

/// A person whose texts a check has read.
enum KnownPerson {
    /// The decrypter with the person's key.
    case known(AESGCMKey.Opener)
    /// The person is erased or lost.
    case erased
    /// The key is overwritten without a recorded erasure.
    case keyGone
}
