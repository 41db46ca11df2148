public import Daybook

extension BabyCare {
    /// An entry was recorded as a whole, with its times and details.
    public struct EntryRecorded: EventPayload {
        public static let kind: EventKind = "baby-care.entry-recorded.v1"
        public var entryId = ""
        public var babyId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        public var kind = Kind.formula
        /// State of the entry; `open` only for an imported entry without a recorded end.
        public var state = EntryState.closed
        public var started = Instant.epoch
        /// End of the entry; `nil` if the entry has no recorded end.
        public var ended: Instant?
        /// Length that a file declares, in seconds; an audit compares it with the times.
        public var declaredDurationS: Int64?
        /// Amounts and other details of the entry, in fixed units.
        public var value = Value()
        /// Further details, by key, that have no field in `Value`.
        public var meta: Meta = [:]
        /// Note about the entry.
        public var text: PersonalText?
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        public var source = Source.manual
        /// Form or flow of the app in which the entry was recorded, such as `manual_form`.
        public var entryMode = ""
        /// User who caused the event, if known.
        public var by: Author?
        /// Person who recorded the entry, as an imported file names the person.
        public var caregiver: PersonalText?
        /// Row of the file from which the entry was imported; `nil` without an import.
        public var origin: Origin?
        /// Problem with the local start time: the clocks skipped it or showed it twice; else `nil`.
        public var startFlag: TimeFlag?
        /// Problem with the local end time: the clocks skipped it or showed it twice; else `nil`.
        public var endFlag: TimeFlag?
        /// Line of the imported file that states this event; `nil` without an import.
        public var fileLine: FileLine?
        /// Name that the app gave the field with the note, such as `content`; `nil` means `memo`.
        public var textName: TextName?
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(babyId), entryTag(entryId)] + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta, "text", &text, "source", &source)
            try field("entryMode", &entryMode, "by", &by, "caregiver", &caregiver)
            try field("origin", &origin, "startFlag", &startFlag, "endFlag", &endFlag)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }
    }

    /// Records an entry as a whole, with its times and details.
    public struct RecordEntry: CareCommand {
        public var entryId = ""
        public var babyId = ""
        /// Kind of the entry as an app writes it, in any letter case.
        public var kind = ""
        public var started = Instant.epoch
        public var ended: Instant?
        /// Details by field name; the names and units of several apps are accepted.
        public var value: [String: Scalar] = [:]
        /// Further details by key, stored as the app sent them.
        public var meta: [String: Scalar] = [:]
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        public var source = Source.manual
        /// User who gives the command, if known.
        public var by: Author?
        /// Rule set that the decision follows: Daybook's own rules or those of the original app.
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended, "value", &value, "meta", &meta)
            try field("source", &source, "by", &by, "rules", &rules)
        }

        public static let name = "baby-care.record"

        public func boundary(_ state: State) -> Boundary {
            Boundary(entryIds: [entryId], babyId: babyId)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let details = try Details.read(kind, value, meta, rules)
            try state.checkMayWrite(by, babyId)
            try state.checkIsNew(entryId)
            if details.kind == .sleep, ended == nil { throw .endRequired }
            try checkTimes(started, ended)
            let recorded = EntryRecorded(
                entryId: entryId, babyId: babyId, kind: details.kind, started: started,
                ended: ended, value: details.value, meta: Meta(details.meta),
                text: details.note, source: source, entryMode: "manual_form", by: by,
                textName: details.textName)
            return [.entryRecorded(recorded)]
        }
    }
}
