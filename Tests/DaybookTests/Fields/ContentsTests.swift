import TestSupport
import Testing

@testable import Daybook

/// Earlier releases of Apple's systems take another way to the same bytes; it is tried everywhere.
@Suite("Contents in place") struct ContentsTests {
    static let texts = [
        "", "a", "fifteen letters", "sixteen letters!", "café", "한글", "👩‍👩‍👧", "nul\u{0}in it",
        String(repeating: "long ", count: 1_000),
    ]

    @Test("An array shows its elements on every release", arguments: [0, 1, 2, 1_000])
    func arrays(_ count: Int) {
        let elements = (0..<count).map { Int64($0) * 3 - 7 }
        let (now, before) = (elements.contents, elements.contentsBefore26)
        #expect(now.count == count && before.count == count)
        #expect(now.indices.allSatisfy { now[$0] == elements[$0] })
        #expect(before.indices.allSatisfy { before[$0] == elements[$0] })
    }

    @Test("A part of an array shows that part on every release")
    func slices() {
        let part = Array([1, 2, 3, 4, 5][1..<4])
        let before = part.contentsBefore26
        #expect(before.count == 3 && before[0] == 2 && before[2] == 4)
    }

    @Test("A text shows its UTF-8 on every release", arguments: texts)
    func shown(_ text: String) {
        let copy = { (bytes: Span<UInt8>) in bytes.indices.map { bytes[$0] } }
        #expect(text.withUTF8Bytes(copy) == Array(text.utf8))
    }

    @Test("An error passes through a text that is shown, on every release")
    func errors() {
        struct Failure: Error, Equatable {}
        #expect(throws: Failure()) {
            try "a".withUTF8Bytes { _ throws(Failure) in throw Failure() }
        }
    }

    @Test("A text is copied from its UTF-8 on every release", arguments: texts)
    func copied(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(String(copyingUTF8: bytes.contents) == text)
        #expect(String(copyingUTF8Before26: bytes.contents) == text)
    }

    @Test(
        "Bytes that are no UTF-8 make no text on any release",
        arguments: [
            [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x61, 0xFF], [0xE2, 0x82],
        ] as [[UInt8]])
    func invalid(_ bytes: [UInt8]) {
        #expect(String(copyingUTF8: bytes.contents) == nil)
        #expect(String(copyingUTF8Before26: bytes.contents) == nil)
        let isText = bytes.contents.isUTF8
        #expect(!isText)
    }

    @Test("Texts are in the order of their UTF-8 bytes")
    func order() {
        let seed = Cases.seed
        print("seed \(seed)")
        var sampler = Sampler(seed: seed)
        let letters = Array("abé한👧")
        let made = { (length: Int) in
            String((0..<length).map { _ in letters[sampler.below(letters.count)] })
        }
        var texts = Self.texts
        for _ in 0..<200 {
            // Texts with a common beginning of any length, so that every offset decides.
            let beginning = made(sampler.below(24))
            texts += [beginning, beginning + made(sampler.below(4)), beginning + made(3)]
        }
        for a in texts {
            for b in (0..<20).map({ _ in texts[sampler.below(texts.count)] }) {
                let expected = Array(a.utf8).lexicographicallyPrecedes(Array(b.utf8))
                #expect(a.precedesByBytes(b) == expected, "seed \(seed): '\(a)', '\(b)'")
            }
        }
        for start in ["", "entry:import-", "한"] {
            let elements = texts.enumerated().map { (text: start + $0.element, index: $0.offset) }
            let sorted = elements.sortedByBytes { $0.text }
            let expected = elements.sorted {
                Array($0.text.utf8).lexicographicallyPrecedes(Array($1.text.utf8))
            }
            #expect(sorted.map(\.index) == expected.map(\.index), "seed \(seed), after '\(start)'")
        }
        #expect([String]().sortedByBytes { $0 }.isEmpty)
    }
}
