import Daybook
import DaybookLog

extension ErasureReach {
    /// Sentences for people on what of erased texts can still be read somewhere.
    var lines: [String] {
        var lines: [String] = []
        if epochs.isEmpty {
            lines.append(
                "no key of an earlier epoch exists: old rows in WAL, standbys and backups open no "
                    + "erased text, unless with a key that was exported before")
        }
        for epoch in epochs { lines.append(epoch.words) }
        for name in otherStandbys {
            lines.append(
                "the standby '\(name)' is connected, but no --standby names it: should it become the "
                    + "server before it has all rows of now, the log could not be read there")
        }
        for replica in replicas {
            let name = replica.label.isEmpty ? replica.id : "'\(replica.label)' (\(replica.id))"
            lines.append(
                "the replica \(name) has not carried the erasure out; it was heard of last "
                    + "\(Self.age(askedAt.microseconds - replica.heardAt.microseconds)), does so "
                    + "before its next answer, and shows no texts 7 days after its last one")
        }
        return lines
    }

    /// A time in the past, such as `3 days ago`.
    private static func age(_ us: Int64) -> String {
        let seconds = max(0, us / 1_000_000)
        return switch seconds {
        case 172_800...: "\(seconds / 86_400) days ago"
        case 7_200...: "\(seconds / 3_600) hours ago"
        case 120...: "\(seconds / 60) minutes ago"
        default: "\(seconds) s ago"
        }
    }
}

extension ErasureReach.Epoch {
    /// Why the key of the epoch exists still, in a sentence.
    fileprivate var words: String {
        let readable = "WAL, standbys and backups can still be read with the key of epoch \(number)"
        return switch reason {
        case .inUse: "\(readable), under which other keys are encrypted still; run this again"
        case .standbys(let names):
            "\(readable), until the standby \(names.map { "'\($0)'" }.joined(separator: ", ")) has the "
                + "new keys on disk; run this again then"
        case .failed(let why):
            number > 0
                ? "\(readable), which could not be destroyed: \(why)"
                : "WAL, standbys and backups may still be read with the key of an earlier epoch: \(why)"
        }
    }
}

extension EraseAnswer {
    /// An earlier epoch whose key still exists.
    struct Epoch: AnswerPart {
        /// Number of the epoch; 0 if it is not known.
        var epoch: Int64 = 0
        /// Why its key exists: `inUse`, `standbys` or `failed`.
        var cause = ""
        /// The standbys that must have the new keys on disk first.
        var standbys: [String] = []
        var reason = ""

        init() {}

        init(_ epoch: ErasureReach.Epoch) {
            self.epoch = Int64(epoch.number)
            reason = epoch.words
            switch epoch.reason {
            case .inUse: cause = "inUse"
            case .standbys(let names): (cause, standbys) = ("standbys", names)
            case .failed: cause = "failed"
            }
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("epoch", &epoch, "cause", &cause, "standbys", &standbys, "reason", &reason)
        }
    }

    /// A replica with keys that has not carried out the erasure.
    struct Replica: AnswerPart {
        /// Random id of the replica, in hexadecimal.
        var replica = ""
        /// Name of its machine; empty if the machine tells none.
        var label = ""
        /// When the database heard of it last.
        var heardAt = Instant.epoch

        init() {}

        init(_ replica: ErasureReach.Replica) {
            self.replica = replica.id
            label = replica.label
            heardAt = replica.heardAt
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("replica", &replica, "label", &label, "heardAt", &heardAt)
        }
    }
}
