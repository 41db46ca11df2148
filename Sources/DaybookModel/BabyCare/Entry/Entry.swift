package import Daybook

extension BabyCare {
    /// The state of a care entry, such as a feed, a sleep or a diaper.
    package struct Entry: PlainRecord {
        package var entryId = ""
        package var babyId = ""
        package var kind = Kind.formula
        /// Stage in the life of the entry, such as open or closed.
        package var state = EntryState.none
        package var started = Instant.epoch
        /// End of the entry; `nil` if the entry is open or has no duration.
        package var ended: Instant?
        package var value = Value()
        /// Details without a field in `Value`, by key; names of people are left out.
        package var meta: [String: String] = [:]
        /// True if the entry has a note; the text itself is not part of the state.
        package var hasText = false
        package var source = Source.manual
        package var by: Author?
        /// Times of the first and the last event of the entry, and the numbers of its changes.
        package var history = EntryHistory()
        /// Cancellation of the entry, or its merge into another entry.
        var cancellation = EntryCancellation()
        package var isEstimated = false
        /// Confidence in an estimated end, 0 to 100; `nil` if the end is not an estimate.
        package var confidence: Int64?
        /// Facts of an imported entry that are known from its file alone.
        package var file = FileFacts()
        /// Earlier ids of the entry, oldest first.
        package var formerIds: [String] = []
        /// Name that the app gave the field with the newest note; `nil` means `memo`.
        package var textName: TextName?
        /// Values before each merge into this entry, oldest first; undone merges are removed.
        var merges: [BeforeMerge] = []
        /// Newer id of each replaced entry id, including ids of this entry.
        var newerIds: [String: String] = [:]
        var newerBabyIds: [String: String] = [:]
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("entryId", &entryId)
            try field.unlessBlank("babyId", &babyId)
            // The first event about the entry itself sets the baby and the kind.
            try field("kind", &kind, isSet: !babyId.isEmpty)
            try field("state", &state)
            try field.unlessBlank("startedUs", &started)
            try field("endedUs", &ended, "value", &value)
            // The details may be a person's words, so exports hide them as they hide those of events.
            // Most entries have none, and even an empty dictionary is large to convert.
            var details = meta.isEmpty ? [:] : meta.mapValues { FreeText($0) }
            try field("meta", &details)
            meta = details.isEmpty ? [:] : details.mapValues(\.text)
            try field("hasText", &hasText)
            try field("source", &source, isSet: history.created != .epoch)
            try field("by", &by)
            try field.unlessBlank("createdUs", &history.created)
            try field.unlessBlank("recordedUs", &history.recorded)
            try field.unlessBlank("changedUs", &history.changed)
            try field("offsetS", &history.offsetS, "previousState", &cancellation.previousState)
            try field("cancelledAt", &cancellation.position, "cancelledUs", &cancellation.time)
            try field("mergedInto", &cancellation.mergedInto, "isEstimated", &isEstimated)
            try field("confidence", &confidence, "isImported", &file.isImported)
            try field("origin", &file.origin, "declaredDurationS", &file.declaredDurationS)
            try field("startFlag", &file.startFlag, "endFlag", &file.endFlag)
            try field("revisions", &history.revisionCount, "edits", &history.editCount)
            try field("cancellations", &history.cancellationCount)
            try field("restorations", &history.restorationCount, "formerIds", &formerIds)
            try field("fileLine", &file.line)
            try field.internalField("hasInventedEnd", &cancellation.hasInventedEnd)
            try field.internalField("merges", &merges)
            try field.internalField("replaced", &newerIds)
            try field.internalField("replacedBabies", &newerBabyIds)
            try field.internalField("textName", &textName)
        }
    }
}
