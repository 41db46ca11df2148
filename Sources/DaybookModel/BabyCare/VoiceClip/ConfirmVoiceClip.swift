package import Daybook

extension BabyCare {
    /// A person confirmed entries that were recognised in a voice clip.
    package struct VoiceClipConfirmed: EventPayload, PlainRecord {
        package static let kind: EventKind = "baby-care.voice-clip-confirmed.v1"
        var clipId = ""
        package var babyId = ""
        package var entryIds: [String] = []
        package var by: Author?
        package var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "entryIds", &entryIds, "by", &by)
        }

        package func sentence(_ wording: Wording) -> String {
            "voice clip confirmed: \(entryIds.count.counted("entry", "entries"))"
        }
    }

    /// A recognised entry that a person confirms, with corrections.
    struct ConfirmedEntry: PlainRecord {
        var entryId = ""
        /// Index of the recognised entry among the candidates of the clip, counted from 0.
        var candidateIndex: Int64 = 0
        /// Start of the entry; `nil` means the start of the candidate. If the candidate has no
        /// start either, the entry starts at the time of the command.
        var started: Instant?
        /// End of the entry; `nil` means the end of the candidate.
        var ended: Instant?
        /// Details that the person corrected, by field name.
        var value: [String: Scalar] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("candidate", &candidateIndex, .count)
            try field("startedUs", &started, "endedUs", &ended, "value", &value)
        }
    }

    /// Records as entries those candidates of a voice clip that a person confirms.
    struct ConfirmVoiceClip: CareCommand, PlainRecord {
        var clipId = ""
        /// Candidates to record as entries; the other candidates are dropped.
        var entries: [ConfirmedEntry] = []
        /// False if the subscription plan excludes voice; the command is then refused.
        var isEnabled: Bool?
        var by: Author?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "entries", &entries, "isEnabled", &isEnabled, "by", &by)
        }

        static let name = "baby-care.confirm-voice-clip"

        func boundary(_ state: State) -> Boundary {
            Boundary(entryIds: entries.map(\.entryId), clipId: clipId)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard isEnabled != false else { throw .voiceDisabled }
            guard let clip = state.clips[clipId] else {
                throw Refusal("clipNotFound", "there is no voice clip '\(clipId)'")
            }
            guard clip.status != .failed else {
                throw Refusal(
                    "clipFailed",
                    "no speech was recognised in the voice clip '\(clipId)'; record its words with "
                        + "baby-care.parse-voice-clip first")
            }
            guard clipLifecycle.allows(VoiceClipConfirmed.self, in: clip.status) else {
                throw Refusal(
                    "clipConfirmed", "a person already confirmed the voice clip '\(clipId)'")
            }
            try state.checkMayWrite(by, clip.babyId)
            guard !entries.isEmpty else { throw .nothingToUpdate }
            let ids = entries.map(\.entryId)
            var events: [Event] = [
                .voiceClipConfirmed(
                    VoiceClipConfirmed(clipId: clipId, babyId: clip.babyId, entryIds: ids, by: by))
            ]
            for (index, confirmed) in entries.enumerated() {
                let candidate = try clip.candidate(confirmed.candidateIndex)
                guard !ids[..<index].contains(confirmed.entryId) else {
                    throw .entryExists(confirmed.entryId)
                }
                try state.checkIsNew(confirmed.entryId)
                events.append(.entryRecorded(try recordEvent(confirmed, candidate, clip, now)))
            }
            return events
        }

        /// Returns the event that records a candidate as an entry, with the person's corrections.
        private func recordEvent(
            _ confirmed: ConfirmedEntry, _ candidate: Candidate, _ clip: Clip, _ now: Instant
        ) throws(Refusal) -> EntryRecorded {
            let heard = Entry(kind: candidate.kind, value: candidate.value)
            let corrected = try Details.read(patching: heard, confirmed.value, [:])
            var recorded = EntryRecorded(
                entryId: confirmed.entryId, babyId: clip.babyId, kind: candidate.kind,
                started: confirmed.started ?? candidate.started ?? now,
                ended: confirmed.ended ?? candidate.ended, value: candidate.value,
                meta: Meta(candidate.meta.plainTexts.merging(corrected.meta) { _, new in new }),
                text: corrected.note, source: .voice, entryMode: "voice_confirm", by: by,
                textName: corrected.textName)
            recorded.value.merge(corrected.value)
            if candidate.kind == .sleep, recorded.ended == nil { throw .endRequired }
            try checkTimes(recorded.started, recorded.ended)
            return recorded
        }
    }
}

extension BabyCare.Clip {
    /// Returns the candidate with an index counted from 0; throws a refusal if there is none.
    fileprivate func candidate(_ number: Int64) throws(Refusal) -> BabyCare.Candidate {
        guard let index = Int(exactly: number), candidates.indices.contains(index) else {
            throw Refusal(
                "noCandidate",
                "the voice clip has \(candidates.count) recognised entries; none has the index "
                    + "\(number), counted from 0")
        }
        return candidates[index]
    }
}
