/// The reason why bytes are not the binary form of a record.
public enum CorruptPayload: Error, Hashable, Sendable, CustomStringConvertible {
    case truncated(field: String)
    case invalid(field: String, found: String)
    case trailingBytes(Int)

    public var description: String {
        switch self {
        case .truncated(let field): "field '\(field)': the bytes end before it does"
        case .invalid(let field, let found): "field '\(field)': found \(found)"
        case .trailingBytes(let count): "\(count) bytes follow the last field"
        }
    }
}

/// Reads a record from its binary form, in place. See `BinaryWriter` for the form.
///
/// It points into memory it does not own: `BinaryReader.read` keeps it inside the call that
/// lends the bytes.
@safe
public struct BinaryReader: FieldVisitor {
    @usableFromInline let start: UnsafeRawPointer?
    @usableFromInline let end: Int
    @usableFromInline var index = 0
    @usableFromInline var name = ""

    @inlinable
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe start = bytes.baseAddress
        end = bytes.count
    }

    /// The value that `bytes` hold, all of them.
    @inlinable
    public static func read<Value: FieldValue>(
        _ type: Value.Type = Value.self, from bytes: RawSpan
    ) throws(CorruptPayload) -> Value {
        var value = Value.blank
        try unsafe bytes.withUnsafeBytes { (buffer) throws(CorruptPayload) in
            var reader = unsafe BinaryReader(buffer)
            try Value.visit(&reader, &value)
            guard reader.index == reader.end else {
                throw .trailingBytes(reader.end - reader.index)
            }
        }
        return value
    }

    /// The value that `bytes` hold, all of them.
    public static func read<Value: FieldValue>(
        _ type: Value.Type = Value.self, from bytes: [UInt8]
    ) throws(CorruptPayload) -> Value {
        try unsafe read(type, from: bytes.contents.bytes)
    }

    @inlinable
    public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(CorruptPayload) {
        self.name = name
        try Value.visit(&self, &value)
    }

    @inlinable
    public mutating func integer(_ value: inout Int64) throws(CorruptPayload) {
        let bits = try count()
        value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    @inlinable
    public mutating func boolean(_ value: inout Bool) throws(CorruptPayload) {
        let byte = try byte()
        guard byte < 2 else { throw .invalid(field: name, found: "\(byte) for a boolean") }
        value = byte == 1
    }

    @inlinable
    public mutating func text(_ value: inout String) throws(CorruptPayload) {
        value = unsafe try utf8(try consume(try length()))
    }

    @inlinable
    public mutating func sealable(_ value: inout SealableText) throws(CorruptPayload) {
        let bytes = unsafe try consume(try length())
        if bytes.count == SealableText.sealedByteCount, unsafe bytes[0] == SealableText.mark {
            value = unsafe .sealed(PersonalText(seal: Array(bytes[1...])))
        } else {
            value = unsafe .clear(try utf8(bytes))
        }
    }

    @inlinable
    func utf8(_ bytes: UnsafeBufferPointer<UInt8>) throws(CorruptPayload) -> String {
        guard let text = String(copyingUTF8: unsafe Span(_unsafeElements: bytes)) else {
            throw .invalid(field: name, found: "bytes that are no UTF-8")
        }
        return text
    }

    @inlinable
    public mutating func digest(_ value: inout Digest) throws(CorruptPayload) {
        let bytes = unsafe try consume(8)
        value = Digest(
            bits: unsafe UInt64(
                bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self)))
    }

    @inlinable
    public mutating func personal(_ value: inout PersonalText) throws(CorruptPayload) {
        value = unsafe PersonalText(seal: Array(try consume(PersonalText.sealByteCount)))
    }

    @inlinable
    public mutating func author(_ value: inout Author) throws(CorruptPayload) {
        if consumeErased() {
            value = .erased
            return
        }
        var name = ""
        try text(&name)
        value = Author(name)
    }

    @inlinable
    public mutating func personalInteger(
        _ value: inout PersonalInteger
    ) throws(CorruptPayload) {
        if consumeErased() {
            value = .erased
            return
        }
        var integer: Int64 = 0
        try self.integer(&integer)
        value = PersonalInteger(integer)
    }

    @inlinable
    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) throws(CorruptPayload)
    {
        let code = try byte()
        guard let choice = Value(rawValue: code) else {
            throw .invalid(field: name, found: "\(code), which no choice of it has")
        }
        value = choice
    }

    @inlinable
    public mutating func optional<Value: FieldValue>(
        _ value: inout Value?
    ) throws(CorruptPayload) {
        var isThere = false
        try boolean(&isThere)
        guard isThere else {
            value = nil
            return
        }
        var some = Value.blank
        try Value.visit(&self, &some)
        value = some
    }

    @inlinable
    public mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(CorruptPayload) {
        let count = try length()
        value = []
        value.reserveCapacity(count)
        for _ in 0..<count {
            var element = Value.blank
            try Value.visit(&self, &element)
            value.append(element)
        }
    }

    @inlinable
    public mutating func map<Value: FieldValue>(
        _ value: inout [String: Value]
    ) throws(CorruptPayload) {
        let count = try length()
        value = [:]
        for _ in 0..<count {
            var key = ""
            try text(&key)
            var element = Value.blank
            try Value.visit(&self, &element)
            value[key] = element
        }
    }

    @inlinable
    public mutating func record<Value: Record>(_ value: inout Value) throws(CorruptPayload) {
        try value.fields(&self)
    }

    /// Skips the mark of an erased value and returns `true` if there is one.
    @inlinable
    mutating func consumeErased() -> Bool {
        guard index + 1 < end, let start = unsafe start,
            unsafe start.load(fromByteOffset: index, as: UInt8.self) == ErasedMark.first,
            unsafe start.load(fromByteOffset: index + 1, as: UInt8.self) == ErasedMark.second
        else { return false }
        index += ErasedMark.byteCount
        return true
    }

    @inlinable
    mutating func byte() throws(CorruptPayload) -> UInt8 {
        guard index < end, let start = unsafe start else { throw .truncated(field: name) }
        defer { index += 1 }
        return unsafe start.load(fromByteOffset: index, as: UInt8.self)
    }

    @inlinable
    mutating func consume(_ count: Int) throws(CorruptPayload) -> UnsafeBufferPointer<UInt8> {
        guard count <= end - index, let start = unsafe start else { throw .truncated(field: name) }
        defer { index += count }
        return unsafe UnsafeBufferPointer(
            start: (start + index).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// A count of things that take at least one byte each, so never more than what is left.
    @inlinable
    mutating func length() throws(CorruptPayload) -> Int {
        let value = try count()
        guard value <= UInt64(end - index) else { throw .truncated(field: name) }
        return Int(value)
    }

    @inlinable
    mutating func count() throws(CorruptPayload) -> UInt64 {
        let byte = try byte()
        guard byte > 127 else { return UInt64(byte) }
        return try count(startingWith: byte)
    }

    @inlinable
    mutating func count(startingWith first: UInt8) throws(CorruptPayload) -> UInt64 {
        var byte = first
        var value = UInt64(byte & 127)
        var shift: UInt64 = 7
        while true {
            byte = try self.byte()
            guard shift < 63 || byte < 2 else {
                throw .invalid(field: name, found: "an integer of more than 64 bits")
            }
            value |= UInt64(byte & 127) << shift
            if byte < 128 { break }
            shift += 7
        }
        guard byte != 0 else { throw .invalid(field: name, found: "an integer with a zero tail") }
        return value
    }
}
