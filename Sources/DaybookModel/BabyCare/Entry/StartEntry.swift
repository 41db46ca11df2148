package import Daybook

extension BabyCare {
    /// An entry was opened: a sleep, a feed or another lasting activity started.
    package struct EntryOpened: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entry-opened.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        package var started = Instant.epoch
        package var value = Value()
        package var meta: Meta = [:]
        package var text: PersonalText?
        package var source = Source.manual
        /// Form or flow of the app in which the entry was recorded, such as `manual_start`.
        var entryMode = ""
        package var by: Author?
        package var textName: TextName?
        package var tags: [Tag] { slotTags(babyId, entryId, kind) + weekTags(babyId, started, nil) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "startedUs", &started)
            try field("value", &value, "meta", &meta, "text", &text, "source", &source)
            try field("entryMode", &entryMode, "by", &by)
            try field.addedField("textName", &textName)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "\(kind.name) started" + wording.at(started),
                value.details(meta) + [wording.quoted(text)])
        }
    }

    /// Opens an entry for an activity that lasts, such as a sleep.
    struct Start: CareCommand, PlainRecord {
        var entryId = ""
        var babyId = ""
        /// Kind of the entry as an app writes it, in any letter case: `SLEEP`, `sleep`.
        var kind = ""
        /// Start of the entry; `nil` means the time of the command.
        var started: Instant?
        var value: [String: Scalar] = [:]
        var meta: [String: Scalar] = [:]
        var source = Source.manual
        var by: Author?
        /// True to close an open entry of the same kind first, with an estimated end.
        var closesOpenEntry: Bool?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "startedUs", &started)
            try field("value", &value, "meta", &meta, "source", &source, "by", &by)
            try field("estimate", &closesOpenEntry, "rules", &rules)
        }

        static let name = "baby-care.start"

        /// Kind of the entry that the command opens; `nil` if the kind or a detail is unreadable.
        private var openedKind: Kind? {
            do throws(UnreadableDetail) {
                return try Details(kind: kind, value: value, meta: meta).kind
            } catch {
                return nil
            }
        }

        func boundary(_ state: State) -> Boundary {
            Boundary(
                entryIds: [entryId], babyId: babyId, openedKind: openedKind,
                entryToEstimate: closesOpenEntry == true ? openedKind.flatMap(state.openEntry) : nil
            )
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try decide(state, in: CommandContext(now: now))
        }

        func decide(_ state: State, in context: CommandContext) throws(Refusal) -> [Event] {
            let details = try Details.read(kind, value, meta, rules)
            try state.checkMayWrite(by, babyId)
            guard details.kind.isStartable else {
                throw Refusal(
                    "notStartable",
                    "type does not support start/complete flow: an entry of kind "
                        + "\(details.kind.name) is recorded as a whole, with baby-care.record")
            }
            try state.checkIsNew(entryId)
            let started = started ?? context.now
            try checkTimes(started, nil)
            let opened = Event.entryOpened(
                EntryOpened(
                    entryId: entryId, babyId: babyId, kind: details.kind, started: started,
                    value: details.value, meta: Meta(details.meta), text: details.note,
                    source: source, entryMode: "manual_start", by: by, textName: details.textName))
            guard let occupant = state.openEntry(of: details.kind) else { return [opened] }
            guard closesOpenEntry == true, started > occupant.started else {
                throw .openEntryExists(occupant)
            }
            let zone = state.zone(in: context)
            let end = Estimate.end(of: occupant, before: started, among: state.entries.values) {
                state.isNight($0, in: zone)
            }
            return [.endEstimated(EndEstimated(occupant, end, cappedBy: entryId, by: by)), opened]
        }
    }
}
