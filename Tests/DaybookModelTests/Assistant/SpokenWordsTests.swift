import Daybook
import Testing

@testable import DaybookModel

/// Sentences as people say and type them, with blanks and without.
@Suite struct SpokenWordsTests {
    typealias Tile = Assistant.Tile

    /// A sentence, the tile that it names, and where it leads; no route for a refusal, which asks
    /// for other words.
    struct Sentence: Sendable, CustomTestStringConvertible {
        let text: String
        let tile: Tile?
        let route: Assistant.Route?

        init(_ text: String, _ tile: Tile?, _ route: Assistant.Route?) {
            (self.text, self.tile, self.route) = (text, tile, route)
        }

        var testDescription: String { text }

        func check(_ rules: Rules = .standard) {
            let payload = Assistant.Payload(path: .query, query: text)
            do throws(Daybook.Refusal) {
                let understood = try Assistant.Interpretation(payload, rules: rules)
                #expect(understood.reading.tile == tile, "\(text)")
                #expect(understood.route == route, "\(text)")
            } catch {
                #expect(error.code == "notParsed")
                #expect(route == nil, "\(text)")
            }
        }
    }

    @Test(
        "A noun that stands for itself names its entry",
        arguments: [
            Sentence("약 먹였어 기록해줘", .medication, .record),
            Sentence("약먹였어", .medication, .form),
            Sentence("약먹였어 기록", .medication, .record),
            Sentence("약을 먹였어요 저장", .medication, .record),
            Sentence("아기약먹였어기록해줘", .medication, .record),
            Sentence("안약 넣었어 기록", .medication, .record),
            Sentence("투약완료 기록해줘", .medication, .record),
            Sentence("분유 120ml 먹었어 기록", .formula, .record),
            Sentence("분유120먹었어", .formula, .form),
            Sentence("분유120ml먹였어기록해줘", .formula, .record),
            Sentence("모유수유했어 10분 기록", .breastfeed, .record),
            Sentence("유축모유 먹였어 추가", .breastfeed, .record),
            Sentence("이유식먹었어 등록", .weaning, .record),
            Sentence("기저귀갈았어", .diaper, .form),
            Sentence("기저귀 갈았어 기록", .diaper, .form),
            Sentence("응가했어기록해줘", .diaper, .record),
            Sentence("똥쌌어 기록", .diaper, .record),
            Sentence("아기똥쌌어기록", .diaper, .record),
            Sentence("소변은 봤어 입력해줘", .diaper, .record),
            Sentence("낮잠 30분 기록", .sleep, .record),
            Sentence("낮잠시작 기록", .sleep, .record),
            Sentence("수면 시작 기록", .sleep, .record),
            Sentence("잠들었어 저장", .sleep, .record),
            Sentence("약 30분 잠잤어 기록", .sleep, .record),
            Sentence("기상했어 기록", .sleep, .record),
            Sentence("메모 첫 미소 저장", .memo, .record),
            Sentence("약속 메모 기록", .memo, .record),
            Sentence("formula 120ml record", .formula, .record),
            Sentence("Log formula, 120 ml.", .formula, .record),
            Sentence("logformula120ml", .formula, .record),
            Sentence("she peed, log it", .diaper, .record),
            Sentence("add a poopy diaper", .diaper, .record),
            Sentence("pooped! save", .diaper, .record),
            Sentence("log breastfeeding 10 min", .breastfeed, .record),
            Sentence("record sleepstart", .sleep, .record),
            Sentence("started sleeping, log", .sleep, .record),
            Sentence("note that she smiled, save", .memo, .record),
            Sentence("note: delete the photos later. save", .memo, .record),
            Sentence("medicine given, record", .medication, .record),
        ])
    func named(_ sentence: Sentence) { sentence.check() }

    @Test(
        "A word inside another one is not heard",
        arguments: [
            Sentence("병원 예약 기록해줘", nil, nil),
            Sentence("병원예약기록해줘", nil, nil),
            Sentence("병원예약을 기록해줘", nil, nil),
            Sentence("약속 기록", nil, nil),
            Sentence("약국 기록해줘", nil, nil),
            Sentence("치약 샀어 기록", nil, nil),
            Sentence("메모요약 보여줘", .memo, .form),
            Sentence("오늘 요약", nil, .chat),
            Sentence("잠깐 기록", nil, nil),
            Sentence("잠시 외출 기록", nil, nil),
            Sentence("잠옷 추가", nil, nil),
            Sentence("대변인 기록", nil, nil),
            Sentence("똥강아지 저장", nil, nil),
            Sentence("기저귀가방 추가", nil, nil),
            Sentence("분유포트 저장", nil, nil),
            Sentence("아기가 약해 기록", nil, nil),
            Sentence("기상청 예보 저장", nil, nil),
            Sentence("메모리 저장", nil, nil),
            Sentence("record pool party", nil, nil),
            Sentence("save shampoo", nil, nil),
            Sentence("record speed 5", nil, nil),
            Sentence("log the peek at Winnie the Pooh", nil, nil),
            Sentence("add notebook", nil, nil),
            Sentence("save memory", nil, nil),
            Sentence("track breaststroke", nil, nil),
            Sentence("daddy is consolidated", nil, .chat),
            Sentence("her blog address", nil, .chat),
        ])
    func inside(_ sentence: Sentence) { sentence.check() }

