import Daybook
import DaybookInvestigation
import Testing

@testable import DaybookModel

/// Pairs of kinds whose order does not matter.
@Suite struct OrderSafetyTests {
    private static let catalogue = Result { try Catalogue(Catalog.areas) }

    private func generated(_ name: String) throws -> [String: OrderSafety.Pair] {
        let catalogue = try Self.catalogue.get()
        let projection = try #require(catalogue.projections[name])
        var safety = OrderSafety(of: projection, .standard, in: catalogue)
        try safety.testGeneratedEvents(trialsPerPair: 100)
        return Dictionary(
            uniqueKeysWithValues: safety.pairs.map { ("\($0.first.stem), \($0.second.stem)", $0) })
    }

    @Test("Closing an entry and editing it do not commute, and unread events do")
    func entries() throws {
        let pairs = try generated("entry")
        let edited = try #require(pairs["baby-care.entry-closed, baby-care.entry-edited"])
        #expect(!edited.commutes && edited.generatedTrials.differingCount > 0)
        let quiet = try #require(pairs["baby-care.data-exported, baby-care.data-imported"])
        #expect(quiet.commutes && quiet.generatedTrials.count > 0)
        #expect(pairs.values.allSatisfy { $0.generatedTrials.count >= 100 })
    }

    @Test("Neighbouring events of a history are folded in both orders")
    func recorded() throws {
        let catalogue = try Self.catalogue.get()
        let projection = try #require(catalogue.projections["consents"])
        var safety = OrderSafety(of: projection, .standard, in: catalogue)
        func consent(
            _ number: UInt64, _ kind: Household.Consent, granted: Bool
        ) -> RecordedEvent {
            let event = NewEvent(
                Household.ConsentChanged(
                    userId: "u", kind: kind, isGranted: granted, version: "1"),
                occurredAt: Instant(microseconds: 7))
            return RecordedEvent(
                envelope: Envelope(
                    position: Position(number), occurredAt: event.occurredAt,
                    recordedAt: event.occurredAt), kind: event.kind, tags: event.tags, zone: "",
                payload: event.payload)
        }
        // Answers to two questions in either order; then the same question twice.
        try safety.apply(consent(1, .terms, granted: true), ["u"])
        try safety.apply(consent(2, .privacy, granted: true), ["u"])
        #expect(
            safety.pairs.map(\.recordedTrials) == [OrderSafety.Trials(count: 1, differingCount: 0)])
        try safety.apply(consent(3, .privacy, granted: false), ["u"])
        let pair = try #require(safety.pairs.first)
        #expect(pair.recordedTrials == OrderSafety.Trials(count: 2, differingCount: 1))
        #expect(pair.example?.positions == [Position(2), Position(3)])
        #expect(
            pair.example?.changes.map(\.path) == ["consents.u/privacy.granted"]
                || pair.example?.changes.map(\.path) == ["consents.privacy.granted"])
        #expect(!pair.commutes)
    }
}
