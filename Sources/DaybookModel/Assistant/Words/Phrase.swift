extension Assistant {
    /// A piece of a spoken command whose meaning is certain, such as `log`, `분유를` or `먹였어요`.
    struct Phrase: Sendable {
        /// The part that a phrase has in a command.
        enum Meaning: Hashable, Sendable {
            /// Names the type of the entry, and the content of a diaper.
            case entry(Tile, Diaper? = nil)
            /// Describes an entry of one of these types.
            case fitting(Set<Tile>)
            /// Says what the baby did, in an entry of one of these types.
            case doing(Set<Tile>)
            /// Says what somebody did for the baby, in an entry of one of these types.
            case giving(Set<Tile>)
            /// Names somebody who gave something; a verb of giving must follow.
            case giver
            /// Says that something was done or is complete; not said of the recording itself.
            case done
            /// Starts or ends a sleep.
            case sleep(SleepAction)
            /// Asks to record an entry.
            case request
            /// States an amount in millilitres, a duration in minutes, or a mass in grams.
            case quantity(Quantity, Int64)
            /// Changes nothing, such as an article, a courtesy or the baby.
            case filler
            /// Separates phrases: a blank or a mark.
            case pause
        }

        /// The quantities that a command may state.
        enum Quantity: Equatable, Sendable { case amountMl, durationMin, grams }

        let scalars: [Unicode.Scalar]
        let meaning: Meaning
        /// True if no Latin letter may adjoin, as to `a` or `it`; `logformula` is two phrases.
        let isWord: Bool

        /// True for a verb, and for a request, which may have a verb.
        var isVerb: Bool {
            switch meaning {
            case .doing, .giving, .done, .sleep, .request: true
            default: false
            }
        }

        /// All phrases by first letter, the longest first.
        static let known = Dictionary(grouping: korean + english) { $0.scalars[0] }
            .mapValues { $0.sorted { $0.scalars.count > $1.scalars.count } }

        private init(_ text: String, _ meaning: Meaning, isWord: Bool = false) {
            (scalars, self.meaning, self.isWord) = (Array(text.unicodeScalars), meaning, isWord)
        }
    }
}

extension Assistant.Phrase {
    private typealias Tiles = Set<Assistant.Tile>
    private static let milk: Tiles = [.formula, .breastfeed]
    private static let meals: Tiles = [.formula, .breastfeed, .weaning]
    private static let doses: Tiles = [.formula, .breastfeed, .weaning, .medication]

    private static var korean: [Self] {
        forms(koreanNouns, [""] + words("은 는 이 가 을 를 도 에 에서 로 으로 에게 한테"))
            + forms(koreanPasts, words("어 어요 다 습니다 음 네 네요 는데 으니 으니까"))
            + forms(koreanWords, [""])
            + forms(
                [(.request, "기록 저장 추가 입력 등록")],
                ["", "을", "를", "좀"].flatMap { particle in requestEndings.map { particle + $0 } })
    }

    private static let requestEndings =
        [""]
        + words(
            """
            해 해요 해줘 해줘요 해주세요 해주라 해라 하세요 하기 요 바람 바랍니다
            부탁 부탁해 부탁해요 부탁합니다 부탁드려요 부탁드립니다
            """)

    /// Korean nouns, which a particle may follow.
    private static let koreanNouns: [(Meaning, String)] = [
        (.entry(.formula), "분유"), (.entry(.breastfeed), "모유 유축모유 유축_모유"),
        (.entry(.weaning), "이유식"), (.entry(.diaper), "기저귀"),
        (.entry(.diaper, .pee), "소변 오줌"), (.entry(.diaper, .poo), "대변 응가 똥"),
        (.entry(.sleep), "잠 낮잠 수면"), (.entry(.medication), "약 안약"), (.entry(.memo), "메모"),
        (.sleep(.start), "시작"), (.sleep(.end), "종료 기상"),
        (.fitting(milk), "수유"), (.fitting([.breastfeed]), "직수"), (.fitting([.diaper]), "교체"),
        (.fitting([.medication]), "투약 복용 감기 물 알 가루 처방 항생제 해열제 진통제 영양제 소화제 비타민 유산균"),
        (.filler, "아기 애기 아가 아이 우리"),
    ]

