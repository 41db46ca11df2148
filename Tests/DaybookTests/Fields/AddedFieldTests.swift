import Daybook
import Testing

@Suite struct AddedFieldTests {
    private struct Before: Record {
        var name = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name)
        }
    }

    private struct Now: Record, Hashable {
        var name = ""
        var title: String?
        var count: Int64?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("name", &name)
            try field.addedField("title", &title)
            try field.addedField("count", &count)
        }
    }

    private struct Holder: Record, Hashable {
        var inner = Now()
        var last = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("inner", &inner, "last", &last)
        }
    }

    @Test("An older event reads without the added fields, and is written again byte for byte")
    func older() throws {
        let bytes = BinaryWriter.bytes(Before(name: "n"))
        let read = try BinaryReader.read(Now.self, from: bytes)
        #expect(read == Now(name: "n"))
        #expect(BinaryWriter.bytes(read) == bytes)
    }

    @Test(
        "Added fields come back, whichever of them have a value",
        arguments: [nil, "t"] as [String?], [nil, 7] as [Int64?])
    func roundTrip(_ title: String?, _ count: Int64?) throws {
        let value = Now(name: "n", title: title, count: count)
        #expect(try BinaryReader.read(Now.self, from: BinaryWriter.bytes(value)) == value)
        let held = Holder(inner: value, last: "l")
        #expect(try BinaryReader.read(Holder.self, from: BinaryWriter.bytes(held)) == held)
    }

    @Test("Bytes after the last field are refused, and so is an added field cut off")
    func malformed() {
        let whole = BinaryWriter.bytes(Now(name: "n", title: "title", count: 1))
        #expect(throws: CorruptPayload.self) {
            try BinaryReader.read(Now.self, from: whole + [0])
        }
        #expect(throws: CorruptPayload.self) {
            try BinaryReader.read(Now.self, from: Array(whole.prefix(5)))
        }
    }
}
