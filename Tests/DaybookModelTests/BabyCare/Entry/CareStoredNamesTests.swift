import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-event-types, s4-entry-sources
/// What stands in logs: a change here needs a new version of the kind, and an upcaster.
@Suite struct CareStoredNamesTests {
    @Test("Kinds and fields stay as they are")
    func kindsAndFieldsStayAsTheyAre() {
        let schema = (Household.events + BabyCare.events).map { event in
            Self.text(event.kind.name, event.fields)
        }
        expect(schema.joined(), equals: Self.kinds)
        let parts = [
            ("value", FieldDescription.fields(of: BabyCare.Value.self)),
            ("origin", FieldDescription.fields(of: BabyCare.Origin.self)),
            ("change", FieldDescription.fields(of: BabyCare.Change.self)),
            ("candidate", FieldDescription.fields(of: BabyCare.Candidate.self)),
            ("rejected", FieldDescription.fields(of: BabyCare.RejectedRow.self)),
        ]
        expect(parts.map { Self.text($0.0, $0.1) }.joined(), equals: Self.parts)
    }

    private static func text(_ name: String, _ fields: [FieldDescription]) -> String {
        ([name] + fields.map { "  \($0.name): \($0.form)" }).map { $0 + "\n" }.joined()
    }

    @Test("Every kind is decided")
    func everyKindIsDecided() {
        let kinds = BabyCare.Event.kinds.map(\.kind)
        expect(Array(kinds.prefix(BabyCare.events.count)), equals: BabyCare.events.map(\.kind))
        let household = Set(
            Household.Event.kinds.map(\.kind) + Household.DeviceOnboarding.Event.kinds.map(\.kind))
        expect(household, equals: Set(Household.events.map(\.kind)))
    }

    @Test("An entry is stored in these bytes")
    func anEntryHasTheseBytes() {
        var recorded = BabyCare.EntryRecorded()
        (recorded.entryId, recorded.babyId, recorded.kind) = ("e", "b", .pee)
        recorded.started = 1
        recorded.value.count = 2
        let event = NewEvent(recorded, occurredAt: Instant(microseconds: 0))
        expect(event.payload, equals: Self.bytes, "\(event.payload)")
        expect(event.tags.map(\.text), equals: ["baby:b", "entry:e", "week:b/1970-W01"])
    }

    /// Written by hand from the order of the fields and the table at `BinaryWriter`.
    private static let bytes: [UInt8] =
        [1, 101, 1, 98]  // "e", "b"
        + [4, 2, 2]  // pee, closed, zigzag of 1
        + [0, 0]  // no end, no declared duration
        + [0, 0, 0, 0, 0, 0, 0, 1, 4]  // of the value only the count: zigzag of 2
        + [0, 0, 0, 0, 0, 0, 0, 0]  // the rest of the value
        + [0, 0, 0, 0]  // no meta, no text, manual, no entry mode
        + [0, 0, 0, 0, 0]  // no user, caregiver, origin, flags

    @Test("Tags stay as they are")
    func tagsStayAsTheyAre() {
        let origin = BabyCare.Origin(
            format: .huckleberry, rowDigest: Digest(bits: 0xAB), cellsDigest: Digest(bits: 1))
        let closed = BabyCare.EntryClosed(
            entryId: "e", babyId: "b", kind: .sleep, started: 0, ended: 0, endSource: .now,
            origin: origin)
        expect(
            closed.tags.map(\.text),
            equals: [
                "baby:b", "entry:e", "slot:open/b/sleep", "row:b/huckleberry/00000000000000ab",
                "week:b/1970-W01",
            ])
        let merged = BabyCare.EntriesMerged(
            keepId: "k", dropIds: ["d"], babyId: "b", kind: .sleep, started: 0)
        expect(
            merged.tags.map(\.text), equals: ["baby:b", "entry:k", "entry:d", "week:b/1970-W01"])
        let issued = BabyCare.ReportIssued(
            babyId: "b", kind: .weekly, period: "2020-W10", zone: "UTC", tzdata: "2025b",
            position: 1, digest: Digest(bits: 0))
        expect(issued.tags.map(\.text), equals: ["baby:b", "report:b/weekly/2020-W10"])
        let replaced = Household.IdReplaced(kind: .careEntry, localId: "l", remoteId: "r")
        expect(replaced.tags.map(\.text), equals: ["entry:l", "entry:r"])
        let onboarded = Household.Onboarded(babyId: "b", householdId: "h")
        expect(onboarded.tags.map(\.text), equals: ["profile:b", "household:h"])
    }