    /// Korean verbs in the past tense, which an ending follows.
    private static let koreanPasts: [(Meaning, String)] = [
        (.giving(doses), "먹였 먹여줬 줬"), (.doing(doses), "먹었 마셨"),
        (.doing([.diaper]), "쌌 눴 누었 봤"), (.giving([.diaper]), "갈았 갈아줬 바꿨 바꿔줬"),
        (.doing([.sleep]), "잤 재웠"), (.sleep(.start), "잠들었 들었"),
        (.sleep(.end), "깼 일어났"), (.giving([.medication]), "투여했 발랐 발라줬 넣었 넣어줬"),
        (.doing([.medication]), "맞았"), (.doing(meals), "끝났"), (.done, "했 됐"),
    ]

    /// Korean words without endings, such as verbs as nouns.
    private static let koreanWords: [(Meaning, String)] = [
        (.giving(doses), "먹임"), (.doing(doses), "먹음 마심"), (.doing([.diaper]), "쌈 눔 봄"),
        (.giving([.diaper]), "갈음 바꿈"), (.doing([.sleep]), "재움"), (.fitting([.sleep]), "재우기"),
        (.sleep(.start), "잠듦"), (.sleep(.end), "깸 일어남"),
        (.giving([.medication]), "투여 투여함 바름 넣음"), (.done, "함 됨 완료"),
        (.giver, "내가 제가 엄마가 아빠가 할머니가 할아버지가 이모가"),
        (.filler, "지금 다 또 좀 정도 쯤 동안"),
    ]

    private static var english: [Self] {
        [
            (.entry(.formula), "formula"),
            (.entry(.breastfeed), "breast breastmilk breastfeed breastfeeding"),
            (.entry(.weaning), "weaning solid solids"),
            (.entry(.diaper), "diaper diaper_change"),
            (.entry(.diaper, .pee), "pee peed urine"),
            (.entry(.diaper, .poo), "poo pooed poop pooped poopy stool"),
            (.entry(.sleep), "sleep sleeping slept nap napped"),
            (.entry(.medication), "medication medicine"), (.entry(.memo), "memo note"),
            (.sleep(.start), "start started fell_asleep"),
            (.sleep(.end), "end ended stop stopped wake woke awake wakeup wake_up woke_up"),
            (.request, "record log save add track"),
        ].flatMap { forms([$0], [""]) }
            + [
                (.giving(meals), "fed"), (.giving([.breastfeed]), "breastfed"),
                (.giving(doses), "gave"), (.giving([.diaper]), "changed"),
                (.doing(meals), "ate"), (.doing(doses), "given drank"),
                (.doing(doses.union([.sleep])), "took"), (.fitting(meals), "feed feeding"),
                (.fitting([.formula]), "bottle"), (.fitting([.breastfeed]), "nursing"),
                (.fitting([.weaning]), "food"),
                (
                    .fitting([.medication]),
                    """
                    dose drops syrup vitamin d iron antibiotic antibiotics probiotics ibuprofen
                    paracetamol acetaminophen tylenol
                    """
                ),
                (.giver, "i we mom mommy dad daddy grandma grandpa"), (.done, "done finished"),
                (
                    .filler,
                    """
                    a an the of for about it this that he she her him his had my our baby now right_now
                    please thanks thank_you hey hi siri ok okay
                    """
                ),
            ].flatMap { forms([$0], [""], areWords: true) }
    }

    /// Returns the words of a text; an underscore stands for a blank within a phrase.
    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map { String($0.map { $0 == "_" ? " " : $0 }) }
    }

    /// Returns a phrase for each word with each ending.
    private static func forms(
        _ groups: [(Meaning, String)], _ endings: [String], areWords: Bool = false
    ) -> [Self] {
        groups.flatMap { meaning, text in
            words(text).flatMap { word in
                endings.map { Self(word + $0, meaning, isWord: areWords) }
            }
        }
    }
}
