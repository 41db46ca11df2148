import Daybook

extension Assistant {
    /// A question about a baby that has a short answer.
    package enum Question: UInt8, StoredEnum {
        case none, nextFeeding, today, lastPoo, lastFeeding, recentSleep, lastDiaper, lastMedication

        /// Finds the question in a text by its English and Korean words; `none` without a match.
        /// The questions are tried in the order of the original app; the first match is returned.
        /// Under `rules: source` a word also matches inside another word.
        package init(_ text: String, rules: Rules = .standard) {
            let words = Words(text.nfc, rules)
            let asksLast = words.contains("last", "latest", "recent", "마지막", "최근", "최신")
            let asksFeed = words.contains("feed", "breastfeed", "formula", "수유", "분유", "모유")
            let asksSleep = words.contains("sleep", "nap", "잠", "잠들", "수면")
            let asksPoo = words.contains("poo", "stool", "대변", "응가", "똥")
            let asksDiaper = asksPoo || words.contains("diaper", "pee", "기저귀", "소변", "오줌")
            let asksMedication = words.contains("medication", "medicine", "dose", "투약", "약", "복용")
            let asksToday = words.contains("today", "오늘", "요약") || words.asksForDailySummary
            let asksNext = words.contains("eta", "next", "when", "다음", "언제", "예정")
            self =
                switch true {
                case asksFeed && asksNext: .nextFeeding
                case asksToday: .today
                case asksPoo && asksLast: .lastPoo
                case asksFeed && asksLast: .lastFeeding
                case asksSleep && asksLast: .recentSleep
                case asksDiaper && asksLast: .lastDiaper
                case asksMedication && asksLast: .lastMedication
                default: .none
                }
        }

        /// Creates the question of a Siri intent, whose name is case-sensitive; `nil` if unknown.
        package init?(intent: String) {
            switch intent {
            case "GetLastPooTime": self = .lastPoo
            case "GetNextFeedingEta": self = .nextFeeding
            case "GetTodaySummary": self = .today
            default: return nil
            }
        }
    }

    /// The tone of an answer; `friendly`, `neutral` and `coach` share one wording.
    package enum Tone: UInt8, StoredEnum {
        case friendly, neutral, formal, brief, coach

        /// Creates the tone with a name in any letter case; neutral for `nil` or an unknown name.
        package init(_ name: String?) {
            self = name.flatMap { Tone(name: $0.trimmed.lowercased()) } ?? .neutral
        }

        /// Returns the text for this tone; `friendly` is also the text for the tones neutral and
        /// coach.
        package func text(friendly: String, formal: String, brief: String) -> String {
            switch self {
            case .formal: formal
            case .brief: brief
            case .friendly, .neutral, .coach: friendly
            }
        }
    }
}
