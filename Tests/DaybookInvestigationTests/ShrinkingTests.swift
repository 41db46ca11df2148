import DaybookInvestigation
import TestSupport
import Testing

@Suite struct ShrinkingTests {
    @Test(
        "The smallest part that keeps a property is found among any others",
        arguments: 0..<40)
    func smallest(_ round: UInt64) {
        var random = SeededGenerator(seed: 12_000 + round)
        let elements = Array(0..<Int.random(in: 1...120, using: &random))
        let needed = Set(
            elements.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
        let (found, probeCount) = Shrinking.smallest(elements) { needed.isSubset(of: $0) }
        #expect(found == needed.sorted(), "seed \(12_000 + round)")
        #expect(probeCount < 600)
    }

    @Test("Shrinking keeps the order, and one of two alternatives")
    func orders() {
        let (found, _) = Shrinking.smallest(["b", "x", "a", "y", "b"]) { elements in
            guard let a = elements.firstIndex(of: "a") else { return false }
            return elements[a...].contains("b")
        }
        #expect(found == ["a", "b"])
    }

    @Test("Shrinking may leave nothing")
    func nothing() {
        #expect(Shrinking.smallest([1, 2, 3]) { _ in true }.elements.isEmpty)
        #expect(Shrinking.smallest([Int]()) { _ in true }.elements.isEmpty)
    }
}
