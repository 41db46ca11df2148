import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s4-send-command
/// Sentences of parents, each with the entry that it must record, or `ask`.
@Suite struct CommandSentencesTests {
    typealias Sentence = CommandSentence

    /// Returns what a text records, or what it is answered with.
    static func outcome(_ text: String) -> String {
        let payload = Assistant.Payload(path: .query, query: text)
        guard let understood = try? Assistant.Interpretation(payload) else { return "other words" }
        let reading = understood.reading
        switch understood.route {
        case .none, .chat: return "chat"
        case .form: return "ask"
        case .record:
            let quantities = [
                reading.amountMl.map { "\($0) ml" }, reading.durationMin.map { "\($0) min" },
                reading.grams.map { "\($0) g" }, reading.sleep?.name,
            ]
            let name = reading.diaper?.name ?? reading.tile?.name ?? ""
            return ([name] + quantities.compactMap(\.self)).joined(separator: " ")
        }
    }

    /// True if the outcome records nothing.
    private static func isAsked(_ outcome: String) -> Bool {
        ["ask", "other words", "chat"].contains(outcome)
    }

    @Test("An English sentence records what it says, or asks", arguments: CommandSentence.english)
    func inEnglish(_ sentence: Sentence) {
        #expect(Self.outcome(sentence.text) == sentence.outcome, "\(sentence.text)")
    }

    @Test("A Korean sentence records what it says, or asks", arguments: CommandSentence.korean)
    func inKorean(_ sentence: Sentence) {
        #expect(Self.outcome(sentence.text) == sentence.outcome, "\(sentence.text)")
    }

    @Test("A Korean sentence without blanks records the same, and none that asks records anything")
    func unspaced() {
        // Between nouns without blanks `약` is a medicine, not "about".
        for sentence in Sentence.korean
        where sentence.outcome != "memo" && !sentence.text.contains(" 약 ") {
            let joined = Self.outcome(sentence.text.filter { $0 != " " })
            #expect(
                Self.isAsked(joined) && Self.isAsked(sentence.outcome)
                    || joined == sentence.outcome,
                "\(sentence.text): \(joined)")
        }
    }

    @Test("A word that is not understood, wherever it stands, makes a sentence ask")
    func intruders() {
        let intruders = [
            "안", "못", "어제", "아까", "방금", "20분 전에", "3시에", "내일", "그리고", "30ml 더", "둘째", "민수",
            "거의", "말고", "할까", "아니", "하지 마", "20분", "not", "didn't", "never", "yesterday", "at",
            "3pm", "30 minutes ago", "should", "will", "if", "and then", "or", "maybe",
            "30 ml more", "emma", "twice", "half", "?", "2", "-5", "~", "delete", "cancel", "no",
            "tomorrow", "x",
        ]
        let recorded = (Sentence.english + Sentence.korean).filter {
            !Self.isAsked($0.outcome) && $0.outcome != "memo"
        }
        let disturbed = recorded.flatMap { sentence in
            let words = sentence.text.split(separator: " ").map(String.init)
            return intruders.flatMap { intruder in
                (0...words.count).map { place in
                    let all = words[..<place] + [intruder] + words[place...]
                    return (text: all.joined(separator: " "), sentence.outcome)
                }
            }
        }
        // Minutes beside hours are a part of them.
        for (text, before) in Cases.sample(disturbed) where !text.contains("시간 20분") {
            let outcome = Self.outcome(text)
            // A length completes a feed or a sleep that has none.
            let isLength = text.contains("20분") && outcome == before + " 20 min"
            #expect(Self.isAsked(outcome) || isLength, "\(text): \(outcome)")
        }
    }
}
