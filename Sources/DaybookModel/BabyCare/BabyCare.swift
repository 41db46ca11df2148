package import Daybook

/// A baby's day: feeds, sleep, diapers, measures, symptoms and medication.
///
/// An entry is opened and later closed, or recorded as a whole. A baby has at most one open entry
/// of each kind. A cancelled entry counts in no report, and restoring the entry brings back its
/// exact earlier state. Only members of the baby's household with a writing role may change
/// entries.
///
/// Source: S4 (records, voice clips, reports, export), and the code of its server if the document
/// says nothing.
package enum BabyCare: Area, Projection {
    package static let name = "baby-care"
    /// Rule sets of the original app, in addition to `standard`.
    package static let rules: [RuleSet] = [.source, .laterSource]
    package static let commands = [
        CommandDescription(Start.self), CommandDescription(Complete.self),
        CommandDescription(RecordEntry.self), CommandDescription(Edit.self),
        CommandDescription(EditOpen.self), CommandDescription(Cancel.self),
        CommandDescription(Restore.self), CommandDescription(EstimateEnd.self),
        CommandDescription(Merge.self), CommandDescription(UndoMerge.self),
        CommandDescription(ParseVoiceClip.self), CommandDescription(ConfirmVoiceClip.self),
        CommandDescription(VoiceClipFailed.self), CommandDescription(ImportRow.self),
        CommandDescription(DataImported.self), CommandDescription(DataExported.self),
        CommandDescription(ReportIssued.self),
    ]
    package static let projections = [
        ProjectionDescription(
            "entry", noun: "entry",
            "One care entry: its times, amounts, and what was done to it", EntryView.self
        ).following("baby", renamedAs: "profile"),
        ProjectionDescription(
            "open-entries", noun: "baby", following: ["entry"],
            "What is going on with a baby now, and since when", OpenEntries.self),
        ProjectionDescription(
            "voice-clip", noun: "clip", "What was heard in a clip, and what became of it",
            VoiceClip.self),
    ]
    /// Life cycles of entries and voice clips.
    package static let machines = [lifecycle.machine, clipLifecycle.machine]
    package static let audits = [
        careAudit,
        AuditDescription(
            "voice-clips", "B15", clipLifecycle, of: VoiceClip.self, noun: "clip", \.status),
    ]
    /// Tags such as `baby:7` name a person, whose texts can be erased.
    package static let people: PersonNouns = ["baby": "baby"]
}
