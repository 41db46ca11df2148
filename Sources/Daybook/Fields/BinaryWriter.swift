/// A writer of values in their binary form, which is canonical: equal values give equal bytes.
///
/// | value | bytes |
/// |---|---|
/// | integer | zigzag, then LEB128: seven bits a byte, lowest first, high bit for more |
/// | boolean | 0 or 1 |
/// | text | LEB128 byte count, UTF-8 |
/// | digest | 8 bytes, the first ones of a SHA-256 |
/// | personal text | 32 bytes, SHA-256(salt ‖ text) |
/// | sealable text | a text; or the number 33, the byte 0xFF and a personal text |
/// | author | as a text; 80 00 if erased, or stored separately by the log |
/// | personal integer | as an integer; 80 00 if erased, or stored separately by the log |
/// | case of a stored enum | its number, 1 byte |
/// | optional | 0, or 1 and the value |
/// | list | LEB128 count, the values |
/// | map | LEB128 count, key and value by ascending UTF-8 of the key |
/// | record | its fields in order, without names |
/// | added fields, last of an event | as optionals, up to the last field that has a value |
@usableFromInline package struct BinaryWriter: FieldVisitor, Sendable {
    public typealias Failure = Never

    /// The bytes written so far, which `bytes` makes public.
    @usableFromInline var buffer: [UInt8] = []
    /// The personal texts written so far whose text is not `nil`; `personal` makes them public.
    @usableFromInline var texts: [PayloadText] = []
    /// The places of the users' names and personal integers written so far, in order.
    @usableFromInline var writtenParts: [PayloadPart] = []
    /// The seals (salted hashes) of the personal texts written so far, including erased texts.
    @usableFromInline var seals: [[UInt8]] = []
    /// The nesting depth of the record that is being written; 1 for the payload of an event.
    @usableFromInline var depth = 0
    /// The number of fields without a value since the last field with one, among added fields.
    @usableFromInline var absentFieldCount = 0

    /// Creates an empty writer.
    @inlinable public init() { buffer.reserveCapacity(240) }

    @inlinable init(writing record: some Record) {
        self.init()
        var record = record
        self.record(&record)
    }

    /// Discards everything written so far, but keeps the memory, so that the next value reuses it.
    @inlinable mutating func clear() {
        buffer.removeAll(keepingCapacity: true)
        if !texts.isEmpty { texts.removeAll() }
        if !seals.isEmpty { seals.removeAll() }
        absentFieldCount = 0
        if !writtenParts.isEmpty { writtenParts.removeAll() }
    }

    /// The bytes written so far.
    @inlinable public var bytes: [UInt8] { buffer }

    /// The personal texts written so far, with the offsets of their seals in `bytes`.
    @inlinable public var personal: [PayloadText] { texts }

    /// The places in `bytes` of users' names and personal integers, which a log stores separately.
    @inlinable public var parts: [PayloadPart] { writtenParts }

    /// Returns the binary form of a value.
    @inlinable public static func bytes<Value: FieldValue>(_ value: Value) -> [UInt8] {
        var writer = BinaryWriter()
        var value = value
        Value.visit(&writer, &value)
        return writer.bytes
    }

    @inlinable public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&self, &value)
    }

    @inlinable public mutating func integer(_ value: inout Int64) {
        writeUnsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    @inlinable public mutating func boolean(_ value: inout Bool) { buffer.append(value ? 1 : 0) }

    @inlinable public mutating func text(_ value: inout String) {
        value.withUTF8Bytes { utf8 in
            writeUnsigned(UInt64(utf8.count))
            buffer.append(addingCapacity: utf8.count) { output in
                output.append(contentsOf: utf8)
            }
        }
    }

    @inlinable public mutating func digest(_ value: inout Digest) {
        buffer.append(addingCapacity: 8) { output in
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: value.bits >> shift))
            }
        }
    }

    @inlinable public mutating func personal(_ value: inout PersonalText) {
        let seal = value.seal
        seals.append(seal)
        if let text = value.text {
            texts.append(PayloadText(offset: buffer.count, text: text))
        }
        buffer.append(contentsOf: seal)
    }

    @inlinable public mutating func sealable(_ value: inout SealableText) {
        switch value {
        case .plain(var plain): text(&plain)
        case .sealed(var sealed):
            writeUnsigned(UInt64(SealableText.sealedByteCount))
            buffer.append(SealableText.mark)
            personal(&sealed)
        }
    }

    @inlinable public mutating func author(_ value: inout Author) {
        guard var name = value.name else { return writeErasedMark() }
        let start = buffer.count
        text(&name)
        // An empty name is not personal data, so it stays in the payload.
        guard !name.isEmpty else { return }
        writtenParts.append(PayloadPart(range: start..<buffer.count, person: name))
    }

    @inlinable public mutating func personalInteger(_ value: inout PersonalInteger) {
        guard var integer = value.value else { return writeErasedMark() }
        let start = buffer.count
        self.integer(&integer)
        writtenParts.append(PayloadPart(range: start..<buffer.count, person: nil))
    }

    /// Writes the two bytes that mark an erased value.
    @inlinable mutating func writeErasedMark() {
        buffer.append(ErasedMark.first)
        buffer.append(ErasedMark.second)
    }

    @inlinable public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        buffer.append(value.rawValue)
    }

    @inlinable public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        buffer.append(value == nil ? 0 : 1)
        value?.visit(with: &self)
    }

    @inlinable public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        writeUnsigned(UInt64(value.count))
        if value.isEmpty { return }
        for var element in value { Value.visit(&self, &element) }
    }

    @inlinable public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        writeUnsigned(UInt64(value.count))
        value.forEachByKeyBytes { (key, element) in
            var (key, element) = (key, element)
            text(&key)
            Value.visit(&self, &element)
        }
    }

    @inlinable public mutating func record<Value: Record>(_ value: inout Value) {
        depth += 1
        value.fields(&self)
        depth -= 1
    }

    /// Writes a field that a later release added; omits those without a value at an event's end.
    ///
    /// An event of an older layout thus keeps its bytes. Within a record inside the event, a field
    /// without a value is written too, because the bytes of another field may follow.
    @inlinable
    public mutating func addedField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        guard depth == 1 else { return optional(&value) }
        guard value != nil else {
            absentFieldCount += 1
            return
        }
        for _ in 0..<absentFieldCount { buffer.append(0) }
        absentFieldCount = 0
        optional(&value)
    }

    /// Writes an unsigned integer in LEB128 form.
    @inlinable mutating func writeUnsigned(_ value: UInt64) {
        if value < 128 { return buffer.append(UInt8(value)) }
        buffer.append(addingCapacity: 10) { output in
            var rest = value
            while rest > 127 {
                output.append(UInt8(truncatingIfNeeded: rest) | 128)
                rest >>= 7
            }
            output.append(UInt8(truncatingIfNeeded: rest))
        }
    }
}

/// The two bytes that a payload contains in place of an erased name or personal integer.
///
/// No other value begins with them: as a number they would end with a superfluous zero.
@usableFromInline package enum ErasedMark {
    @inlinable public static var first: UInt8 { 0x80 }
    @inlinable public static var second: UInt8 { 0 }
    @inlinable public static var byteCount: Int { 2 }
    @inlinable public static var bytes: [UInt8] { [first, second] }
}

extension Dictionary where Key == String {
    /// Returns the pairs sorted by the UTF-8 of the keys, the same for every locale and hash seed.
    @inlinable func sortedByKeyBytes() -> [(key: String, value: Value)] {
        sorted { $0.key.precedesByBytes($1.key) }
    }

    /// Calls `body` with each key and value, in the order of the keys' UTF-8 bytes.
    @inlinable func forEachByKeyBytes(_ body: (String, Value) -> Void) {
        if isEmpty { return }
        guard count > 1 else { return forEach { body($0.key, $0.value) } }
        for (key, value) in sortedByKeyBytes() { body(key, value) }
    }
}
