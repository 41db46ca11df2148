import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-answer-words, s4-tones
/// Questions in words, and what is said to them.
@Suite struct AnswersTests {
    @Test(
        "A text asks for the first question that its words fit",
        arguments: [
            ("when is the next feeding?", .nextFeeding), ("formula ETA", .nextFeeding),
            ("다음 수유 언제야", .nextFeeding), ("분유 예정", .nextFeeding),
            ("today summary", .today), ("오늘 어땠어", .today), ("요약", .today),
            ("daily summary", .today), ("next feed today", .nextFeeding),
            ("last poo", .lastPoo), ("latest STOOL", .lastPoo), ("마지막 응가", .lastPoo),
            ("last feeding", .lastFeeding), ("최근 모유", .lastFeeding),
            ("last breastfeed after the nap", .lastFeeding), ("recent nap", .recentSleep),
            ("최신 수면", .recentSleep), ("last diaper", .lastDiaper), ("마지막 소변", .lastDiaper),
            ("last pee", .lastDiaper), ("last dose", .lastMedication),
            ("마지막 복용", .lastMedication), ("last poo and sleep", .lastPoo), ("poo", .none),
            ("next", .none), ("", .none), ("  ", .none), ("is she growing?", .none),
        ] as [(String, Assistant.Question)])
    func router(_ text: String, _ question: Assistant.Question) {
        #expect(Assistant.Question(text) == question)
    }

    @Test(
        "A tone is read in any case; an unknown one is neutral",
        arguments: [
            ("friendly", .friendly), (" FORMAL ", .formal), ("Brief", .brief), ("coach", .coach),
            ("loud", .neutral), ("", .neutral), (nil, .neutral),
        ] as [(String?, Assistant.Tone)])
    func tones(_ name: String?, _ tone: Assistant.Tone) {
        #expect(Assistant.Tone(name) == tone)
    }

    private static func story() throws -> CareStory {
        var story = try CareStory(zone: "Asia/Seoul")
        try story.add(.poo, "2026-02-19T23:10")
        try story.add(.formula, "2026-02-20T07:00", ["ml": "90"])
        try story.add(.formula, "2026-02-20T09:00", ["ml": "90"])
        try story.add(.sleep, "2026-02-20T10:00", "2026-02-20T10:40")
        try story.add(.medication, "2026-02-20T11:00", ["name": "drops"])
        return story
    }

    @Test(
        "Each question has a text of its own in three tones",
        arguments: [
            (.lastPoo, .friendly, "Last poo was at 23:10 on 2026-02-19."),
            (.lastPoo, .formal, "The latest recorded poo event time is 23:10 on 2026-02-19."),
            (.lastPoo, .brief, "Last poo: 23:10 on 2026-02-19."),
            (.nextFeeding, .coach, "Next feeding is in about 60 minutes."),
            (.nextFeeding, .formal, "The recommended next feeding time is in 60 minutes."),
            (.nextFeeding, .brief, "ETA 60m."),
            (.today, .neutral, "Today: 4 events, poo not recorded, pee not recorded."),
            (.today, .brief, "Today: 4 events."),
            (.lastFeeding, .friendly, "Latest feeding (formula) was logged at 09:00."),
            (
                .lastFeeding, .formal,
                "The most recent feeding event type is FORMULA at 09:00."
            ),
            (.lastFeeding, .brief, "Last feeding: FORMULA at 09:00."),
            (.recentSleep, .friendly, "Most recent sleep was logged at 10:00."),
            (.recentSleep, .formal, "The latest recorded sleep event time is 10:00."),
            (.recentSleep, .brief, "Recent sleep: 10:00."),
            (
                .lastDiaper, .friendly,
                "Latest diaper event (poo) was logged at 23:10 on 2026-02-19."
            ),
            (.lastMedication, .friendly, "Latest medication event was logged at 11:00."),
            (.lastMedication, .brief, "Last medication: 11:00."),
        ] as [(Assistant.Question, Assistant.Tone, String)])
    func dialogs(
        _ question: Assistant.Question, _ tone: Assistant.Tone, _ dialog: String
    ) throws {
        let story = try Self.story()
        let speaker = Assistant.Speaker(
            story.reporter(), tone, at: try story.time("2026-02-20T12:00"))
        #expect(speaker.answer(question).dialog == dialog)
        #expect(!speaker.answer(question).reference.isEmpty)
    }

    @Test(
        "A question without an answer says so",
        arguments: [
            (.lastPoo, "No poo logs yet."),
            (.nextFeeding, "Need more feeding logs to calculate ETA."),
            (.lastFeeding, "No feeding records yet."), (.recentSleep, "No sleep records yet."),
            (.lastDiaper, "No diaper records yet."),
            (.lastMedication, "No medication records yet."),
        ] as [(Assistant.Question, String)])
    func nothing(_ question: Assistant.Question, _ dialog: String) throws {
        let story = try CareStory()
        let speaker = Assistant.Speaker(
            story.reporter(), .neutral, at: try story.time("2026-02-20T12:00"))
        #expect(speaker.answer(question).dialog == dialog)
    }
}
