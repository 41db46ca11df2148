import Daybook
import DaybookTesting
import Testing

/// `PinnedArea.events` and the forms of their fields, as a team commits them.
private let committed = """
    shelf.added.v1
        shelf: text
        amount: integer
    shelf.removed.v1
        shelf: text

    """

@Suite("Layout pins") struct LayoutPinsTests {
    @Test("The layouts are the kinds, and below each its fields with their forms")
    func text() {
        #expect(LayoutPins(of: PinnedArea.self).text == committed)
        #expect(LayoutPins(of: PinnedArea.self).faults(comparedWith: committed).isEmpty)
    }

    @Test("A field that changed without a new version is a fault that names the kind")
    func changed() {
        let before = committed.replacing("amount: integer", with: "amount: text")
        #expect(
            LayoutPins(of: PinnedArea.self).faults(comparedWith: before) == [
                "shelf.added.v1: the committed fields are (shelf: text; amount: text), but the "
                    + "area's are (shelf: text; amount: integer); a new layout needs a new version "
                    + "of the kind"
            ])
    }

    @Test("Fields that changed places are a fault")
    func order() {
        let before = committed.replacing(
            "    shelf: text\n    amount: integer", with: "    amount: integer\n    shelf: text")
        #expect(LayoutPins(of: PinnedArea.self).faults(comparedWith: before).count == 1)
    }

    @Test("A kind that is new or gone is a fault until it is pinned")
    func kinds() {
        let before = committed.replacing("shelf.removed.v1", with: "shelf.cleared.v1")
        #expect(
            LayoutPins(of: PinnedArea.self).faults(comparedWith: before) == [
                "shelf.removed.v1 is missing from the committed layouts; add its lines",
                "shelf.cleared.v1 has a committed layout, but the area lacks it",
            ])
    }
}

private enum PinnedArea: Area {
    static let name = "shelf"
    static let events = [EventDescription(Removed.self), EventDescription(Added.self)]
    static let commands: [CommandDescription] = []
    static let projections: [ProjectionDescription] = []
}
