import CivilTime
import EventSourcing

extension BabyCare {
    static func parse(_ body: ParseVoiceClip, _ state: State) throws(Refusal) -> [Event] {
        guard body.isEnabled != false else { throw .voiceDisabled }
        try mayWrite(body.by, body.babyId, state)
        guard state.clips[body.clipId] == nil else { throw .clipExists(body.clipId) }
        var candidates: [Candidate] = []
        for parsed in body.candidates {
            let details = try details(parsed.kind, parsed.value, parsed.meta)
            candidates.append(
                Candidate(
                    kind: details.kind, startedUs: parsed.startedUs, endedUs: parsed.endedUs,
                    value: details.value, meta: details.meta))
        }
        return [
            .voiceClipParsed(
                VoiceClipParsed(
                    clipId: body.clipId, babyId: body.babyId, text: body.text,
                    language: body.language, candidates: candidates, by: body.by))
        ]
    }

    static func confirm(
        _ body: ConfirmVoiceClip, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard body.isEnabled != false else { throw .voiceDisabled }
        guard let clip = state.clips[body.clipId] else { throw .clipNotFound(body.clipId) }
        guard !clip.isConfirmed else { throw .clipConfirmed(body.clipId) }
        try mayWrite(body.by, clip.babyId, state)
        guard !body.entries.isEmpty else { throw .nothingToUpdate }
        var events: [Event] = [
            .voiceClipConfirmed(
                VoiceClipConfirmed(
                    clipId: body.clipId, babyId: clip.babyId,
                    entryIds: body.entries.map(\.entryId), by: body.by))
        ]
        var ids: Set<String> = []
        for confirmed in body.entries {
            guard let index = Int(exactly: confirmed.candidate),
                clip.candidates.indices.contains(index)
            else { throw .noCandidate(confirmed.candidate) }
            guard state.entry(confirmed.entryId) == nil, ids.insert(confirmed.entryId).inserted
            else { throw .entryExists(confirmed.entryId) }
            let candidate = clip.candidates[index]
            let corrected = try details(
                candidate.kind, confirmed.value, [:], over: candidate.value)
            var recorded = EntryRecorded()
            recorded.entryId = confirmed.entryId
            recorded.babyId = clip.babyId
            recorded.kind = candidate.kind
            recorded.startedUs = confirmed.startedUs ?? candidate.startedUs ?? now.microseconds
            recorded.endedUs = confirmed.endedUs ?? candidate.endedUs
            if candidate.kind == .sleep, recorded.endedUs == nil { throw .endRequired }
            try checkTimes(recorded.startedUs, recorded.endedUs)
            recorded.value = candidate.value
            recorded.value.merge(corrected.value)
            recorded.meta = Meta(candidate.meta.words.merging(corrected.meta) { _, new in new })
            recorded.text = corrected.text.map { PersonalText($0) }
            recorded.source = .voice
            recorded.entryMode = "voice_confirm"
            recorded.by = body.by
            events.append(.entryRecorded(recorded))
        }
        return events
    }
}
