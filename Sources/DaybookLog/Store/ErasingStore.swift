public import Daybook

/// A store in which texts can be erased.
///
/// The keys of people are in the store, perhaps encrypted under the key of an epoch that is kept
/// elsewhere. An erasure begins another epoch, drops the erased keys in the commit that records it,
/// and destroys the old epoch's key once all other keys are encrypted under the new one. Each step
/// may be repeated, and `finishErasures` continues after a crash at any of them.
///
/// A thread records an erasure by `beginErasure`, `replace`, `lockErasure` and `erase`, in one
/// transaction of the store. Only the last two keep others from appending.
package protocol ErasingStore: EventStore {
    /// The names of the standbys that must have new keys on disk before an old one is destroyed;
    /// `nil` means the standbys of the current erasure.
    var standbys: [String]? { get set }

    /// Writes the keys that open the log as of now to a new file, to store with a backup.
    ///
    /// - Returns: the epochs whose keys are in the file.
    func exportKeys(to path: String) throws(LogError) -> [Int32]

    /// Gives key slots to an erasure, for texts that it keeps. Those that it does not use are dropped by
    /// the next erasure.
    func reserveSlots(_ count: Int) throws(LogError) -> [UInt32]

    /// Makes the blocks without the keys of slots, as they are after the erasure.
    ///
    /// Takes no lock. The result can be used once, and until another erasure is faster.
    ///
    /// - Parameter reserved: the slots of `reserveSlots` that the erasure uses. The keys of all other
    ///   reserved slots are dropped too.
    /// - Returns: `nil` if another erasure has dropped one of the reserved slots.
    func prepareErasure(
        of slots: Set<UInt32>, using reserved: Set<UInt32>
    ) throws(LogError) -> PreparedErasure?

    /// Begins to record an erasure, and writes its blocks, while other writers append.
    ///
    /// Waits while another erasure is being recorded. The thread must end the recording by `erase`
    /// or `abandonErasure`.
    ///
    /// - Returns: false if another erasure was faster, so that this one must be prepared anew.
    func beginErasure(_ prepared: PreparedErasure) throws(LogError) -> Bool

    /// Writes earlier events' texts in their new form, which is visible once the erasure is
    /// recorded.
    func replace(_ texts: [StoreBatch.Text], _ prepared: PreparedErasure) throws(LogError)

    /// Takes the log's lock for the erasure that this thread has begun; see `lock`.
    func lockErasure(
        after head: Head
    ) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?)

    /// Appends the one commit of a batch, which records the erasure that this thread has begun.
    ///
    /// Ends the recording, also by an error.
    ///
    /// - Parameter changed: texts of earlier events in their new form that `replace` did not send.
    /// - Returns: `.moved` if the log has another end than the batch was made for.
    /// - Throws: `.unknown` as `append` does.
    func erase(
        _ batch: StoreBatch, changing changed: [StoreBatch.Text], _ prepared: PreparedErasure
    ) throws(LogError) -> StoreAnswer

    /// Ends an unfinished recording of this thread; does nothing if there is none.
    func abandonErasure()

    /// Finishes recorded erasures: encrypts people's keys under the current epoch, and destroys the
    /// keys of earlier epochs.
    ///
    /// - Returns: the epochs whose keys still exist.
    func finishErasures() throws(LogError) -> [ErasureReach.Epoch]

    /// Records the erasures that a replica with keys has carried out.
    func note(_ replica: StoreReplica) throws(LogError)

    /// Returns the replicas with keys that have not carried out an erasure, and the keys and
    /// standbys that may still hold erased data.
    func reach(of erasure: Position) throws(LogError) -> ErasureReach
}

/// The parts of an erasure for a store, prepared before the log's lock is taken.
package struct PreparedErasure: Sendable {
    /// The epoch that the erasure ends.
    package var epoch: Int32
    /// The epoch that the erasure begins.
    package var newEpoch: Int32
    /// The slots whose keys are erased.
    package var slots: Set<UInt32>
    /// The slots that abandoned erasures have reserved, whose keys are dropped too.
    package var unused: Set<UInt32>
    /// All slots that were reserved when the erasure was prepared.
    package var reserved: Set<UInt32>
    /// The blocks of all these slots without the dropped keys, encrypted under the new epoch, by
    /// number; −1 is the log's secret.
    package var blocks: [Int64: [UInt8]]
    /// The proof of the new epoch's key.
    package var proof: [UInt8]

    package init(
        epoch: Int32, newEpoch: Int32, slots: Set<UInt32>, unused: Set<UInt32> = [],
        reserved: Set<UInt32> = [], blocks: [Int64: [UInt8]] = [:], proof: [UInt8] = []
    ) {
        self.epoch = epoch
        self.newEpoch = newEpoch
        self.slots = slots
        self.unused = unused
        self.reserved = reserved
        self.blocks = blocks
        self.proof = proof
    }
}

/// A replica with keys, and the erasures that it has carried out.
package struct StoreReplica: Hashable, Sendable {
    /// The replica's secret, 16 random bytes; the store may keep only its digest.
    package var id: [UInt8]
    /// A name for people; empty for none.
    package var label: String
    /// The position up to which the replica has the log.
    package var position: Position
    /// The position of the last erasure whose keys the replica has overwritten; 0 for none.
    package var erasedThrough: Position

    package init(id: [UInt8], label: String, position: Position, erasedThrough: Position) {
        self.id = id
        self.label = label
        self.position = position
        self.erasedThrough = erasedThrough
    }
}

/// How far an erasure of a log in a store reaches beyond the tables of the store.
///
/// Erased keys are gone from the tables when the erasure is recorded. Old rows of the tables stay in
/// the store's WAL, standbys and backups, encrypted under the key of an earlier epoch, until that key
/// is destroyed.
public struct ErasureReach: Hashable, Sendable {
    /// The earlier epochs whose keys still exist, oldest first; whoever has these keys can read the
    /// old rows in WAL, standbys and backups.
    public var epochs: [Epoch] = []
    /// The replicas with keys that have not reported the erasure as carried out.
    public var replicas: [Replica] = []
    /// The connected standbys that erasures do not wait for, because they are not named.
    public var otherStandbys: [String] = []
    /// The store's clock.
    public var askedAt: Instant

    package init(askedAt: Instant) { self.askedAt = askedAt }

    /// An earlier epoch whose key still exists.
    public struct Epoch: Hashable, Sendable {
        /// The number of the epoch, from 1.
        public var number: Int32
        /// The reason for which its key still exists.
        public var reason: Reason

        package init(_ number: Int32, _ reason: Reason) {
            self.number = number
            self.reason = reason
        }

        /// The reason for which a key still exists.
        public enum Reason: Hashable, Sendable {
            /// Keys of people are still encrypted under it.
            case inUse
            /// These standbys do not have the newly encrypted keys on disk yet.
            case standbys([String])
            /// The key could not be used or destroyed.
            case failed(String)
        }
    }

    /// A replica with keys.
    public struct Replica: Hashable, Sendable {
        /// The store's name of the replica in hexadecimal digits.
        public var id: String
        /// A name for people; empty for none.
        public var label: String
        /// The time of the replica's last report, by the store's clock.
        public var heardAt: Instant

        package init(id: String, label: String, heardAt: Instant) {
            self.id = id
            self.label = label
            self.heardAt = heardAt
        }
    }
}
