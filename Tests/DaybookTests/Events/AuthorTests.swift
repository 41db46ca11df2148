import Daybook
import TestSupport
import Testing

/// A note by somebody.
private struct SignedNote: EventPayload {
    static let kind: EventKind = "test.signed.v1"

    var number: Int64 = 0
    var by: Author?
    var readers: [Author] = []

    static var blank: Self { Self() }

    init() {}

    init(_ number: Int64, by: Author?, readers: [Author] = []) {
        self.number = number
        self.by = by
        self.readers = readers
    }

    var tags: [Daybook.Tag] { [] }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("number", &number)
        try field("by", &by)
        try field("readers", &readers)
    }
}

/// The forms of a field that names a user.
@Suite("Authors") struct AuthorTests {
    private static let erased: [UInt8] = [0x80, 0x00]

    @Test("A name has the bytes of a text, and an erased one those that no text begins with")
    func bytes() throws {
        let named = SignedNote(1, by: "kim", readers: ["é", ""])
        let clear: [UInt8] = [2, 1, 3, 0x6B, 0x69, 0x6D, 2, 2, 0xC3, 0xA9, 0]
        expect(BinaryWriter.bytes(named), equals: clear)
        try expect(BinaryReader.read(SignedNote.self, from: clear), equals: named)
        let gone = SignedNote(1, by: .erased, readers: [.erased, "é"])
        let without: [UInt8] = [2, 1] + Self.erased + [2] + Self.erased + [2, 0xC3, 0xA9]
        expect(BinaryWriter.bytes(gone), equals: without)
        try expect(BinaryReader.read(SignedNote.self, from: without), equals: gone)
        expect(BinaryWriter.bytes(SignedNote(1, by: nil)), equals: [2, 0, 0])
    }

    @Test("A payload that ends within a name or its mark is refused")
    func truncated() {
        for bytes in [[2, 1, 0x80], [2, 1, 0x80, 0x80, 0], [2, 1, 3, 0x6B], [2, 1]] as [[UInt8]] {
            #expect(throws: CorruptPayload.self, "\(bytes)") {
                try BinaryReader.read(SignedNote.self, from: bytes)
            }
        }
    }

    @Test("A new event lists the places of its names, and an erased one has none")
    func parts() {
        let event = NewEvent(
            SignedNote(1, by: "kim", readers: [.erased, "é", ""]),
            occurredAt: .init(microseconds: 0))
        expect(
            event.parts,
            equals: [
                PayloadPart(range: 2..<6, person: "kim"),
                PayloadPart(range: 9..<12, person: "é"),
            ])
    }

    @Test("An erased name is null in JSON and in every leaf")
    func json() {
        let note = SignedNote(1, by: .erased, readers: ["kim", .erased])
        expect(JSONWriter.text(note), equals: #"{"number":1,"by":null,"readers":["kim",null]}"#)
        expect(
            FlatFields.of(note).map { "\($0.path)=\($0.value)" },
            equals: [
                "number=1", "by=null", #"readers[0]="kim""#, "readers[1]=null",
            ])
    }

    @Test("The schema calls it a person, and a type with one holds personal values")
    func schema() {
        let fields = FieldDescription.fields(of: SignedNote.self)
        expect(fields.map(\.form), equals: ["integer", "person?", "[person]"])
        #expect(SignedNote.holdsPersonalValues)
        #expect(!TextsErased.holdsPersonalValues)
    }
}
