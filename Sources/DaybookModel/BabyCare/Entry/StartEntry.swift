public import Daybook

extension BabyCare {
    /// An entry was opened: a sleep, a feed or another lasting activity started.
    public struct EntryOpened: EventPayload {
        public static let kind: EventKind = "baby-care.entry-opened.v1"
        public var entryId = ""
        public var babyId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        public var kind = Kind.formula
        public var started = Instant.epoch
        /// Amounts and other details of the entry, in fixed units.
        public var value = Value()
        /// Further details, by key, that have no field in `Value`.
        public var meta: Meta = [:]
        /// Note about the entry.
        public var text: PersonalText?
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        public var source = Source.manual
        /// Form or flow of the app in which the entry was recorded, such as `manual_start`.
        public var entryMode = ""
        /// User who caused the event, if known.
        public var by: Author?
        /// Name that the app gave the field with the note, such as `content`; `nil` means `memo`.
        public var textName: TextName?
        public static var blank: Self { Self() }
        public var tags: [Tag] { slotTags(babyId, entryId, kind) + weekTags(babyId, started, nil) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "startedUs", &started)
            try field("value", &value, "meta", &meta, "text", &text, "source", &source)
            try field("entryMode", &entryMode, "by", &by)
            try field.addedField("textName", &textName)
        }
    }

    /// Opens an entry for an activity that lasts, such as a sleep.
    public struct Start: CareCommand {
        public var entryId = ""
        public var babyId = ""
        /// Kind of the entry as an app writes it, in any letter case: `SLEEP`, `sleep`.
        public var kind = ""
        /// Start of the entry; `nil` means the time of the command.
        public var started: Instant?
        /// Details by field name; the names and units of several apps are accepted.
        public var value: [String: Scalar] = [:]
        /// Further details by key, stored as the app sent them.
        public var meta: [String: Scalar] = [:]
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        public var source = Source.manual
        /// User who gives the command, if known.
        public var by: Author?
        /// True to close an open entry of the same kind first, with an estimated end.
        public var closesOpenEntry: Bool?
        /// Rule set that the decision follows: Daybook's own rules or those of the original app.
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "startedUs", &started)
            try field("value", &value, "meta", &meta, "source", &source, "by", &by)
            try field("estimate", &closesOpenEntry, "rules", &rules)
        }

        public static let name = "baby-care.start"

        /// Kind of the entry that the command opens; `nil` if the kind or a detail is unreadable.
        private var openedKind: Kind? {
            do throws(UnreadableDetail) {
                return try Details(kind: kind, value: value, meta: meta).kind
            } catch {
                return nil
            }
        }

        public func boundary(_ state: State) -> Boundary {
            Boundary(
                entryIds: [entryId], babyId: babyId, openedKind: openedKind,
                entryToEstimate: closesOpenEntry == true ? openedKind.flatMap(state.openEntry) : nil
            )
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            try decide(state, in: CommandContext(now: now))
        }

        public func decide(
            _ state: State, in context: CommandContext
        ) throws(Refusal) -> [Event] {
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
                    source: source, entryMode: "manual_start", by: by,
                    textName: details.textName))
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
