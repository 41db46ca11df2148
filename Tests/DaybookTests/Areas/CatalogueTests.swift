import Daybook
import Synchronization
import TestSupport
import Testing

/// The tables of a catalogue.
@Suite struct CatalogueTests {
    /// An area that counts how often its commands and events are read.
    private enum Counting: Area {
        static let name = "counting"
        static let eventReads = Atomic(0)
        static let commandReads = Atomic(0)
        static let projections: [ProjectionDescription] = []

        static var events: [EventDescription] {
            eventReads.add(1, ordering: .relaxed)
            return []
        }

        static var commands: [CommandDescription] {
            commandReads.add(1, ordering: .relaxed)
            return []
        }
    }

    @Test("A table is created at its first use, and only once")
    func tablesAreCreatedWhenUsed() {
        let catalogue = Catalogue(unchecked: [Counting.self])
        for _ in 1...2 { expect(catalogue.events.count, equals: 1) }
        expect(Counting.eventReads.load(ordering: .relaxed), equals: 1)
        expect(Counting.commandReads.load(ordering: .relaxed), equals: 0)
    }
}
