package import Daybook

extension BabyCare {
    /// An entry was deleted; its events stay in the log.
    package struct EntryCancelled: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entry-cancelled.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        /// State of the entry before the cancellation, open or closed.
        var previousState = EntryState.closed
        /// End that the rules of the original app give an entry without an end; else `nil`.
        package var ended: Instant?
        /// Reason for the deletion, in the words of the user.
        package var reason: SealableText?
        package var by: Author?
        package var tags: [Tag] { slotTags(babyId, entryId, kind) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("previousState", &previousState, "endedUs", &ended)
            try field("reason", &reason, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "\(kind.name) cancelled", ended.map { "ended at \(wording.time($0))" },
                wording.quoted(reason))
        }
    }

    /// Cancels an entry, so that reports no longer include it; its events stay in the log.
    struct Cancel: CareCommand, PlainRecord {
        var entryId = ""
        /// Reason for the deletion, in the words of the user.
        var reason: PersonalText?
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "reason", &reason, "by", &by, "rules", &rules)
        }

        static let name = "baby-care.cancel"
        func boundary(_ state: State) -> Boundary { Boundary(entryIds: [entryId]) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard lifecycle.allows(EntryCancelled.self, in: entry.state) else {
                throw Refusal(
                    "alreadyCancelled",
                    "event is already canceled: the entry '\(entryId)' was cancelled before")
            }
            let cancelled = EntryCancelled(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                previousState: entry.state,
                ended: rules.isOfSource ? entry.endIfCancelled(at: now) : nil,
                reason: reason?.text.map { SealableText($0) }, by: by)
            return [.entryCancelled(cancelled)]
        }
    }
}

extension BabyCare.Entry {
    /// Returns the end that the rules of the original app give a cancelled entry; `nil` if the
    /// entry already has an end.
    fileprivate func endIfCancelled(at now: Instant) -> Instant? {
        guard ended == nil else { return nil }
        return state == .open ? max(now, started) : started
    }
}
