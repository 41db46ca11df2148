import Daybook
import DaybookCryptography
import DaybookLMDB

/// The people, key slots and erasures of a log, as far as `verify` has read them.
struct PeopleCheck {
    /// The first position at which each person is named, ordered by position and person number.
    var firstUses: [(position: UInt64, number: UInt32)] = []
    /// The position of the first event that names each person, by person number minus 1; 0 if no
    /// event does, `nil` for lost people.
    var firstPositions: [UInt64?] = []
    /// The number of people in the log, including erased and lost ones.
    var count: UInt32 = 0
    /// The state of each allocated key slot, by slot number minus 1.
    var slotStates: [SlotState] = []
    /// The recorded erasures.
    var erasures = RecordedErasures()

    /// The state of a key slot of the table `vault`, according to the rest of the log.
    enum SlotState: UInt8 {
        /// No person uses the key in the slot.
        case unassigned
        /// The slot contains the current or the next key of a person.
        case assigned
        /// A recorded erasure has overwritten the key.
        case erased
        /// A recorded erasure still has to overwrite the key.
        case beingErased
        /// The key was lost through damage before the log was salvaged.
        case lost
    }
}

/// The result of looking up the owner of a personal text, which `verify` caches.
enum KnownPerson {
    /// The person's key is known; the decrypter uses it.
    case known(AESGCMKey.Opener)
    /// The person was erased or lost.
    case erased
    /// The log is a replica without encryption keys.
    case notHere
    /// The person's key is overwritten without a recorded erasure.
    case keyGone
}

extension VerificationWalk {
    /// Checks that each person owns as many personal texts as the person's row states.
    mutating func checkTextCounts(_ transaction: borrowing ReadTransaction) throws(LogError) {
        try transaction.scanRows(log.file.tables.people) { (key: UInt64, value) in
            let found = UInt32(exactly: key).flatMap { totals.textCounts[$0] } ?? 0
            if let row = try? PersonRow(decoding: value), row.textCount != found {
                result.report(
                    0, "person",
                    "person \(key) has \(found) personal texts, but the person's row states "
                        + "\(row.textCount)")
            }
            return true
        }
    }
}
