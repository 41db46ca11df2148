package import Daybook

extension BabyCare {
    /// A cancelled entry was restored.
    package struct EntryRestored: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entry-restored.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        /// State of the entry after the restoration, open or closed.
        var toState = EntryState.closed
        /// Position in the log of the cancellation that is undone.
        var undoOf: Int64?
        /// True if the app still offered to undo the deletion, at most five seconds after it.
        var isWithinUndoWindow = false
        /// End that the rules of the original app give an entry without a recorded end; else `nil`.
        package var ended: Instant?
        package var by: Author?
        package var tags: [Tag] { slotTags(babyId, entryId, kind) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "toState", &toState)
            try field("undoOf", &undoOf, .position)
            try field("withinUndoWindow", &isWithinUndoWindow, "endedUs", &ended, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "\(kind.name) restored", toState == .open ? "in progress again" : nil,
                ended.map { "ended at \(wording.time($0))" })
        }
    }

    /// Restores a cancelled entry to its state before the cancellation.
    struct Restore: CareCommand, PlainRecord {
        var entryId = ""
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "by", &by, "rules", &rules)
        }

        static let name = "baby-care.restore"

        /// Microseconds after a deletion during which the app offers to undo it. Source: S4's
        /// snackbar, 5 s.
        private static let undoWindowUs: Int64 = 5_000_000

        func boundary(_ state: State) -> Boundary {
            Boundary(entryIds: [entryId], openedKind: state.entry(entryId)?.kind)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let entry = try state.entry(entryId, for: by)
            guard lifecycle.allows(EntryRestored.self, in: entry.state) else {
                throw .notCancelled(entryId)
            }
            if let into = entry.cancellation.mergedInto { throw .mergedAway(entryId, into: into) }
            let toState = rules.isOfSource ? .closed : entry.cancellation.previousState ?? .closed
            if toState == .open, !entry.file.isImported {
                try state.checkHasNoOpenEntry(of: entry.kind)
            }
            let revives = toState == .closed && (entry.ended == nil || rules.isOfSource)
            let elapsedUs = now.microseconds(since: entry.cancellation.time ?? .epoch)
            let restored = EntryRestored(
                entryId: entry.entryId, babyId: entry.babyId, kind: entry.kind,
                toState: toState, undoOf: entry.cancellation.position,
                isWithinUndoWindow: (0...Self.undoWindowUs).contains(elapsedUs),
                ended: revives ? entry.inventedEnd : nil, by: by)
            return [.entryRestored(restored)]
        }
    }
}

extension BabyCare.Entry {
    /// End that the rules of the original app give an entry cancelled without an end; else `nil`.
    var inventedEnd: Instant? {
        if cancellation.hasInventedEnd { return ended }
        guard cancellation.previousState == .open else { return nil }
        return max(cancellation.time ?? started, started)
    }
}
