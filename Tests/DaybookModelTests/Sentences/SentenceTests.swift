import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// What each kind of event says to people.
@Suite("The sentences of events") struct SentenceTests {
    @Test("Each kind says what a support person would", arguments: Saying.all)
    func says(_ saying: Saying) {
        expect(saying.said, equals: saying.sentence, "\(type(of: saying.payload).kind)")
    }

    @Test("The table has every kind of the model")
    func isWhole() throws {
        let said = Set(Saying.all.map { type(of: $0.payload).kind })
        expect(Set(Catalog.areas.flatMap { $0.events.map(\.kind) }).subtracting(said), equals: [])
    }

    @Test("Erased texts are called erased, in every kind that has texts")
    func erased() throws {
        let texts = PersonalText(seal: Array(repeating: 1, count: 32))
        let note = BabyCare.EntryRecorded(
            kind: .memo, started: Saying.seoul("14:00"), text: texts, caregiver: texts)
        expect(Saying(note, "").said, equals: "memo (erased), by (erased)")
        let message = Chat.MessageAppended(sent: Saying.seoul("14:00"), text: texts, imageCount: 1)
        expect(Saying(message, "").said, equals: "message: (erased), 1 image")
    }
}
