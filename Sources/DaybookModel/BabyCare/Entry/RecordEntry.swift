package import Daybook

extension BabyCare {
    /// An entry was recorded as a whole, with its times and details.
    package struct EntryRecorded: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.entry-recorded.v1"
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        /// State of the entry; `open` only for an imported entry without a recorded end.
        package var state = EntryState.closed
        package var started = Instant.epoch
        /// End of the entry; `nil` if the entry has no recorded end.
        package var ended: Instant?
        /// Length that a file declares, in seconds; an audit compares it with the times.
        package var declaredDurationS: Int64?
        /// Amounts and other details of the entry, in fixed units.
        package var value = Value()
        package var meta: Meta = [:]
        package var text: PersonalText?
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        package var source = Source.manual
        /// Form or flow of the app in which the entry was recorded, such as `manual_form`.
        var entryMode = ""
        package var by: Author?
        /// Person who recorded the entry, as an imported file names the person.
        package var caregiver: PersonalText?
        /// Row of the file from which the entry was imported; `nil` without an import.
        package var origin: Origin?
        /// Problem with the local start time: the clocks skipped it or showed it twice; else `nil`.
        package var startFlag: TimeFlag?
        package var endFlag: TimeFlag?
        package var fileLine: FileLine?
        package var textName: TextName?
        package var tags: [Tag] {
            [tag(babyId), entryTag(entryId)] + rowTags(babyId, origin)
                + weekTags(babyId, started, ended)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended)
            try field("declaredDurationS", &declaredDurationS, .spanS)
            try field("value", &value, "meta", &meta, "text", &text, "source", &source)
            try field("entryMode", &entryMode, "by", &by, "caregiver", &caregiver)
            try field("origin", &origin, "startFlag", &startFlag, "endFlag", &endFlag)
            try field.addedField("fileLine", &fileLine)
            try field.addedField("textName", &textName)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.entry(
                kind, started, ended, value, meta, wording.quoted(text),
                state == .open ? "in progress" : nil, wording.name(caregiver).map { "by \($0)" })
        }
    }

    /// Records an entry as a whole, with its times and details.
    struct RecordEntry: CareCommand, PlainRecord {
        var entryId = ""
        var babyId = ""
        /// Kind of the entry as an app writes it, in any letter case.
        var kind = ""
        var started = Instant.epoch
        var ended: Instant?
        var value: [String: Scalar] = [:]
        var meta: [String: Scalar] = [:]
        var source = Source.manual
        var by: Author?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "babyId", &babyId, "kind", &kind)
            try field("startedUs", &started, "endedUs", &ended, "value", &value, "meta", &meta)
            try field("source", &source, "by", &by, "rules", &rules)
        }

        static let name = "baby-care.record"
        func boundary(_ state: State) -> Boundary { Boundary(entryIds: [entryId], babyId: babyId) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let details = try Details.read(kind, value, meta, rules)
            try state.checkMayWrite(by, babyId)
            try state.checkIsNew(entryId)
            if details.kind == .sleep, ended == nil { throw .endRequired }
            try checkTimes(started, ended)
            let recorded = EntryRecorded(
                entryId: entryId, babyId: babyId, kind: details.kind, started: started,
                ended: ended, value: details.value, meta: Meta(details.meta), text: details.note,
                source: source, entryMode: "manual_form", by: by, textName: details.textName)
            return [.entryRecorded(recorded)]
        }
    }
}
