public import Daybook

extension BabyCare {
    /// A cancelled entry was restored.
    public struct EntryRestored: EventPayload {
        public static let kind: EventKind = "baby-care.entry-restored.v1"
        public var entryId = ""
        public var babyId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        public var kind = Kind.formula
        /// State of the entry after the restoration, open or closed.
        public var toState = EntryState.closed
        /// Position in the log of the cancellation that is undone.
        public var undoOf: Int64?
        /// True if the app still offered to undo the deletion, at most five seconds after it.
        public var isWithinUndoWindow = false
        /// End that the rules of the original app give an entry without a recorded end; else `nil`.
        public var ended: Instant?
        /// User who caused the event, if known.
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { slotTags(babyId, entryId, kind) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "toState", &toState)
            try field("undoOf", &undoOf, .position)
            try field("withinUndoWindow", &isWithinUndoWindow, "endedUs", &ended, "by", &by)
        }
    }

    /// Restores a cancelled entry to its state before the cancellation.
    public struct Restore: CareCommand {
        public var entryId = ""
        /// User who gives the command, if known.
        public var by: Author?
        /// Rule set that the decision follows: Daybook's own rules or those of the original app.
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "by", &by, "rules", &rules)
        }

        public static let name = "baby-care.restore"

        /// Microseconds after a deletion during which the app offers to undo it.
        ///
        /// Source: S4's snackbar, 5 s.
        private static let undoWindowUs: Int64 = 5_000_000

        public func boundary(_ state: State) -> Boundary {
            Boundary(entryIds: [entryId], openedKind: state.entry(entryId)?.kind)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard lifecycle.allows(EntryRestored.self, in: entry.state) else {
                throw .notCancelled(entryId)
            }
            if let into = entry.mergedInto { throw .mergedAway(entryId, into: into) }
            let toState = rules.isOfSource ? .closed : entry.previousState ?? .closed
            if toState == .open, !entry.isImported { try state.checkHasNoOpenEntry(of: entry.kind) }
            let revives = toState == .closed && (entry.ended == nil || rules.isOfSource)
            let elapsedUs = now.microseconds(since: entry.cancelled ?? .epoch)
            let restored = EntryRestored(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                toState: toState, undoOf: entry.cancelPosition,
                isWithinUndoWindow: (0...Self.undoWindowUs).contains(elapsedUs),
                ended: revives ? entry.inventedEnd : nil, by: by)
            return [.entryRestored(restored)]
        }
    }
}

extension BabyCare.Entry {
    /// End that the rules of the original app give an entry cancelled without an end; else `nil`.
    var inventedEnd: Instant? {
        if hasInventedEnd { return ended }
        guard previousState == .open else { return nil }
        return max(cancelled ?? started, started)
    }
}
