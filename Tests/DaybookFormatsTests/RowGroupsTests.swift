import Daybook
import Testing

@testable import DaybookFormats

/// Rows that are alike, matched to what earlier files have left.
@Suite struct RowGroupsTests {
    private static let (some, other) = (Digest(bits: 1), Digest(bits: 2))

    @Test("Groups come in order, each once, without those that this file still has")
    func order() {
        var groups = RowGroups()
        groups.add("a", of: "a", Self.some)
        groups.add("b-sleep", of: "b", Self.other)
        groups.add("b-feed", of: "b", Self.other)
        groups.add("c", of: "c", Self.some)
        groups.add("d", of: "d", Self.some)
        groups.removeFirst(with: Self.some)
        groups.removeFirst(with: Digest(bits: 3))
        #expect(groups.removeFirst() == ["b-sleep", "b-feed"])
        groups.removeFirst(with: Self.other)
        groups.removeFirst(with: Self.some)
        #expect(groups.removeFirst() == ["d"])
        #expect(groups.removeFirst() == nil)
        groups.removeFirst(with: Self.some)
        #expect(groups.removeFirst() == nil)
    }

    @Test("Each group is looked at twice at most, however many rows are alike")
    func work() {
        let count = 20_000
        var groups = RowGroups()
        for index in 0..<count {
            groups.add("e\(index)", of: "e\(index)", Digest(bits: UInt64(index % 7)))
        }
        for index in 0..<count / 2 { groups.removeFirst(with: Digest(bits: UInt64(index % 7))) }
        var left = 0
        while groups.removeFirst() != nil { left += 1 }
        #expect(left == count / 2)
        #expect(groups.visitCount <= 2 * count)
    }
}
