import Daybook
import Testing

/// A sentence and its outcome, such as `formula 120 ml`, `ask` or `other words`.
struct CommandSentence: Sendable, CustomTestStringConvertible {
    let text: String
    let outcome: String

    var testDescription: String { text }

    /// Reads a line for each sentence: the sentence, a bar, and the outcome.
    private static func table(_ lines: String) -> [Self] {
        lines.split(separator: "\n").map { line in
            let cells = line.split(separator: "|").map { String($0).trimmed }
            return Self(text: cells[0], outcome: cells[1])
        }
    }
}

extension CommandSentence {
    /// Sentences in English.
    static let english = table(
        """
        log formula 120ml | formula 120 ml
        Log 90 ml of formula | formula 90 ml
        record a bottle of formula, 150 ml | formula 150 ml
        she drank 60 ml of formula, log it | formula 60 ml
        I gave him 120 ml of formula, please save | formula 120 ml
        dad fed her 80 ml formula, log it | formula 80 ml
        hey siri log formula 100 cc please | formula 100 ml
        save 90 ml | formula 90 ml
        track formula 9999 ml | formula 9999 ml
        add formula: 45 ml | formula 45 ml
        log the baby had 120ml formula now | formula 120 ml
        log formula 120 | ask
        log formula 4 oz | ask
        log 4 ounces of formula | ask
        log formula one hundred ml | ask
        log half a bottle of formula | ask
        log formula 120 or 150 ml | ask
        log formula between 100 and 120 ml | ask
        log formula 60 + 30 ml | ask
        log formula 60ml and 30ml | ask
        log formula 60ml twice | ask
        log two bottles of formula 60ml | ask
        log formula 60 ml more | ask
        log another formula 60 ml | ask
        log formula 120 ml, no, 100 | ask
        log formula 120 ml, I mean 100 ml | ask
        log formula 1,200 ml | ask
        log formula .5 ml | ask
        log formula 0 ml | ask
        log formula 120 ml this morning | ask
        log formula 120 ml an hour ago | ask
        log formula 120 ml just now | ask
        log formula 120 ml at 15:30 | ask
        log formula 120 ml for 3 pm | ask
        log formula 120 ml yesterday | ask
        log formula 120 ml for Emma | ask
        log formula 120 ml for both babies | ask
        log formula 120 ml in 20 minutes | ask
        log formula 120 ml 20 minutes | ask
        log formula 120 ml? | ask
        did I log formula 120 ml | ask
        how much formula should I log | ask
        don't log formula 120 ml | ask
        do not record formula 120 ml | ask
        never mind, log formula 120 ml | ask
        I forgot to log formula 120 ml | ask
        I already logged formula 120 ml | ask
        I will log formula 120 ml | ask
        we're going to log formula 120 ml | ask
        remind me to log formula 120 ml | ask
        if she wakes log formula 120 ml | ask
        change formula record to 120 ml | ask
        undo log formula 120 ml | ask
        delete log formula 120 ml | ask
        show formula log 120 ml | ask
        log formula 120 ml unless she refused | ask
        she refused the formula 120 ml, log it | ask
        formula 120 ml logged | ask
        formula 120 ml log done | ask
        log formula 120 ml for me and mom | ask
        log formula and breast 10 min | ask
        log breastfeeding 10 minutes | breastfeed 10 min
        breastfed for 1 hour 5 minutes, record | breastfeed 65 min
        log breastfeeding 1 hour and 5 minutes | breastfeed 65 min
        log breast for about 20 min | breastfeed 20 min
        log breastfeeding | breastfeed
        log breastfeeding left 10 minutes | ask
        log breastfeeding both sides | ask
        log breastfeeding left 10 min right 5 min | ask
        log breastfeeding 10 to 15 minutes | ask
        log breastfeeding 10 minutes, 5 minutes | ask
        log breastfeeding ten minutes | ask
        log breast milk 60 ml | ask
        log breastfeeding 60 ml | ask
        log breastfeeding started | ask
        log pumped breast milk | ask
        log solids 80 g | weaning 80 g
        she ate solid food, 40 grams, save | weaning 40 g
        log solids 80 ml | ask
        log solids pear 80 g | ask
        log pee | pee
        log a pee diaper | pee
        she pooped, log it | poo
        he peed, save it please | pee
        add poopy diaper | poo
        log diaper change, poop | poo
        I changed a poopy diaper, log it | poo
        log diaper | ask
        log wet diaper | ask
        log two pees | ask
        log pee, poo | ask
        log a pee and a poo | ask
        log pee pee | ask
        log no poo | ask
        log poo but no pee | ask
        she hasn't pooped, log it | ask
        log poo last night | ask
        log blood in poo | ask
        has she pooped? log it | ask
        log sleep 40 min | sleep 40 min
        log a nap of 1 hour 30 min | sleep 90 min
        she napped for 45 minutes, record | sleep 45 min
        he slept 2 hours, save | sleep 120 min
        baby fell asleep, log it | sleep start
        log sleep start | sleep start
        start sleep, log | sleep start
        log sleep started now | sleep start
        baby woke up, log sleep end | sleep end
        stop sleep and log | ask
        log end of sleep | sleep end
        log sleep | ask
        log nap 1.5 hours | ask
        log nap half an hour | ask
        log nap an hour and a half | ask
        log sleep start 30 minutes | ask
        log sleep start and end | ask
        log sleep since 9 | ask
        log sleep from 9 to 10 | ask
        log sleep until now | ask
        log she did not sleep 30 minutes | ask
        log sleep in 30 minutes | ask
        log sleep start soon | ask
        log she should sleep 30 minutes | ask
        log medicine | medication
        gave her medicine, log it | medication
        log vitamin d medicine | medication
        log medicine 5 ml | medication 5 ml
        log medicine tomorrow | ask
        log medicine every 6 hours | ask
        log she needs medicine | ask
        I took medicine, log it | ask
        gave mom medicine, log it | ask
        log medicine not given | ask
        log medicine twice | ask
        log dog medicine | ask
        log temperature 38.5 | other words
        log weight 5 kg | other words
        log tummy time 10 minutes | other words
        log yesterday 120 ml | ask
        save a note: she didn't smile | memo
        save a note she didn't smile | ask
        memo first tooth, save | memo
        log memo do not | ask
        don't save the memo | ask
        should I save a note | ask
        memo call the doctor? save | ask
        delete memo, save | ask
        note, do not save | ask
        is the formula good for her | ask
        is she well | chat
        I breastfed her for 10 minutes, log it | breastfeed 10 min
        log nursing 10 minutes breast | breastfeed 10 min
        log a 30 minute nap | sleep 30 min
        she just had 120 ml of formula, log it | ask
        log a wet diaper pee | ask
        log formula 120ml with breast milk 30ml | ask
        log formula 120ml except she spit up | ask
        log formula 120ml over 20 minutes | ask
        log a 120 ml bottle | formula 120 ml
        log formula 120ml ish | ask
        log formula 120 ml per feed | ask
        log formula 120ml every feeding | ask
        log formula 120ml last feed | ask
        log the formula she had 120ml then 60 | ask
        log formula 12 0 ml | ask
        log formula 120 m l | ask
        log formula 120mL. | formula 120 ml
        LOG FORMULA 120ML PLEASE | formula 120 ml
        log formula 120ml (yesterday) | ask
        log formula 120ml 🚫 | ask
        log formula "120ml" | ask
        log formula 120ml instead | ask
        log formula minus 20ml | ask
        log formula 120ml-ish | ask
        wake the baby, log | other words
        put her down for sleep, log | ask
        log she woke 3 times sleep | ask
        log sleep ended 10 minutes | ask
        she slept through, log it | ask
        log nap 20 min nap 30 min | ask
        log 30 min nap | sleep 30 min
        log baby's nap 30 min | ask
        log breast 15 mins please | breastfeed 15 min
        log breastfeed without burping | ask
        log half breast | ask
        log only pee | ask
        log a dry diaper | ask
        log diaper of poo and blood | ask
        log medicine he had a dose | medication
        log medicine for grandma | ask
        grandma took medicine log | ask
        log vitamin d drops for her medicine | medication
        log medicine or not | ask
        please dont log pee | ask
        log pee as poo | ask
        log pee not poo | ask
        to log pee | ask
        stop logging pee | ask
        log in pee | ask
        """)

