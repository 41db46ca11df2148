import Daybook
import DaybookModel
import TestSupport
import Testing

/// What an audit of facts reads from a payload along its layout, and what its type says.
@Suite struct EventFactsTests {
    @Test("The layout finds the values outside their limits and the author as the type does")
    func agrees() throws {
        var sampler = Sampler(seed: 20_261_125)
        var outside = 0
        var authors = 0
        let catalogue = try Catalogue(Catalog.areas)
        let kinds = catalogue.events.values.sorted { $0.kind.name < $1.kind.name }
        for description in kinds {
            for round in 0..<40 {
                let bytes = description.sample(&sampler)
                let payload = bytes.contents.bytes
                let facts = try description.outOfLimitsAndAuthor(payload)
                let place: Comment = "\(description.kind), round \(round)"
                #expect(facts.outOfLimits == (try description.outOfLimits(payload)), place)
                #expect(facts.author == (try description.author(payload)), place)
                outside += facts.outOfLimits.isEmpty ? 0 : 1
                authors += facts.author == nil ? 0 : 1
            }
        }
        // Both answers must occur, or the test shows nothing.
        #expect(outside > 100 && authors > 100, "\(outside) outside, \(authors) authors")
    }
}
