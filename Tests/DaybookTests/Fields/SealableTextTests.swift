import Daybook
import TestSupport
import Testing

/// One field with a plain form and a sealed one.
@Suite struct SealableTextTests {
    private static let seal = (0..<32).map { UInt8($0) }

    /// Bytes made by hand, from the table in `docs/format.md`.
    private static let sealedBytes: [UInt8] = [33, 0xFF] + seal

    private func read(_ bytes: [UInt8]) throws -> SealableText {
        try BinaryReader.read(SealableText.self, from: bytes)
    }

    @Test("Both forms of a sealable text are read and written unchanged")
    func bothFormsAreReadAndWrittenAsTheyAre() throws {
        try expect(read([2, 0x61, 0x62]), equals: .plain("ab"))
        try expect(read([0]), equals: .plain(""))
        try expect(read(Self.sealedBytes), equals: .sealed(PersonalText(seal: Self.seal)))
        let long = [33] + Array(repeating: UInt8(ascii: "x"), count: 33)
        try expect(read(long), equals: .plain(String(repeating: "x", count: 33)))
        for bytes in [[2, 0x61, 0x62], [0], Self.sealedBytes, long] {
            expect(BinaryWriter.bytes(try read(bytes)), equals: bytes)
        }
    }

    @Test("A new text is sealed behind the mark")
    func offset() throws {
        var writer = BinaryWriter()
        var value = SealableText("secret")
        SealableText.visit(&writer, &value)
        expect(writer.bytes, equals: [33, 0xFF] + Array(repeating: 0, count: 32))
        expect(writer.personal, equals: [PayloadText(offset: 2, text: "secret")])
        var plain = SealableText.plain("old")
        SealableText.visit(&writer, &plain)
        expect(writer.personal.count, equals: 1)
    }

    @Test("A mark in another place is not a text, nor is a truncated seal", arguments: 1..<33)
    func damaged(_ count: Int) {
        #expect(throws: CorruptPayload.self) { try read(Array(Self.sealedBytes.prefix(count))) }
        #expect(throws: CorruptPayload.self) {
            try read([UInt8(count)] + Self.sealedBytes.dropFirst().prefix(count))
        }
    }

    @Test("Input is sealed and shown with its text")
    func inputIsSealedAndShownWithItsText() throws {
        let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })
        let tree = try JSONParser.parse("\"a word\"".utf8)
        let value = try TreeReader.read(SealableText.self, from: tree, rules: rules)
        expect(value, equals: SealableText("a word"))
        expect(JSONWriter.text(value), equals: "\"a word\"")
        expect(JSONWriter.text(SealableText.plain("old")), equals: "\"old\"")
        #expect(try read(Self.sealedBytes).text == nil)
    }
}