    /// Sentences in Korean.
    static let korean = table(
        """
        분유 120ml 기록해줘 | formula 120 ml
        분유 90밀리 기록 | formula 90 ml
        아기가 분유를 60cc 먹었어요 기록해 주세요 | formula 60 ml
        분유 120ml 다 먹었어 저장해줘 | formula 120 ml
        분유 120ml 먹음 기록 | formula 120 ml
        엄마가 분유 100ml 먹였어 기록해줘 | formula 100 ml
        내가 분유 100ml 먹였습니다 기록 부탁해요 | formula 100 ml
        분유 120ml로 기록해줘~ | formula 120 ml
        우리 아기 분유 80ml 먹였으니까 기록 좀 해줘 | formula 80 ml
        분유 정도 120ml 정도 기록해줘 | formula 120 ml
        시작 분유 120ml 기록 | ask
        분유 120 기록 | ask
        분유 백이십 기록해줘 | ask
        분유 반 병 기록해줘 | ask
        분유 한 번에 120 기록해줘 | ask
        분유 120ml씩 두 번 기록해줘 | ask
        분유 120ml 두번 기록해줘 | ask
        분유 60ml 더 먹었어 기록해줘 | ask
        분유 60ml랑 30ml 기록해줘 | ask
        분유 60ml 그리고 30ml 기록해줘 | ask
        분유 100에서 120ml 기록해줘 | ask
        분유 100ml부터 기록해줘 | ask
        분유 120ml 이상 기록해줘 | ask
        분유 120ml 정도 남겼어 기록해줘 | ask
        분유 120ml 아니 100ml 기록해줘 | ask
        분유 120ml 말고 100ml 기록해줘 | ask
        분유 120ml가 아니라 100ml 기록 | ask
        분유 120ml 안 먹었어 기록해줘 | ask
        분유 120ml 못 먹었어 기록해줘 | ask
        분유 120ml 먹지 않았어 기록 | ask
        분유 120ml 기록하지 마 | ask
        분유 120ml 기록 안 해도 돼 | ask
        분유 120ml 기록 취소해줘 | ask
        분유 120ml 기록 지워줘 | ask
        분유 120ml 기록 보여줘 | ask
        분유 120ml 기록했어 | ask
        분유 120ml 기록 완료 | ask
        분유 120ml 기록할까 | ask
        분유 120ml 기록해야 해 | ask
        분유 120ml 기록할게 | ask
        분유 120ml 먹일 거야 기록해줘 | ask
        분유 120ml 먹여야 돼 기록해줘 | ask
        분유 120ml 먹이려고 해 기록해줘 | ask
        분유 120ml 먹으면 기록해줘 | ask
        분유 120ml 먹었나 기록해줘 | ask
        분유 120ml 먹었어? 기록해줘 | ask
        분유 얼마나 먹었어 기록해줘 | ask
        분유 120ml 방금 먹었어 기록해줘 | ask
        아까 분유 120ml 기록해줘 | ask
        어젯밤 분유 120ml 기록해줘 | ask
        3시에 분유 120ml 기록해줘 | ask
        오후 3시 30분에 분유 120ml 기록해줘 | ask
        한 시간 전 분유 120ml 기록해줘 | ask
        이따가 분유 120ml 기록해줘 | ask
        매일 분유 120ml 기록해줘 | ask
        둘째 분유 120ml 기록해줘 | ask
        서준이 분유 120ml 기록해줘 | ask
        쌍둥이 분유 120ml 기록해줘 | ask
        만약 분유 120ml 먹었어 기록 | ask
        분유 120ml 모유 10분 기록해줘 | ask
        분유 120ml 먹이고 재웠어 기록해줘 | ask
        분유 120ml 먹였어 쌌어 기록해줘 | ask
        모유 10분 먹였어 기록해줘 | breastfeed 10 min
        모유 수유 15분 했어 기록해줘 | breastfeed 15 min
        모유 1시간 5분 동안 먹었어요 저장 | breastfeed 65 min
        모유 수유했어 기록해줘 | breastfeed
        모유 약 10분 먹였어 기록해줘 | breastfeed 10 min
        모유 왼쪽 10분 기록해줘 | ask
        모유 양쪽 10분씩 기록해줘 | ask
        모유 유축했어 기록해줘 | ask
        모유 10분마다 기록해줘 | ask
        모유 10분 만에 기록해줘 | ask
        모유 10분 뒤에 기록해줘 | ask
        모유 십분 기록해줘 | ask
        모유 10분 시작 기록해줘 | ask
        이유식 80그램 먹였어 기록해줘 | weaning 80 g
        이유식 먹었어 기록해줘 | weaning
        이유식 80ml 기록해줘 | ask
        이유식 먹기 싫어해 기록해줘 | ask
        아기 응가했어 기록해줘 | poo
        기저귀에 응가했어요 기록해줘 | poo
        기저귀 갈았어 소변 기록해줘 | pee
        또 똥 쌌어 기록해줘 | poo
        소변 봤음 등록 | pee
        응가도 했어 기록해줘 | poo
        소변 대변 기록해줘 | ask
        소변이랑 대변 봤어 기록해줘 | ask
        쉬하고 응가했어 기록해줘 | ask
        응가 두 번 했어 기록해줘 | ask
        응가 아직 기록해줘 | ask
        응가 없었어 기록해줘 | ask
        응가 할 것 같아 기록해줘 | ask
        응가한 줄 알았어 기록해줘 | ask
        응가에 피가 있어 기록해줘 | ask
        초록 응가 기록해줘 | ask
        낮잠 40분 기록해줘 | sleep 40 min
        낮잠 1시간 반 잤어 기록해줘 | sleep 90 min
        수면 2시간 30분 기록해줘 | sleep 150 min
        지금 잠들었어 기록해줘 | sleep start
        아기 잠이 들었어 기록해줘 | sleep start
        낮잠 시작 기록해줘 | sleep start
        수면 종료 기록해줘 | sleep end
        아기 잠 깼어 기록해줘 | sleep end
        낮잠 한 시간 기록해줘 | ask
        낮잠 30분째 자고 있어 기록해줘 | ask
        낮잠 30분 뒤에 재울 거야 기록해줘 | ask
        낮잠 30분 잠들었어 기록해줘 | ask
        수면 시작 종료 기록해줘 | ask
        낮잠 안 잤어 기록해줘 | ask
        낮잠 30분도 못 잤어 기록해줘 | ask
        낮잠 9시부터 10시까지 기록해줘 | ask
        낮잠 30분 간격 기록해줘 | ask
        감기약 먹였어 기록해줘 | medication
        비타민 약 먹였어요 기록해줘 | medication
        약 5ml 먹였어 기록해줘 | medication 5 ml
        엄마 약 먹었어 기록해줘 | ask
        엄마가 약 먹었어 기록해줘 | ask
        내가 약 먹었어 기록해줘 | ask
        약 먹여줘 기록 | ask
        약 먹일 시간 기록해줘 | ask
        약 먹이는 걸 깜빡했어 기록해줘 | ask
        약 6시간마다 기록해줘 | ask
        강아지 약 먹였어 기록해줘 | ask
        약 토했어 기록해줘 | ask
        열 38.5도 기록해줘 | other words
        메모 첫 걸음마 저장해줘 | memo
        메모 저장하지 마 | ask
        메모 저장할까 | ask
        메모 안 저장 | ask
        메모 저장했어 | ask
        물 60ml 먹였어 기록해줘 | ask
        분유 응원 | ask
        아기 잠에서 깼어 기록해줘 | sleep end
        분유 160 먹었다 기록해 | ask
        낮잠 1시간 잤어 기록해줘 | sleep 60 min
        분유 120ml를 기록해주세요! | formula 120 ml
        분유 먹은 지 20분 됐어 기록해줘 | ask
        분유 120ml 먹다 말았어 기록해줘 | ask
        분유 120ml 중에 100ml 먹었어 기록해줘 | ask
        분유 120ml 타놨어 기록해줘 | ask
        분유 120ml 먹은 걸로 기록해줘 | ask
        분유 120ml 줬는데 토했어 기록해줘 | ask
        분유 120ml 먹었대 기록해줘 | ask
        분유 120ml 먹었으면 기록해줘 | ask
        분유 120ml 먹기 전에 기록해줘 | ask
        분유 120ml가 다 떨어졌어 기록해줘 | ask
        분유120밀리먹었어요기록해주세요 | formula 120 ml
        오빠 약 먹였어 기록해줘 | ask
        아기 깨우기 수면 기록 | ask
        기상 시간 기록해줘 | ask
        수면 30분 일찍 깼어 기록해줘 | ask
        잠 못 들었어 기록해줘 | ask
        낮잠 재우기 시작 기록해줘 | sleep start
        낮잠 완료 30분 기록해줘 | sleep 30 min
        응가 기저귀 갈았어요 저장해줘 | poo
        응가 봐줘 기록 | ask
        응가 시작했어 기록해줘 | ask
        소변 30분 기록해줘 | ask
        기록 기저귀 소변 봤어요 | pee
        모유 먹였어 이유식 먹였어 기록 | ask
        유축모유 60ml 먹였어 기록해줘 | ask
        약속 시간 약 기록해줘 | ask
        약 다 떨어졌어 기록해줘 | ask
        약 있어 기록해줘 | ask
        안약 넣어줘 기록해줘 | ask
        잠 다 깼어 재웠어 기록 | ask
        """)
}