    @Test(
        "A denial, a question, or a request to show or delete is never recorded as an entry",
        arguments: [
            Sentence("약 안 먹였어 기록", .medication, .form),
            Sentence("약안먹였어 기록해줘", .medication, .form),
            Sentence("소변 없음 기록", .diaper, .form),
            Sentence("no poo today, log", .diaper, .form),
            Sentence("she didn't pee, log it", .diaper, .form),
            Sentence("분유 120ml 기록 삭제해줘", .formula, .form),
            Sentence("응가 기록 보여줘", .diaper, .form),
            Sentence("delete the formula 120ml record", .formula, .form),
            Sentence("show the last poo record", .diaper, .form),
            Sentence("did she poo? log", .diaper, .form),
            Sentence("delete memo record", .memo, .form),
            Sentence("메모 기록 삭제해줘", .memo, .form),
        ])
    func doubtful(_ sentence: Sentence) { sentence.check() }

    @Test(
        "An amount, a length, a time or a person that is not certain is asked for",
        arguments: [
            Sentence("감기약 2번 먹였어 기록", .medication, .form),
            Sentence("오늘아침에분유 90밀리 기록해주세요", .formula, .form),
            Sentence("민수분유120ml기록", .formula, .form),
            Sentence("solids added", .weaning, .form),
            Sentence("formula -120ml record", .formula, .form),
            Sentence("분유 −120ml 기록", .formula, .form),
            Sentence("formula minus 120ml record", .formula, .form),
            Sentence("formula 120-150ml record", .formula, .form),
            Sentence("formula 120 - 150 ml record", .formula, .form),
            Sentence("분유 120ml~150ml 기록", .formula, .form),
            Sentence("formula 120-150 record", .formula, .form),
            Sentence("formula 100.5ml record", .formula, .form),
            Sentence("formula-120ml record", .formula, .record),
            Sentence("formula - 120ml record", .formula, .record),
            Sentence("분유-120ml 기록", .formula, .record),
            Sentence("120분유 기록", .formula, .form),
            Sentence("모유 10-15분 기록", .breastfeed, .form),
            Sentence("모유 한 시간 30분 기록", .breastfeed, .form),
            Sentence("breast half an hour, log", .breastfeed, .form),
            Sentence("낮잠 한시간 기록", .sleep, .form),
            Sentence("record sleep 1.5 hours", .sleep, .form),
        ])
    func uncertain(_ sentence: Sentence) { sentence.check() }

    @Test("An hour and a half is ninety minutes")
    func half() throws {
        for text in ["낮잠 1시간 반 기록", "낮잠1시간반잤어 기록"] {
            let nap = try Assistant.Interpretation(Assistant.Payload(path: .query, query: text))
            #expect(nap.reading.durationMin == 90)
            #expect(nap.route == .record)
        }
    }

    @Test(
        "By the source's rules words count anywhere",
        arguments: [
            Sentence("병원 예약 기록해줘", .medication, .record),
            Sentence("record pool party", .diaper, .record),
            Sentence("save shampoo", .diaper, .record),
            Sentence("record speed 5", .diaper, .record),
            Sentence("formula -120ml record", .formula, .record),
            Sentence("오늘 요약", .medication, .form),
        ])
    func source(_ sentence: Sentence) { sentence.check(.source) }

    @Test("Text of decomposed letters is heard like composed text")
    func decomposed() {
        let letters = "약먹였어 기록"
        #expect(letters.unicodeScalars.count == 7)
        let jamo = "\u{110B}\u{1163}\u{11A8} \u{1100}\u{1175}\u{1105}\u{1169}\u{11A8}"
        Sentence(jamo, .medication, .record).check()
    }

    @Test("A text of twenty thousand syllables is heard in one pass")
    func long() {
        for text in [
            String(repeating: "분유", count: 10_000), "뷁" + String(repeating: "분유", count: 10_000),
            String(repeating: "뷁", count: 20_000), String(repeating: "poo", count: 10_000),
        ] {
            let words = Assistant.HeardWords(text)
            #expect(!words.contains("기록"))
            #expect(CommandSentencesTests.outcome(text) == "ask" || text.first == "뷁")
        }
    }

    @Test(
        "A question is heard by the same words",
        arguments: [
            ("마지막 예약", .none), ("최근약국", .none), ("마지막약언제먹였어", .lastMedication),
            ("다음수유언제야", .nextFeeding), ("last pool visit", .none), ("최근 요약", .today),
            ("마지막응가", .lastPoo),
        ] as [(String, Assistant.Question)])
    func questions(_ text: String, _ question: Assistant.Question) {
        #expect(Assistant.Question(text) == question)
    }
}
