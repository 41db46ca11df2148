import Daybook
import TestSupport
import Testing

/// Bytes that are laid out by hand, so that the layout is not held to what the writer makes of them.
@Suite struct PayloadLayoutTests {
    private enum Size: UInt8, StoredEnum { case small, large }

    private struct Part: Record {
        var title = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("title", &title)
        }
    }

    private struct Parcel: Record {
        var weight: Int64 = 0
        var sentUs = Instant.epoch
        var arrived = Instant.epoch
        var size = Size.small
        var isOpen = false
        var note: String?
        var parts: [Part] = []
        var counts: [String: Int64] = [:]
        var letter = PersonalText("")
        var working: Int64 = 0
        var added: String?
        var addedLater: Int64?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("weight", &weight, "sentUs", &sentUs, "arrived", &arrived)
            try field("size", &size, "isOpen", &isOpen, "note", &note)
            try field("parts", &parts, "counts", &counts, "letter", &letter)
            try field.internalField("working", &working)
            try field.addedField("added", &added)
            try field.addedField("addedLater", &addedLater)
        }
    }

    private struct Slip: Record {
        var place = Position.origin
        var note: String?
        var detail = JSONText.blank
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("place", &place)
            try field.optionalField("note", &note)
            try field("detail", &detail)
        }
    }

    @Test(
        "Positions, JSON and fields that may be left out are written as by their type",
        arguments: [
            ([14, 0, 2, 0x7B, 0x7D], #"{"place":7,"detail":{}}"#),
            ([14, 1, 1, 0x61, 2, 0x5B, 0x5D], #"{"place":7,"note":"a","detail":[]}"#),
        ] as [([UInt8], String)])
    func slips(_ bytes: [UInt8], _ json: String) throws {
        var writer = JSONWriter()
        try PayloadLayout(of: Slip.self).write(
            bytes.contents.bytes, { _ in nil }, to: &writer)
        #expect(writer.text == json)
        #expect(JSONWriter.text(try BinaryReader.read(Slip.self, from: bytes)) == json)
    }

    @Test("A position below 0 is refused, since it is read as another one")
    func negative() {
        let bytes: [UInt8] = [1, 0, 2, 0x7B, 0x7D]
        #expect(throws: CorruptPayload.self) {
            try PayloadLayout(of: Slip.self).sealOffsets(in: bytes.contents.bytes)
        }
    }

    private static let seal = [UInt8](repeating: 7, count: 32)

    private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }

    /// The bytes from the weight to the open flag, which none of the cases change.
    private static let head: [UInt8] = [5, 2, 0, 1, 1]

    private static func parcel(
        note: [UInt8] = [1] + text("ein \"Päckchen\""), parts: [UInt8] = [1] + text("lid"),
        counts: [UInt8] = [2] + text("a") + [2] + text("b") + [4], added: [UInt8] = []
    ) -> [UInt8] {
        head + note + parts + counts + seal + [6] + added
    }

    private func json(_ bytes: [UInt8]) throws -> String {
        var writer = JSONWriter()
        try PayloadLayout(of: Parcel.self).write(
            bytes.contents.bytes, { $0 == 0 ? "dear" : nil }, to: &writer)
        return writer.text
    }

    @Test("A payload is written as JSON without the field that is not shown")
    func writes() throws {
        #expect(
            try json(Self.parcel()) == """
                {"weight":-3,"sentUs":1,"arrived":0,"size":"large","isOpen":true,\
                "note":"ein \\"Päckchen\\"","parts":[{"title":"lid"}],"counts":{"a":1,"b":2},\
                "letter":"dear","added":null,"addedLater":null}
                """)
    }

    @Test("The seal of a personal text is found where it lies")
    func seals() throws {
        let bytes = Self.parcel()
        let offsets = try PayloadLayout(of: Parcel.self).sealOffsets(in: bytes.contents.bytes)
        #expect(offsets.map { Array(bytes[$0..<$0 + 32]) } == [Self.seal])
    }

    @Test(
        "Added fields are read as far as the payload has them",
        arguments: [
            ([1] + text("x"), #""added":"x","addedLater":null}"#),
            ([0, 1, 8], #""added":null,"addedLater":4}"#),
            ([1] + text("x") + [1, 8], #""added":"x","addedLater":4}"#),
        ] as [([UInt8], String)])
    func added(_ bytes: [UInt8], _ end: String) throws {
        #expect(try json(Self.parcel(added: bytes)).hasSuffix(end))
    }

    @Test(
        "A payload in another form than the canonical one is refused",
        arguments: [
            ("an added field that is absent and written", parcel(added: [0])),
            (
                "a later added field that is absent and written",
                parcel(added: [1] + text("x") + [0])
            ),
            ("keys in the wrong order", parcel(counts: [2] + text("b") + [2] + text("a") + [4])),
            ("a key that is repeated", parcel(counts: [2] + text("a") + [2] + text("a") + [4])),
            ("a text that is no UTF-8", parcel(note: [1, 2, 0xC3, 0x28])),
            ("a surrogate in UTF-8", parcel(note: [1, 3, 0xED, 0xA0, 0x80])),
            ("an integer with a zero tail", [0x85, 0] + parcel().dropFirst()),
            ("a code without a case", [5, 2, 0, 2, 1] + parcel().dropFirst(5)),
            ("a boolean that is neither", [5, 2, 0, 1, 2] + parcel().dropFirst(5)),
            ("bytes after the last field", parcel(added: [1] + text("x") + [1, 8, 9])),
        ] as [(String, [UInt8])])
    func refuses(_ fault: String, _ bytes: [UInt8]) {
        #expect(throws: CorruptPayload.self) { try json(bytes) }
        #expect(throws: CorruptPayload.self) {
            try PayloadLayout(of: Parcel.self).sealOffsets(in: bytes.contents.bytes)
        }
    }

    @Test("A payload that is cut off is refused", arguments: 0..<parcel().count)
    func truncated(_ count: Int) {
        let bytes = Array(Self.parcel().prefix(count))
        #expect(throws: CorruptPayload.self) { try json(bytes) }
    }

    @Test("After a refusal, the writer has what it had before, and goes on")
    func refusalInAList() throws {
        let (good, bad) = (Self.parcel(), Self.parcel(counts: [2] + Self.text("b")))
        let layout = PayloadLayout(of: Parcel.self)
        let alone = try json(good)
        var writer = JSONWriter()
        writer.array { writer in
            for bytes in [bad, good, bad, good] {
                try? layout.write(bytes.contents.bytes, { _ in "dear" }, to: &writer)
            }
        }
        #expect(writer.text == "[\(alone),\(alone)]")
    }

    @Test("Sampled records have the same JSON along their layout as by their type")
    func samples() throws {
        let seed = Cases.seed
        print("seed \(seed)")
        var sampler = Sampler(seed: seed)
        let layout = PayloadLayout(of: Parcel.self)
        for _ in 0..<1_000 {
            let parcel = sampler.record(Parcel.self)
            var writer = JSONWriter()
            let bytes = BinaryWriter.bytes(parcel)
            try layout.write(bytes.contents.bytes, { _ in nil }, to: &writer)
            var erased = parcel
            erased.letter.text = nil
            #expect(writer.text == JSONWriter.text(erased), "seed \(seed)")
        }
    }
}
