/// Writes a record in its binary form, which is canonical: equal records give equal bytes.
///
/// | value | bytes |
/// |---|---|
/// | integer | zigzag, then LEB128: seven bits a byte, lowest first, high bit for more |
/// | boolean | 0 or 1 |
/// | text | LEB128 byte count, UTF-8 |
/// | digest | 8 bytes, as SHA-256 gives them |
/// | personal text | 32 bytes, SHA-256(salt ‖ text) |
/// | choice | its number, 1 byte |
/// | optional | 0, or 1 and the value |
/// | list | LEB128 count, the values |
/// | map | LEB128 count, key and value by ascending UTF-8 of the key |
/// | record | its fields in order, without names |
public struct BinaryWriter: FieldVisitor, Sendable {
    public typealias Failure = Never

    @usableFromInline var buffer: [UInt8] = []
    @usableFromInline var texts: [NewEvent.Personal] = []

    /// The seals of the personal fields met, erased ones too.
    @usableFromInline var seals: [[UInt8]] = []

    @inlinable
    public init() {
        buffer.reserveCapacity(96)
    }

    /// Begins again, in the same memory.
    @inlinable
    mutating func clear() {
        buffer.removeAll(keepingCapacity: true)
        texts.removeAll()
        seals.removeAll()
    }

    @inlinable public var bytes: [UInt8] { buffer }

    /// The personal texts met, with where their seals go in `bytes`.
    @inlinable public var personal: [NewEvent.Personal] { texts }

    /// The bytes of one value.
    @inlinable
    public static func bytes<Value: FieldValue>(_ value: Value) -> [UInt8] {
        var writer = BinaryWriter()
        var value = value
        Value.visit(&writer, &value)
        return writer.bytes
    }

    @inlinable
    public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        Value.visit(&self, &value)
    }

    @inlinable
    public mutating func integer(_ value: inout Int64) {
        count(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    @inlinable
    public mutating func boolean(_ value: inout Bool) {
        buffer.append(value ? 1 : 0)
    }

    @inlinable
    public mutating func text(_ value: inout String) {
        var value = value
        value.withUTF8 { utf8 in
            count(UInt64(utf8.count))
            unsafe buffer.append(contentsOf: utf8)
        }
    }

    @inlinable
    public mutating func digest(_ value: inout Digest) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            buffer.append(UInt8(truncatingIfNeeded: value.bits >> shift))
        }
    }

    @inlinable
    public mutating func personal(_ value: inout PersonalText) {
        seals.append(value.seal)
        if let text = value.text {
            texts.append(NewEvent.Personal(offset: buffer.count, text: text))
        }
        buffer.append(contentsOf: value.seal)
    }

    @inlinable
    public mutating func choice<Value: Choice>(_ value: inout Value) {
        buffer.append(value.rawValue)
    }

    @inlinable
    public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard var some = value else {
            buffer.append(0)
            return
        }
        buffer.append(1)
        Value.visit(&self, &some)
    }

    @inlinable
    public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        count(UInt64(value.count))
        for var element in value { Value.visit(&self, &element) }
    }

    @inlinable
    public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        count(UInt64(value.count))
        for var (key, element) in value.sortedByKeyBytes() {
            text(&key)
            Value.visit(&self, &element)
        }
    }

    @inlinable
    public mutating func record<Value: Record>(_ value: inout Value) {
        Value.fields(&self, &value)
    }

    @inlinable
    mutating func count(_ value: UInt64) {
        var rest = value
        while rest > 127 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        buffer.append(UInt8(truncatingIfNeeded: rest))
    }
}

extension Dictionary where Key == String {
    /// By the UTF-8 of the key: an order that no locale and no hash seed changes.
    @inlinable
    func sortedByKeyBytes() -> [(key: String, value: Value)] {
        if count < 2 { return map { ($0.key, $0.value) } }
        return sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
