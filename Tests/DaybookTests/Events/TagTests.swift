import TestSupport
import Testing

@testable import Daybook

@Suite struct TagTests {
    /// True if a tag's bytes are a noun of a–z and hyphens, a colon and printable ASCII.
    private func isPlain(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return colon > 0 && colon + 1 < bytes.count
            && bytes[..<colon].allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "-") }
            && bytes[colon...].allSatisfy { (0x20...0x7E).contains($0) }
    }

    @Test("A tag of several parts has slashes between them and is in normalisation form C")
    func parts() {
        expect(Tag("slot", "open", "mia", "sleep").text, equals: "slot:open/mia/sleep")
        expect(Tag("wallet", "", "h").text, equals: "wallet:/h")
        expect(Tag("week", "e\u{301}", "2020-W10"), equals: Tag("week", "\u{E9}/2020-W10"))
    }

    @Test("The tags of a query's item are sorted, and each is in it once")
    func itemTags() {
        let item = Query.Item(tags: [Tag("b", "1"), Tag("a", "2"), Tag("b", "1"), Tag("a", "1")])
        expect(item.tags.map(\.text), equals: ["a:1", "a:2", "b:1"])
        expect(item, equals: Query.Item(tags: [Tag("a", "2"), Tag("a", "1"), Tag("b", "1")]))
    }

    @Test("A tag with any byte at any place is plain if each of its bytes is")
    func plain() {
        print("seed \(Cases.seed)")
        var generator = SeededGenerator(seed: Cases.seed)
        for length in 0..<26 {
            let id = (0..<length).map { _ in UInt8.random(in: 0x20...0x7E, using: &generator) }
            let tag = Array("entry-\(length):".utf8.filter { !(48...57).contains($0) }) + id
            expect(tag.span.bytes.isPlainTag, equals: isPlain(tag))
            for place in tag.indices {
                for byte in UInt8.min...UInt8.max {
                    var other = tag
                    other[place] = byte
                    guard other.span.bytes.isPlainTag != isPlain(other) else { continue }
                    Issue.record("\(other)")
                }
            }
        }
        for text in ["", ":", "a", "a:", ":a", "A:a", "a:a", "-:a:b"] {
            let bytes = Array(text.utf8)
            expect(bytes.span.bytes.isPlainTag, equals: isPlain(bytes))
        }
    }
}
