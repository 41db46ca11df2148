extension Assistant {
    /// The known words of spoken commands, in English and Korean.
    ///
    /// Letters match only if they consist of these words, so `예약` does not match `약`, and `pool`
    /// does not match `poo`. All variants of a word on a line stand for the first one.
    struct Lexicon: Sendable {
        /// The grammatical role of a word.
        enum Role: Sendable {
            /// A noun or another independent word.
            case word
            /// The stem of a Korean verb, which endings may follow.
            case stem
            /// A Korean particle, after a word.
            case particle
            /// A syllable of the ending of a Korean verb.
            case ending
            /// A unit, after a number and optional white space.
            case unit
            /// A negation before a verb, or as a word by itself.
            case negation
        }

        /// A variant of a known word.
        struct Entry: Sendable {
            /// Letters of the variant.
            let scalars: [Unicode.Scalar]
            /// Grammatical role, which determines the pieces that may follow.
            let role: Role
            /// First variant of a word or stem, by which callers look it up; otherwise this variant.
            let name: String
        }

        /// Variants of words by first letter, the longest first.
        private let entries: [Unicode.Scalar: [Entry]]

        /// Creates a lexicon from groups of lines. Each line lists the variants of one word; the
        /// words of a group share a role.
        private init(_ groups: [(Role, String)]) {
            var entries: [Unicode.Scalar: [Entry]] = [:]
            for (role, lines) in groups {
                for line in lines.split(separator: "\n") {
                    let forms = line.split(separator: " ").map(String.init)
                    for form in forms {
                        let scalars = Array(form.unicodeScalars)
                        let name = role == .word || role == .stem ? forms[0] : form
                        entries[scalars[0], default: []].append(
                            Entry(scalars: scalars, role: role, name: name))
                    }
                }
            }
            self.entries = entries.mapValues { forms in
                forms.sorted { $0.scalars.count > $1.scalars.count }
            }
        }

        /// Returns the variants of words that the letters begin with, the longest first.
        func entries(of letters: ArraySlice<Unicode.Scalar>) -> some Sequence<Entry> {
            let candidates = letters.first.flatMap { entries[$0] } ?? []
            return candidates.lazy.filter { letters.starts(with: $0.scalars) }
        }
    }
}

extension Assistant.Lexicon {
    /// The only lexicon, with English and Korean words.
    static let spoken = Self([
        (.word, englishWords), (.word, koreanWords), (.word, koreanContextWords),
        (.stem, koreanStems), (.unit, units), (.negation, "안 못"),
        (
            .particle,
            """
            은 는 이 가 을 를 도 만 과 와 로 으로 에 에서 에게 한테 의 랑 이랑 하고 부터 까지 마다 요 좀 씩 야
            이야 예요 이에요 인가 인가요 인지 였어 이었어 였지 였나 이었나 입니다 말고 보다 처럼
            """
        ),
        (
            .ending,
            """
            어 아 여 요 다 는 은 을 를 고 서 니 습 네 지 죠 임 음 기 게 까 세 봐 봤 려 라 렸 던 거 든 데 면
            도 야 냐 나 군 구 자 중 시 십 오 었 았 였 했 해 하 함 한 할 됐 돼 됨 되 된 놨 놓 버 켰 켜 혔 히 이 주
            """
        ),
    ])

    /// English words; each line lists the variants of one word.
    private static let englishWords = """
        formula formulas
        breast breasts breastmilk
        breastfeed breastfeeds breastfed breastfeeding
        weaning weaned wean
        solid solids
        diaper diapers
        pee pees peed peeing
        poo poos pooed pooing poop poops pooped pooping poopy
        stool stools
        urine
        sleep sleeps sleeping asleep slept
        nap naps napped napping
        medication medications
        medicine medicines
        dose doses
        memo memos
        note notes
        record recorded recording
        log logged logging
        save saved saving
        add added adding
        track tracked tracking
        start starts started starting
        stop stops stopped stopping
        end ends ended ending
        wake wakes waking awake wakeup
        woke woken
        feed feeds fed feeding feedings
        last
        latest
        recent recently
        today todays
        daily
        summary summaries
        eta
        next
        when
        change changed changing
        delete deleted remove removed erase erased cancel cancelled canceled undo discard
        show shows list find search view
        not no never without dont didnt doesnt wasnt isnt hasnt don didn doesn wasn isn hasn
        what how who which why where did does
        should shall will would could can may might must to if later forgot forget
        minus
        ml mls
        """

    /// Korean words; each line lists the variants of one word.
    private static let koreanWords = """
        분유
        모유
        이유식
        기저귀
        소변
        대변
        오줌
        응가
        똥
        잠
        수면
        기상
        투약
        약 안약
        메모
        기록
        저장
        추가
        입력
        등록
        시작
        종료
        수유
        복용
        마지막
        최근
        최신
        오늘
        요약
        다음
        언제
        예정
        삭제 취소 제거
        조회 확인 검색
        마이너스
        """

    /// Korean words that accompany commands, or that contain a command word but mean another thing.
    private static let koreanContextWords = """
        아기 애기 아이 우리 어제 방금 지금 아까 아침 점심 저녁 밤 낮 새벽 오전 오후 감기 물 알 가루 변비 설사
        기침 콧물 열 해열 소화 소화제 항생 영양 한 진통 처방 비타민 늦 단 꿀 통 토막 쪽 많이 조금 또 다시
        한번 두번 첫 이번 초록 노란 된 묽은 직수 유축 혼합 엄마 아빠 할머니 할아버지 이모 젖은 시간 정도
        쯤 완료 교체 하나 하기
        예약 약속 약국 약간 약사 약병 치약 만약 계약 절약 제약 농약 서약 조약 쇠약 허약 미약 공약
        잠깐 잠시 잠바 잠옷 잠자리 수면제 수면등 대변인 기상청 메모리 메모장 신기록 출입력 저장소
        약해 약하 약했 약한 약할
        """

    /// Stems of Korean verbs; each line lists the variants of one verb.
    private static let koreanStems = """
        먹 먹였 먹이 먹임
        마시 마셨 마심 마셔
        싸 쌌 쌈 눴 눠 누
        봤 봄
        갈 갈았 갈아 바꿔 바꿨 바꾸
        자고 자는 자요 잤
        재우 재웠 재움
        잠들
        들었 들어
        깼 깨 깸
        일어나 일어났
        투여 발랐 발라 바름 넣 맞
        끝 끝났
        했 해 함 하 할 한
        줬 줘 줌 주고
        됐 돼 됨
        않 없
        지워 지우 지웠
        보여 알려 찾아
        """

    /// Korean and English units, which are recognised only after a number and optional white space.
    private static let units = """
        밀리 밀리리터 미리 시간 분 초 씨씨 스푼 번 회 개 그램 ml mls cc g hour hours hr hrs min mins
        minute minutes
        """
}
