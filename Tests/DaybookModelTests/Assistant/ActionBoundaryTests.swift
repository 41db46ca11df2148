import Daybook
import Testing

@testable import DaybookModel

// Holds: s4-waits-for-baby
/// The events that a decision about an action depends on.
@Suite struct ActionBoundaryTests {
    private func tags(_ query: Query) -> Set<String> {
        Set((query.items ?? []).flatMap(\.tags).map(\.text))
    }

    private func command(_ text: String, babyId: String? = "b") -> Assistant.SendCommand {
        Assistant.SendCommand(
            actionId: "a", device: "d", words: text, babyId: babyId, by: "ana")
    }

    @Test("An entry that is recorded at once depends on its baby, a sleep on its slot too")
    func entries() {
        #expect(tags(command("log pee").query) == ["device:d", "entry:a", "profile:b"])
        #expect(
            tags(command("log start sleep").query)
                == ["device:d", "entry:a", "profile:b", "slot:open/b/sleep"])
        #expect(
            tags(command("log wake sleep").query)
                == ["device:d", "profile:b", "slot:open/b/sleep"])
    }

    @Test("A form, the chat, a refusal and an action that waits depend on the device alone")
    func others() {
        for text in ["pee", "is she well?", "record it", ""] {
            #expect(tags(command(text).query) == ["device:d"])
        }
        #expect(tags(command("log pee", babyId: nil).query) == ["device:d"])
    }

    @Test("An action that waited depends on what it became once it is known")
    func waiting() throws {
        let take = Assistant.TakeAction(device: "d", babyId: "b")
        #expect(tags(take.query) == ["device:d"])
        var context = Assistant.ActionContext.State()
        let now = Instant(microseconds: 0)
        let envelope = Envelope(position: Position(1), occurredAt: now, recordedAt: now)
        for event in try command("log pee", babyId: nil).decide(context, now: now) {
            Assistant.ActionContext.evolve(&context, with: event, envelope)
        }
        #expect(
            tags(take.query(knowing: context)) == ["device:d", "entry:a", "profile:b"])
    }
}
