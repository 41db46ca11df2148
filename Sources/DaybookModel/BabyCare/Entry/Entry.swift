package import Daybook

extension BabyCare {
    /// The state of a care entry, such as a feed, a sleep or a diaper.
    package struct Entry: Record {
        package var entryId = ""
        package var babyId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        package var kind = Kind.formula
        /// Stage in the life of the entry, such as open or closed.
        package var state = EntryState.none
        package var started = Instant.epoch
        /// End of the entry; `nil` if the entry is open or has no duration.
        package var ended: Instant?
        /// Amounts and other details of the entry, in fixed units.
        package var value = Value()
        /// Details without a field in `Value`, by key; names of people are left out.
        package var meta: [String: String] = [:]
        /// True if the entry has a note; the text itself is not part of the state.
        package var hasText = false
        /// Way in which the entry was recorded: by hand, voice, text, import or assistant.
        package var source = Source.manual
        /// User who recorded the entry, if known.
        package var by: Author?
        /// Time of the first event of the entry, by the device's clock.
        package var created = Instant.epoch
        /// Recording time of the first event of the entry.
        package var recorded = Instant.epoch
        /// Recording time of the last event of the entry.
        package var changed = Instant.epoch
        /// Offset from UTC, in seconds east, of the device that recorded the entry.
        package var offsetS: Int64 = 0
        /// State before the entry was cancelled; `nil` unless it is cancelled.
        var previousState: EntryState?
        /// Position in the log of the cancellation, or of the merge into another entry; else `nil`.
        var cancelPosition: Int64?
        /// Time of the cancellation, or of the merge into another entry, by the device's clock.
        package var cancelled: Instant?
        /// Id of the entry that this entry was merged into; `nil` if it was not merged.
        var mergedInto: String?
        /// True if the end is an estimate.
        package var isEstimated = false
        /// Confidence in an estimated end, 0 to 100; `nil` if the end is not an estimate.
        package var confidence: Int64?
        /// True if the entry comes from a file; it then never prevents the start of another entry.
        package var isImported = false
        /// Row of the file from which the entry was last imported; `nil` without an import.
        package var origin: Origin?
        /// Line of the file from which the entry was last imported; `nil` without an import.
        package var fileLine: FileLine?
        /// Length that an imported file declares, in seconds; `nil` if none is declared.
        package var declaredDurationS: Int64?
        /// Problem with the local start time: the clocks skipped it or showed it twice; else `nil`.
        package var startFlag: TimeFlag?
        /// Problem with the local end time: the clocks skipped it or showed it twice; else `nil`.
        package var endFlag: TimeFlag?
        /// Number of events that changed the entry, including its first event.
        var revisionCount: Int64 = 0
        /// Number of corrections of the entry.
        var editCount: Int64 = 0
        /// Number of times that the entry was cancelled.
        var cancellationCount: Int64 = 0
        /// Number of times that the entry was restored after a cancellation.
        var restorationCount: Int64 = 0
        /// Earlier ids of the entry, oldest first.
        package var formerIds: [String] = []
        /// Name that the app gave the field with the newest note; `nil` means `memo`.
        package var textName: TextName?
        /// True if the end was set by the cancellation, as in the original app, and never recorded.
        var hasInventedEnd = false
        /// Values before each merge into this entry, oldest first; undone merges are removed.
        var merges: [BeforeMerge] = []
        /// Newer id of each replaced entry id, including ids of this entry.
        var newerIds: [String: String] = [:]
        /// Newer id of each replaced baby id.
        var newerBabyIds: [String: String] = [:]
        package static var blank: Self { Self() }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("entryId", &entryId)
            try field.unlessBlank("babyId", &babyId)
            // The first event about the entry itself sets the baby and the kind.
            try field("kind", &kind, isSet: !babyId.isEmpty)
            try field("state", &state)
            try field.unlessBlank("startedUs", &started)
            try field("endedUs", &ended, "value", &value)
            // The details may be a person's words, so exports hide them as they hide those of events.
            var details = meta.mapValues { FreeText($0) }
            try field("meta", &details)
            meta = details.mapValues(\.text)
            try field("hasText", &hasText)
            try field("source", &source, isSet: created != .epoch)
            try field("by", &by)
            try field.unlessBlank("createdUs", &created)
            try field.unlessBlank("recordedUs", &recorded)
            try field.unlessBlank("changedUs", &changed)
            try field("offsetS", &offsetS)
            try field("previousState", &previousState, "cancelledAt", &cancelPosition)
            try field("cancelledUs", &cancelled, "mergedInto", &mergedInto)
            try field("isEstimated", &isEstimated, "confidence", &confidence)
            try field("isImported", &isImported, "origin", &origin)
            try field("declaredDurationS", &declaredDurationS, "startFlag", &startFlag)
            try field("endFlag", &endFlag, "revisions", &revisionCount, "edits", &editCount)
            try field("cancellations", &cancellationCount, "restorations", &restorationCount)
            try field("formerIds", &formerIds, "fileLine", &fileLine)
            try field.internalField("hasInventedEnd", &hasInventedEnd)
            try field.internalField("merges", &merges)
            try field.internalField("replaced", &newerIds)
            try field.internalField("replacedBabies", &newerBabyIds)
            try field.internalField("textName", &textName)
        }
    }
}