    private static let kinds = """
        household.onboarded.v1
          babyId: text
          householdId: text
          name: personal text?
          birthDate: text?
          sex: one of female, male, unknown, other?
          birthWeightG: integer?
          feedingMethod: one of formula, breastmilk, mixed?
          zone: text?
          by: person?
          formulaBrand: text?
          formulaProduct: text?
          formulaType: text?
          containsStarch: boolean?
          device: text?
          assumed: [text]?
        household.id-replaced.v1
          kind: one of baby, household, album, careEntry
          localId: text
          remoteId: text
        household.consent-changed.v1
          userId: text
          kind: one of terms, privacy, dataProcessing, communityUpload, adTargeting, \
        locationBased, photoShare
          granted: boolean
          version: text
        household.member-role-changed.v1
          householdId: text
          userId: text
          role: one of none, owner, parent, caregiver, familyViewer
          by: person?
        household.baby-profile-changed.v1
          babyId: text
          name: personal text?
          birthDate: text?
          sex: one of female, male, unknown, other?
          weightG: integer?
          feedingMethod: one of formula, breastmilk, mixed?
          zone: text?
          nightFromMin: integer?
          nightToMin: integer?
          dayStartMin: integer?
          weekStart: one of monday, sunday?
          sourceBabyIds: {text}
          by: person?
          formulaBrand: text?
          formulaProduct: text?
          formulaType: text?
          containsStarch: boolean?
        household.profile-restored.v1
          device: text
          babyId: text?
          householdId: text?
          provider: one of kakao, apple, google, test, local?
        household.sync-started.v1
          device: text
          babyId: text
          householdId: text
          userId: text
        household.sync-failed.v1
          device: text
          failure: one of network, timeout, server
          httpStatus: integer?
        household.onboarding-synced.v1
          device: text
          localBabyId: text
          babyId: text
          localHouseholdId: text
          householdId: text
          albumIds: {text}
        baby-care.entry-opened.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          startedUs: integer
          value: object
          meta: {sealable text}
          text: personal text?
          source: one of manual, voice, text, import, assistant
          entryMode: text
          by: person?
          textName: one of note, text, content, message?
        baby-care.entry-closed.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          startedUs: integer
          endedUs: integer
          endSource: one of explicit, now
          value: object
          removed: [text]
          meta: {sealable text}
          text: personal text?
          by: person?
          origin: object?
          endFlag: one of ambiguous, nonexistent?
          fileLine: object?
          textName: one of note, text, content, message?
        baby-care.entry-recorded.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          state: one of none, open, closed, cancelled
          startedUs: integer
          endedUs: integer?
          declaredDurationS: integer?
          value: object
          meta: {sealable text}
          text: personal text?
          source: one of manual, voice, text, import, assistant
          entryMode: text
          by: person?
          caregiver: personal text?
          origin: object?
          startFlag: one of ambiguous, nonexistent?
          endFlag: one of ambiguous, nonexistent?
          fileLine: object?
          textName: one of note, text, content, message?
        baby-care.entry-edited.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          set: object
          prior: object
          text: personal text?
          by: person?
          origin: object?
          fileLine: object?
          textName: one of note, text, content, message?
        baby-care.entry-cancelled.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          previousState: one of none, open, closed, cancelled
          endedUs: integer?
          reason: sealable text?
          by: person?
        baby-care.entry-restored.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          toState: one of none, open, closed, cancelled
          undoOf: integer?
          withinUndoWindow: boolean
          endedUs: integer?
          by: person?
        baby-care.end-estimated.v1
          entryId: text
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          startedUs: integer
          endedUs: integer
          confidence: integer
          basis: one of median14d, median7d, default
          cappedBy: text?
          by: person?
        baby-care.entries-merged.v1
          keepId: text
          dropIds: [text]
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          startedUs: integer
          endedUs: integer?
          by: person?
        baby-care.merge-undone.v1
          keepId: text
          dropIds: [text]
          babyId: text
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          undoOf: integer?
          by: person?
        baby-care.voice-clip-parsed.v1
          clipId: text
          babyId: text
          text: personal text
          language: text
          candidates: [object]
          by: person?
          audio: text?
        baby-care.voice-clip-confirmed.v1
          clipId: text
          babyId: text
          entryIds: [text]
          by: person?
        baby-care.voice-clip-failed.v1
          clipId: text
          babyId: text
          reason: one of noSpeech, unclear, upload, server
          audio: text?
          by: person?
        baby-care.report-issued.v1
          babyId: text
          kind: one of daily, weekly, monthly
          period: text
          zone: text
          tzdata: text
          rules: one of standard, source, source-eab2a79
          position: integer
          digest: digest
          by: person?
          zoneDigest: digest?
        baby-care.data-exported.v1
          babyId: text
          format: one of babyconnect, huckleberry, babybuddy, babyai-csv, nara, babytracker
          fromUs: integer?
          toUs: integer?
          rows: integer
          sha256: digest
          by: person?
        baby-care.data-imported.v1
          babyId: text
          format: one of babyconnect, huckleberry, babybuddy, babyai-csv, nara, babytracker
          sha256: digest
          zone: text
          rows: integer
          accepted: integer
          changed: integer
          duplicates: integer
          rejected: [object]
          by: person?

        """
    private static let parts = """
        value
          amountUl: integer?
          durationS: integer?
          side: one of left, right, both?
          massMg: integer?
          lengthUm: integer?
          headUm: integer?
          milliC: integer?
          count: integer?
          contents: text?
          type: text?
          name: text?
          dose: text?
          method: text?
          isNap: boolean?
          original: text?
          originalUnit: text?
        origin
          format: one of babyconnect, huckleberry, babybuddy, babyai-csv, nara, babytracker
          row: digest
          cells: digest
        change
          startedUs: integer?
          endedUs: integer?
          declaredDurationS: integer?
          value: object?
          meta: {sealable text}?
        candidate
          kind: one of formula, breastfeed, weaning, sleep, pee, poo, growth, memo, symptom, \
        medication, dry
          startedUs: integer?
          endedUs: integer?
          value: object
          meta: {sealable text}
        rejected
          row: integer
          reason: text

        """
}
