import Daybook
import TestSupport
import Testing

/// A record with a field of every form.
private struct Everything: Record {
    enum Colour: UInt8, StoredEnum {
        case red, green
    }

    struct Inner: Record {
        var flag = false

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("flag", &flag)
        }
    }

    var integer: Int64 = 0
    var text = ""
    var digest = Digest(bits: 0)
    var colour = Colour.red
    var maybe: Int64?
    var list: [String] = []
    var map: [String: Int64] = [:]
    var inner = Inner()

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("integer", &integer)
        try field("text", &text)
        try field("digest", &digest)
        try field("colour", &colour)
        try field("maybe", &maybe)
        try field("list", &list)
        try field("map", &map)
        try field("inner", &inner)
    }

    static let sample = {
        var value = Everything()
        value.integer = -65
        value.text = "é"
        value.digest = Digest(bits: 0x0102_0304_0506_0708)
        value.colour = .green
        value.maybe = 1
        value.list = ["a", ""]
        value.map = ["b": 2, "a": 1]
        value.inner.flag = true
        return value
    }()

    /// Bytes written by hand from the table in `docs/format.md`.
    static let bytes: [UInt8] = [
        0x81, 0x01,  // -65: zigzag 129
        2, 0xC3, 0xA9,  // "é"
        1, 2, 3, 4, 5, 6, 7, 8,  // digest
        1,  // green
        1, 2,  // some 1
        2, 1, 0x61, 0,  // ["a", ""]
        2, 1, 0x61, 2, 1, 0x62, 4,  // {"a": 1, "b": 2}
        1,  // {true}
    ]
}

@Suite struct BinaryFormTests {
    @Test("A record has the bytes of the format document")
    func aRecordIsTheBytesOfTheDocument() throws {
        expect(BinaryWriter.bytes(Everything.sample), equals: Everything.bytes)
        try expect(BinaryReader.read(Everything.self, from: Everything.bytes), equals: .sample)
    }

