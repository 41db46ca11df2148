import Domain
import EventSourcing
import Testing

@Suite struct CatalogTests {
    @Test("the areas make a catalogue: no name stands twice, no upcaster is missing")
    func isValid() throws {
        let catalogue = try Catalogue(Catalog.areas)
        #expect(!catalogue.events.isEmpty)
        for area in Catalog.areas {
            #expect(area.events.allSatisfy { $0.kind.area == area.name })
            #expect(area.commands.allSatisfy { $0.name.hasPrefix("\(area.name).") })
        }
    }
}
