import Daybook
import TestSupport
import Testing

/// Lists whose elements have keys, in two versions of a record.
@Suite struct KeyedListsTests {
    private struct Part: Record {
        var partId = ""
        var size: Int64 = 0
        static var blank: Self { Self() }
        static var elementKey: String? { "partId" }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("partId", &partId, "size", &size)
        }
    }

    private struct Box: Record {
        var number: Int64 = 0
        var parts: [Part] = []
        static var blank: Self { Self() }
        static var elementKey: String? { "number" }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("number", &number, "parts", &parts)
        }
    }

    private struct Shelf: Record {
        var name = ""
        var boxes: [Box] = []
        var spare: [String: Box] = [:]
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name, "boxes", &boxes, "spare", &spare)
        }
    }

    private func changes(_ before: Shelf, _ after: Shelf) -> [String] {
        let lists = KeyedLists(FieldDescription.fields(of: Shelf.self, isInput: false))
        return FieldChange.between(FlatFields.of(before), FlatFields.of(after), lists)
            .withWholeElements
            .map { "\($0.path): \($0.before ?? "–") → \($0.after ?? "–")" }
    }

    private func box(_ number: Int64, _ sizes: KeyValuePairs<String, Int64>) -> Box {
        Box(number: number, parts: sizes.map { Part(partId: $0.key, size: $0.value) })
    }

    @Test("Elements that came, went and changed are named by their keys, in lists of lists too")
    func keys() {
        let before = Shelf(
            name: "s", boxes: [box(7, ["a": 1, "b": 2]), box(9, ["c": 3])],
            spare: ["x": box(1, ["d": 4])])
        var after = before
        after.boxes.insert(box(8, ["n": 5]), at: 0)
        after.boxes[1].parts.removeFirst()
        after.boxes[2].parts[0].size = 33
        after.spare["x"]?.parts.insert(Part(partId: "e", size: 6), at: 0)
        #expect(
            changes(before, after) == [
                #"boxes[8]: – → {"number": 8, "parts[n].partId": "n", "parts[n].size": 5}"#,
                "boxes[9].parts[c].size: 3 → 33",
                #"spare.x.parts[e]: – → {"partId": "e", "size": 6}"#,
                #"boxes[7].parts[a]: {"partId": "a", "size": 1} → –"#,
            ])
        #expect(changes(before, before).isEmpty)
    }

    @Test("Another order of the same elements is a difference of the list")
    func order() {
        let before = Shelf(boxes: [box(1, ["a": 1, "b": 2, "gone": 0]), box(2, [:])])
        var after = before
        after.boxes.swapAt(0, 1)
        after.boxes[1].parts = [Part(partId: "b", size: 2), Part(partId: "a", size: 1)]
        #expect(
            changes(before, after) == [
                #"boxes[1].parts[gone]: {"partId": "gone", "size": 0} → –"#,
                #"boxes[1].parts: ["a","b"] → ["b","a"]"#, #"boxes: ["1","2"] → ["2","1"]"#,
            ])
    }

    @Test("A key that stands twice leaves the list to the numbers of its elements")
    func twice() {
        let before = Shelf(boxes: [box(1, [:]), box(2, [:])])
        var after = before
        after.boxes[0].number = 2
        #expect(changes(before, after) == ["boxes[0].number: 1 → 2"])
    }

    @Test("Any two versions differ in the same elements with keys and without")
    func sameVerdict() {
        var generator = SeededGenerator(seed: 20_261_122)
        for _ in 0..<200 {
            let versions = (0..<2).map { _ in
                Shelf(
                    boxes: (0..<Int64.random(in: 0...3, using: &generator)).map { _ in
                        box(
                            Int64.random(in: 0...2, using: &generator),
                            ["p": Int64.random(in: 0...1, using: &generator)])
                    })
            }
            #expect(changes(versions[0], versions[1]).isEmpty == (versions[0] == versions[1]))
        }
    }
}