    @Test("Bytes that end early are refused", arguments: 0..<Everything.bytes.count)
    fileprivate func truncated(count: Int) {
        #expect(throws: CorruptPayload.self) {
            try BinaryReader.read(Everything.self, from: Array(Everything.bytes[..<count]))
        }
    }

    @Test(
        "Integers are written in as few bytes as they need and read back",
        arguments: [
            (0, [0]), (-1, [1]), (1, [2]), (63, [126]), (64, [0x80, 0x01]), (-64, [127]),
            (.max, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
            (.min, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        ] as [(Int64, [UInt8])])
    func integers(_ value: Int64, _ bytes: [UInt8]) throws {
        expect(BinaryWriter.bytes(value), equals: bytes)
        try expect(BinaryReader.read(Int64.self, from: bytes), equals: value)
    }

    @Test(
        "Bytes that no writer produces are refused",
        arguments: [
            [0x80, 0x00],  // a zero tail
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],  // 65 bits
            [0, 0],  // trailing bytes
        ] as [[UInt8]])
    func nonCanonicalIntegers(_ bytes: [UInt8]) {
        #expect(throws: CorruptPayload.self) { try BinaryReader.read(Int64.self, from: bytes) }
    }

    @Test("An integer of any length reads alike at any distance from the end")
    func integersNearTheEnd() throws {
        for bits in 0..<64 {
            for value in [Int64(1) << Int64(bits), -1 << Int64(bits), .max >> Int64(bits)] {
                let own = BinaryWriter.bytes(value)
                for others in 0..<12 {
                    let list = [value] + Array(repeating: 0, count: others)
                    let bytes = BinaryWriter.bytes(list)
                    try expect(BinaryReader.read([Int64].self, from: bytes), equals: list)
                    let after = Array(repeating: UInt8(0), count: others)
                    var long = own
                    long[long.count - 1] |= 0x80
                    #expect(
                        throws: own.count == 10
                            ? CorruptPayload.invalid(
                                field: "",
                                found: "an integer of more than the allowed 64 bits")
                            : .invalid(
                                field: "",
                                found: "an integer that ends with a superfluous zero byte")
                    ) { try BinaryReader.read([Int64].self, from: [1] + long + [0] + after) }
                }
                #expect(throws: CorruptPayload.truncated(field: "")) {
                    try BinaryReader.read([Int64].self, from: [2, 0] + own.dropLast())
                }
            }
        }
    }

    @Test("A text of any length is read where it is UTF-8 and refused where it is not")
    func texts() throws {
        for count in 0..<40 {
            let ascii = String(repeating: "a", count: count)
            for index in 0...count {
                let text = ascii.prefix(index) + "é" + ascii.dropFirst(index)
                let bytes = BinaryWriter.bytes(String(text))
                #expect(try BinaryReader.read(String.self, from: bytes) == text)
                var broken = bytes
                broken[1 + index] = 0xFF
                #expect(
                    throws: CorruptPayload.invalid(field: "", found: "bytes that are not UTF-8")
                ) { try BinaryReader.read(String.self, from: broken) }
            }
            try expect(
                BinaryReader.read(String.self, from: BinaryWriter.bytes(ascii)), equals: ascii)
        }
    }

    @Test("An error names the innermost field that it is in")
    func fieldsOfErrors() {
        func error(_ change: (inout [UInt8]) -> Void) -> CorruptPayload? {
            var bytes = Everything.bytes
            change(&bytes)
            do throws(CorruptPayload) {
                _ = try BinaryReader.read(Everything.self, from: bytes)
                return nil
            } catch {
                return error
            }
        }
        expect(error { $0 = [] }, equals: .truncated(field: "integer"))
        expect(error { $0 = Array($0.prefix(4)) }, equals: .truncated(field: "text"))
        expect(
            error { $0[3] = 0xFF },
            equals: .invalid(field: "text", found: "bytes that are not UTF-8"))
        #expect(
            error { $0[13] = 9 }
                == .invalid(field: "colour", found: "the number 9, which no case of the enum has"))
        #expect(
            error { $0[14] = 7 }
                == .invalid(field: "maybe", found: "the byte 7, but only 0 or 1 is allowed here"))
        #expect(
            error { $0[$0.count - 1] = 2 }
                == .invalid(field: "flag", found: "the byte 2, but only 0 or 1 is allowed here"))
        expect(error { $0.append(0) }, equals: .trailingBytes(1))
    }

    @Test(
        "Each form refuses the values of another",
        arguments: [[2], [1, 0xFF], [9, 0x61]] as [[UInt8]])
    func invalidForms(_ bytes: [UInt8]) {
        #expect(throws: CorruptPayload.self) { try BinaryReader.read(Bool.self, from: bytes) }
        #expect(throws: CorruptPayload.self) { try BinaryReader.read(String.self, from: bytes) }
    }

    @Test("Damaged bytes never crash the reader", arguments: [1, 2, 3] as [UInt64])
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            var bytes = Everything.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                let value = try BinaryReader.read(Everything.self, from: bytes)
                // Whatever it is, it has one canonical form, which reads back as itself.
                let written = BinaryWriter.bytes(value)
                try expect(
                    BinaryReader.read(Everything.self, from: written), equals: value, "seed \(seed)"
                )
            } catch {}
        }
    }

    @Test("JSON, schema and leaves come from the same list of fields")
    func jsonSchemaAndLeavesComeFromTheSameList() throws {
        let json = JSONWriter.text(Everything.sample)
        expect(
            json,
            equals: """
                {"integer":-65,"text":"é","digest":"sha256:0102030405060708","colour":"green",\
                "maybe":1,"list":["a",""],"map":{"a":1,"b":2},"inner":{"flag":true}}
                """)
        let rules = InputRules(digest: { _ in 0 }, normalise: { $0 })
        let tree = try JSONParser.parse(json.utf8)
        try expect(TreeReader.read(Everything.self, from: tree, rules: rules), equals: .sample)
        expect(
            FieldDescription.fields(of: Everything.self).map { "\($0.name): \($0.form)" },
            equals: [
                "integer: integer", "text: text", "digest: digest", "colour: one of red, green",
                "maybe: integer?", "list: [text]", "map: {integer}", "inner: object",
            ])
        var changed = Everything.sample
        changed.map["b"] = 3
        changed.list = []
        let changes = FieldChange.between(
            FlatFields.of(Everything.sample), FlatFields.of(changed))
        expect(
            changes.map { "\($0.path): \($0.before ?? "-") -> \($0.after ?? "-")" },
            equals: [
                "list: - -> []", "map.b: 2 -> 3", "list[0]: \"a\" -> -", "list[1]: \"\" -> -",
            ])
    }
}
