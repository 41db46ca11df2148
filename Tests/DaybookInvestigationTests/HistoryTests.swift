import Daybook
import DaybookInvestigation
import Testing

@Suite struct HistoryTests {
    @Test("A history lists the events of its entity alone, each with every change")
    func listsEveryChange() throws {
        let shelf = try ShelfLog([("a", "attic"), ("b", "attic"), ("a", "cellar")])
        let history = History(of: shelf.copy, "a", .standard, in: try shelf.reading())
        var steps: [Timeline.Step] = []
        try history.forEach { steps.append($0) }
        #expect(steps.map(\.event.position) == [Position(1), Position(3)])
        #expect(steps.map(\.isFirst) == [true, false])
        #expect(steps.allSatisfy { $0.changes.map(\.path) == ["place", "moves"] })
    }
}
