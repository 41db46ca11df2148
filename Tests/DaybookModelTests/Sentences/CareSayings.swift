import Daybook

@testable import DaybookModel

extension BabyCare {
    private static let two = Saying.seoul("14:00")

    private static func value(_ change: (inout Value) -> Void) -> Value {
        var value = Value()
        change(&value)
        return value
    }

    private static let bottle = value { $0.amountUl = 180_000 }

    static let sayings = entries + edits + others

    private static let entries: [Saying] = [
        Saying(
            EntryRecorded(kind: .formula, started: two, value: bottle), "formula 180 ml"),
        Saying(
            EntryRecorded(
                kind: .formula, started: Saying.seoul("13:30"), ended: Saying.seoul("13:45"),
                value: value { $0.amountUl = 133_081 }, text: PersonalText("drank\nall of it")),
            #"formula 133.1 ml, 13:30–13:45, "drank all of it""#),
        Saying(
            EntryRecorded(
                kind: .breastfeed, started: two,
                value: value {
                    $0.side = .left
                    $0.durationS = 900
                }), "breastfeed 15 min, left"),
        Saying(
            EntryRecorded(
                kind: .growth, started: Saying.seoul("09:00"),
                value: value {
                    $0.massMg = 6_500_000
                    $0.lengthUm = 625_000
                    $0.headUm = 410_000
                }), "growth 6.5 kg, 62.5 cm, head 41 cm, at 09:00"),
        Saying(
            EntryRecorded(
                kind: .symptom, started: two,
                value: value {
                    $0.name = "fever"
                    $0.milliC = 38_500
                    $0.method = "ear"
                }), "symptom fever, 38.5 °C, ear"),
        Saying(
            EntryRecorded(
                kind: .medication, started: two,
                value: value {
                    $0.name = "Tylenol"
                    $0.dose = "80 mg"
                }), "medication Tylenol, 80 mg"),
        Saying(
            EntryRecorded(
                kind: .sleep, state: .open, started: two, caregiver: PersonalText("Mom")),
            "sleep in progress, by Mom"),
        Saying(
            EntryRecorded(kind: .pee, started: Saying.seoul("23:50", day: 2)),
            "pee at 2026-03-02 23:50"),
        Saying(
            EntryRecorded(
                kind: .memo, started: two, meta: ["activity": "bath", "internal": "x"]), "memo bath"
        ),
        Saying(EntryOpened(kind: .sleep, started: two), "sleep started"),
        Saying(
            EntryOpened(kind: .sleep, started: Saying.seoul("13:50")), "sleep started at 13:50"),
        Saying(
            EntryClosed(
                kind: .sleep, started: Saying.seoul("20:35", day: 2), ended: Saying.seoul("05:45"),
                value: value { $0.isNap = false }), "sleep 20:35–05:45, night"),
    ]

    private static let edits: [Saying] = [
        Saying(
            EntryEdited(
                kind: .formula, set: Change(value: bottle),
                prior: Change(started: two, value: value { $0.amountUl = 236_000 })),
            "formula 180 ml, was 236 ml"),
        Saying(
            EntryEdited(
                kind: .sleep, set: Change(ended: Saying.seoul("05:45")),
                prior: Change(
                    started: Saying.seoul("20:35", day: 2), ended: Saying.seoul("05:30"))),
            "sleep 20:35–05:45, was 20:35–05:30"),
        Saying(
            EntryEdited(
                kind: .breastfeed,
                set: Change(
                    value: value { $0.side = .left }),
                prior: Change(started: two, value: value { $0.durationS = 600 }),
                text: PersonalText("tired")),
            #"breastfeed now left; no longer 10 min; note "tired""#),
        Saying(EntryEdited(kind: .poo, prior: Change(started: two)), "poo: nothing changed"),
        Saying(
            EntryEdited(kind: .memo, set: Change(meta: ["activity": "walk"])), "memo other details"),
    ]

    private static let others: [Saying] = [
        Saying(
            EntryCancelled(kind: .formula, reason: SealableText("twice")),
            #"formula cancelled: "twice""#),
        Saying(EntryRestored(kind: .sleep, toState: .open), "sleep restored: in progress again"),
        Saying(
            EndEstimated(
                kind: .sleep, started: Saying.seoul("12:00"), ended: Saying.seoul("13:30"),
                confidence: 70, basis: .median14d),
            "sleep 12:00–13:30, end estimated from the median of 14 days, 70 % sure"),
        Saying(
            EntriesMerged(
                dropIds: ["e2"], kind: .sleep, started: Saying.seoul("12:00"),
                ended: Saying.seoul("13:30")), "2 entries merged into one: sleep 12:00–13:30"),
        Saying(
            MergeUndone(dropIds: ["e2", "e3"], kind: .sleep),
            "sleep: merge of 3 entries undone"),
        Saying(
            DataImported(
                format: .huckleberry, zone: "Asia/Seoul", rowCount: 12, acceptedCount: 9,
                changedCount: 1, duplicateCount: 1,
                rejectedRows: [RejectedRow(row: 3, reason: "unreadableTime")]),
            "huckleberry file imported: 9 of 12 rows new, 1 changed, 1 known before, 1 rejected, "
                + "Asia/Seoul"),
        Saying(
            DataExported(format: .babyBuddy, from: Saying.seoul("00:00", day: 1), rowCount: 1),
            "babybuddy file exported: 1 row, from 2026-03-01 00:00"),
        Saying(ReportIssued(kind: .weekly, period: "2026-W09"), "weekly report of 2026-W09 issued"),
        Saying(
            VoiceClipParsed(
                text: PersonalText("분유 120"),
                candidates: [
                    Candidate(kind: .formula, value: value { $0.amountUl = 120_000 })
                ]), #"voice clip: "분유 120", formula 120 ml"#),
        Saying(VoiceClipConfirmed(entryIds: ["e1"]), "voice clip confirmed: 1 entry"),
        Saying(VoiceClipFailed(reason: .noSpeech), "voice clip not understood: no speech"),
    ]
}

extension Household {
    static let sayings: [Saying] = [
        Saying(
            Onboarded(
                name: PersonalText("Mina"), birthDate: "2026-02-01", sex: .female,
                birthWeightG: 3_200,
                feedingMethod: .mixed, zone: "Asia/Seoul", formulaBrand: "Aptamil",
                formulaProduct: "Pre", containsStarch: false),
            "baby added: Mina, born 2026-02-01, female, 3.2 kg at birth, fed mixed, "
                + "formula Aptamil Pre, without starch, Asia/Seoul"),
        Saying(
            BabyProfileChanged(
                nightFromMin: 1_200, nightToMin: 420, dayStartMin: 360,
                sourceBabyIds: ["nara": "x"]),
            "baby's profile changed: night from 20:00, night to 07:00, day starts at 06:00, "
                + "known in files of nara"),
        Saying(
            ConsentChanged(kind: .adTargeting, isGranted: false, version: "2"),
            "consent to ad targeting withdrawn, version 2"),
        Saying(MemberRoleChanged(role: .familyViewer), "member is now a family viewer"),
        Saying(MemberRoleChanged(role: .none), "member removed"),
        Saying(
            IdReplaced(kind: .careEntry, localId: "offline_1", remoteId: "7"),
            "care entry got its id from the server"),
        Saying(SyncStarted(), "sync of the baby with the server started"),
        Saying(
            SyncFailed(failure: .server, httpStatus: 503),
            "503: sync of the baby failed: the server gave no ids"),
        Saying(
            OnboardingSynced(albumIds: ["offline_a": "1"]),
            "baby and household linked to the server, with 1 album"),
        Saying(
            ProfileRestored(babyId: "b", provider: .google),
            "profile read from the device: a baby, signed in with google"),
    ]
}
