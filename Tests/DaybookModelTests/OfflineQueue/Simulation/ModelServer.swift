import Daybook

@testable import DaybookModel

/// The server of a simulated run: what it was told, under which keys, and as whom.
///
/// It keeps the answers to what it took by their keys, as RFC 9110's idempotent methods and
/// draft-ietf-httpapi-idempotency-key-header have it; a refusal is no answer to keep.
struct ModelServer {
    /// A write as it travels.
    struct Write: Hashable {
        /// The write it is, whatever the server is told of it.
        var id: String
        var key: String?
        var kind: OfflineQueue.MutationKind
        var entryId: String
        var babyId: String
        var user: String
        var token: String
        /// At most one entry of a slot is open.
        var slot: Int
    }

    struct Answer: Hashable {
        var status: Int64
        var remoteId: String?
        var replayed = false
    }

    struct Entry {
        var babyId: String
        var slot: Int
        var state = OfflineQueue.MutationKind.createClosed
        var isOpen: Bool { state == .start }
        var isCancelled: Bool { state == .cancel }
        /// The last update.
        var value = ""
    }

    private(set) var entries: [String: Entry] = [:]
    /// The entries that each write made, and how often it was done.
    private(set) var made: [String: [String]] = [:]
    private(set) var done: [String: Int] = [:]
    private(set) var users: [String: String] = [:]
    private(set) var babies: [String] = []
    private var kept: [String: Answer] = [:]
    private var tokens: Set<String> = []
    private var refreshable: Set<String> = []
    /// Slots that another phone holds.
    var taken: Set<Int> = []

    mutating func signIn(_ family: String) {
        tokens.insert("\(family)-g0")
        refreshable.insert(family)
    }

    mutating func expireTokens() { tokens = [] }

    mutating func revoke() {
        tokens = []
        refreshable = []
    }

    /// The next token of a family; `nil` where it was revoked.
    mutating func refresh(_ family: String, from generation: Int64) -> Bool {
        guard refreshable.contains(family) else { return false }
        tokens = ["\(family)-g\(generation + 1)"]
        return true
    }

    /// Each onboarding makes a baby of its own, as the original does.
    mutating func onboard() -> String {
        babies.append("b\(babies.count + 1)")
        return babies[babies.count - 1]
    }

    mutating func answer(to write: Write) -> Answer {
        guard tokens.contains(write.token) else {
            let family = write.token.split(separator: "-").dropLast().joined(separator: "-")
            return Answer(status: refreshable.contains(family) ? 419 : 401)
        }
        if let key = write.key, let known = kept[key] {
            return Answer(status: known.status, remoteId: known.remoteId, replayed: true)
        }
        guard babies.contains(write.babyId) else { return Answer(status: 404) }
        let answer = write.kind.makesEntry ? make(write) : change(write)
        guard answer.status < 300 else { return answer }
        done[write.id, default: 0] += 1
        users[write.id] = write.user
        if let key = write.key { kept[key] = answer }
        return answer
    }

    private mutating func make(_ write: Write) -> Answer {
        if write.kind == .start {
            let isHeld = entries.values.contains { $0.isOpen && $0.slot == write.slot }
            guard !taken.contains(write.slot), !isHeld else { return Answer(status: 409) }
        }
        let id = "e\(entries.count + 1)"
        entries[id] = Entry(babyId: write.babyId, slot: write.slot, state: write.kind)
        made[write.id, default: []].append(id)
        return Answer(status: 201, remoteId: id)
    }

    private mutating func change(_ write: Write) -> Answer {
        guard var entry = entries[write.entryId], entry.babyId == write.babyId else {
            return Answer(status: 404)
        }
        switch write.kind {
        case .complete:
            guard entry.isOpen else { return Answer(status: 409) }
            entry.state = .createClosed
        case .update:
            guard !entry.isOpen, !entry.isCancelled else { return Answer(status: 409) }
            entry.value = write.id
        case .cancel:
            guard !entry.isCancelled else { return Answer(status: 409) }
            entry.state = .cancel
        case .createClosed, .start, .other: return Answer(status: 400)
        }
        entries[write.entryId] = entry
        return Answer(status: 200)
    }
}
