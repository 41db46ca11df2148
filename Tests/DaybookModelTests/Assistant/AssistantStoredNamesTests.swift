import Daybook
import TestSupport
import Testing

@testable import DaybookModel

/// The layouts in logs: a change here needs a new version of the kind, and an upcaster.
@Suite struct AssistantStoredNamesTests {
    @Test("The kinds and their fields stay as they are")
    func kinds() {
        let schema = Assistant.events.map { event in
            ([event.kind.name] + event.fields.map { "  \($0.name): \($0.form)" })
                .joined(separator: "\n")
        }
        expect(schema.joined(separator: "\n"), equals: Self.expected)
        let reading = FieldDescription.fields(of: Assistant.ActionValues.self)
            .map { "\($0.name): \($0.form)" }
        expect(reading.joined(separator: "\n"), equals: Self.reading)
    }

    @Test("Tags name the action, its device, and the baby once it is known")
    func tags() {
        var received = Assistant.ActionReceived(actionId: "a", device: "d")
        expect(received.tags.map(\.text), equals: ["action:a", "device:d"])
        received.babyId = "b"
        expect(received.tags.map(\.text), equals: ["action:a", "device:d", "baby:b"])
        let taken = Assistant.ActionTaken(actionId: "a", device: "d", babyId: "b")
        expect(taken.tags.map(\.text), equals: ["action:a", "device:d", "baby:b"])
    }

    @Test("The texts of an action are the baby's, and its own while no baby is known")
    func people() throws {
        let people = try Catalogue(Catalog.areas).people
        var received = Assistant.ActionReceived(actionId: "a", device: "d")
        expect(people.subject(of: received.tags)?.text, equals: "action:a")
        received.babyId = "b"
        expect(people.subject(of: received.tags)?.text, equals: "baby:b")
        expect(people.owned(by: Daybook.Tag("baby", "b"), among: received.tags).count, equals: 1)
    }

    private static let expected = """
        assistant.action-received.v1
          actionId: text
          device: text
          path: one of none, query, open
          feature: sealable text?
          query: personal text?
          memo: personal text?
          diaperType: sealable text?
          amountMl: integer?
          durationMin: integer?
          grams: integer?
          dose: integer?
          source: text
          linkBytes: integer
          route: one of none, chat, form, record
          reading: object
          babyId: text?
          entryId: text?
          by: person?
          rules: one of standard, source
        assistant.action-taken.v1
          actionId: text
          device: text
          babyId: text
          entryId: text?
          by: person?
          rules: one of standard, source
        """

    private static let reading = """
        tile: one of formula, breastfeed, weaning, diaper, sleep, medication, memo?
        amountMl: integer?
        durationMin: integer?
        diaper: one of pee, poo?
        sleep: one of start, end?
        grams: integer?
        dose: integer?
        hasText: boolean
        """
}
