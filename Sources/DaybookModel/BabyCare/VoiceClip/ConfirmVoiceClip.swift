public import Daybook

extension BabyCare {
    /// A person confirmed candidates of a clip as entries.
    public struct VoiceClipConfirmed: EventPayload {
        public static let kind: EventKind = "baby-care.voice-clip-confirmed.v1"
        public var clipId = ""
        public var babyId = ""
        public var entryIds: [String] = []
        public var by: Author?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(babyId), clipTag(clipId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "babyId", &babyId, "entryIds", &entryIds, "by", &by)
        }
    }

    /// A candidate that a person confirms.
    public struct ConfirmedEntry: Record {
        public var entryId = ""
        /// Index of the candidate in the clip, from 0.
        public var candidate: Int64 = 0
        /// Start of the entry; `nil` means that of the candidate, else the time of the command.
        public var started: Instant?
        public var ended: Instant?
        /// Details that the person corrected.
        public var value: [String: Scalar] = [:]
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId)
            try field("candidate", &candidate, .count)
            try field("startedUs", &started, "endedUs", &ended)
            try field("value", &value)
        }
    }

    /// Records candidates of a clip as entries.
    public struct ConfirmVoiceClip: CareCommand {
        public var clipId = ""
        public var entries: [ConfirmedEntry] = []
        public var isEnabled: Bool?
        public var by: Author?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("clipId", &clipId, "entries", &entries, "isEnabled", &isEnabled, "by", &by)
        }

        public static let name = "baby-care.confirm-voice-clip"

        public func boundary(_ state: State) -> Boundary {
            Boundary(entries: entries.map(\.entryId), clip: clipId)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard isEnabled != false else { throw .voiceDisabled }
            guard let clip = state.clips[clipId] else {
                throw Refusal("clipNotFound", "there is no clip '\(clipId)'")
            }
            guard clip.status != .failed else {
                throw Refusal("clipFailed", "nothing was heard in the clip '\(clipId)'")
            }
            guard clipLifecycle.allows(VoiceClipConfirmed.self, in: clip.status) else {
                throw Refusal("clipConfirmed", "the clip '\(clipId)' was confirmed before")
            }
            try state.checkMayWrite(by, clip.babyId)
            guard !entries.isEmpty else { throw .nothingToUpdate }
            let ids = entries.map(\.entryId)
            var events: [Event] = [
                .voiceClipConfirmed(
                    VoiceClipConfirmed(
                        clipId: clipId, babyId: clip.babyId, entryIds: ids, by: by))
            ]
            for (index, confirmed) in entries.enumerated() {
                let candidate = try clip.candidate(confirmed.candidate)
                guard !ids[..<index].contains(confirmed.entryId) else {
                    throw .entryExists(confirmed.entryId)
                }
                try state.checkIsNew(confirmed.entryId)
                events.append(.entryRecorded(try record(confirmed, candidate, clip, now)))
            }
            return events
        }

        private func record(
            _ confirmed: ConfirmedEntry, _ candidate: Candidate, _ clip: Clip, _ now: Instant
        ) throws(Refusal) -> EntryRecorded {
            let heard = Entry(kind: candidate.kind, value: candidate.value)
            let corrected = try Details.read(patching: heard, confirmed.value, [:])
            var recorded = EntryRecorded(
                entryId: confirmed.entryId, babyId: clip.babyId, kind: candidate.kind,
                started: confirmed.started ?? candidate.started ?? now,
                ended: confirmed.ended ?? candidate.ended, value: candidate.value,
                meta: Meta(candidate.meta.words.merging(corrected.meta) { _, new in new }),
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
    fileprivate func candidate(_ number: Int64) throws(Refusal) -> BabyCare.Candidate {
        guard let index = Int(exactly: number), candidates.indices.contains(index) else {
            throw Refusal("noCandidate", "the clip has no candidate \(number)")
        }
        return candidates[index]
    }
}
