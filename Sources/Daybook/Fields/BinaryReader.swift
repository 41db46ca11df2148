/// The reason why bytes are not the binary form of a record.
public enum CorruptPayload: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end within this field.
    case truncated(field: String)
    /// A field has bytes that its type does not allow; `found` describes these bytes.
    case invalid(field: String, found: String)
    /// Bytes follow the last field with a value; the number is 0 if they were not counted.
    case trailingBytes(Int)

    public var description: String {
        switch self {
        case .truncated(let field): "the payload ends in the middle of the field '\(field)'"
        case .invalid(let field, let found): "field '\(field)': found \(found)"
        case .trailingBytes(0): "the payload does not end after its last field with a value"
        case .trailingBytes(let count):
            "the payload goes on for \(count.counted("byte")) after its last field"
        }
    }

    /// Returns an error without a field name, which `withFieldName` adds while the error is thrown.
    static func inCurrentField(found: String) -> CorruptPayload {
        .invalid(field: "", found: found)
    }

    /// Returns a copy of the error with the name of its field, unless the error already has one.
    @usableFromInline @inline(never) func withFieldName(_ name: String) -> CorruptPayload {
        switch self {
        case .truncated(""): .truncated(field: name)
        case .invalid("", let found): .invalid(field: name, found: found)
        default: self
        }
    }
}

/// A reader of values from their binary form, which `BinaryWriter` documents.
///
/// A reader points into memory that it does not own, so that it need not copy the bytes.
/// `BinaryReader.read` uses the reader only within the call that gives access to the bytes.
///
/// Reading a field does not handle its name: an error gets the name only while it is thrown. The
/// requirements of `FieldVisitor` that are not generic are not `@inlinable`, because Swift 6.3
/// devirtualises an inlinable witness only if it has no typed throws.
@safe @usableFromInline package struct BinaryReader: FieldVisitor {
    /// The address of the first byte; may be `nil` if there are no bytes.
    @usableFromInline let start: UnsafeRawPointer?
    /// The offset after the last byte, relative to `start`.
    @usableFromInline let end: Int
    /// The offset of the next byte to read.
    @usableFromInline var index = 0

    @inlinable @inline(__always) init(_ bytes: UnsafeRawBufferPointer) {
        unsafe start = bytes.baseAddress
        end = bytes.count
    }

    /// Reads a value from its binary form.
    ///
    /// - Throws: `CorruptPayload` if `bytes` are not exactly the binary form of a value.
    @inlinable @inline(__always) public static func read<Value: FieldValue>(
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

    /// Reads a value from its binary form, as the function for a span of bytes does.
    public static func read<Value: FieldValue>(
        _ type: Value.Type = Value.self, from bytes: [UInt8]
    ) throws(CorruptPayload) -> Value {
        try unsafe read(type, from: bytes.contents.bytes)
    }

    @inlinable @inline(__always) public mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value
    ) throws(CorruptPayload) {
        do throws(CorruptPayload) {
            try Value.visit(&self, &value)
        } catch {
            throw error.withFieldName(name)
        }
    }

    public mutating func integer(_ value: inout Int64) throws(CorruptPayload) {
        value = try readInteger()
    }

    public mutating func moment(_ value: inout Int64) throws(CorruptPayload) {
        value = try readInteger()
    }

    public mutating func boolean(_ value: inout Bool) throws(CorruptPayload) {
        value = try readBoolean()
    }

    public mutating func text(_ value: inout String) throws(CorruptPayload) {
        value = try readText()
    }

    public mutating func sealable(_ value: inout SealableText) throws(CorruptPayload) {
        let bytes = unsafe try consume(try readLength())
        if bytes.count == SealableText.sealedByteCount, unsafe bytes[0] == SealableText.mark {
            value = unsafe .sealed(PersonalText(seal: .init(rebasing: bytes[1...])))
        } else {
            value = unsafe .plain(try Self.utf8(bytes))
        }
    }

    /// Decodes UTF-8; throws `CorruptPayload.invalid` if the bytes are not valid UTF-8.
    @usableFromInline
    static func utf8(_ bytes: UnsafeBufferPointer<UInt8>) throws(CorruptPayload) -> String {
        guard let text = String(copyingUTF8: unsafe Span(_unsafeElements: bytes)) else {
            throw .inCurrentField(found: "bytes that are not UTF-8")
        }
        return text
    }

    /// The highest bit of each of eight bytes; in LEB128 only the last byte of a number lacks it.
    @inline(__always) private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    public mutating func digest(_ value: inout Digest) throws(CorruptPayload) {
        let bytes = unsafe try consume(8)
        value = Digest(
            bits: unsafe UInt64(
                bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self)))
    }

    public mutating func personal(_ value: inout PersonalText) throws(CorruptPayload) {
        value = unsafe PersonalText(seal: try consume(PersonalText.sealByteCount))
    }

    public mutating func author(_ value: inout Author) throws(CorruptPayload) {
        value = try consumeErasedMark() ? .erased : Author(readText())
    }

    public mutating func personalInteger(_ value: inout PersonalInteger) throws(CorruptPayload) {
        value = try consumeErasedMark() ? .erased : PersonalInteger(readInteger())
    }

    @inlinable @inline(__always)
    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) throws(CorruptPayload)
    {
        let code = try readByte()
        guard let choice = Value(rawValue: code) else { throw Self.unknownCaseError(code) }
        value = choice
    }

    @inlinable @inline(__always)
    public mutating func optional<Value: FieldValue>(_ value: inout Value?) throws(CorruptPayload) {
        guard try readBoolean() else {
            value = nil
            return
        }
        var some = Value.blank
        try Value.visit(&self, &some)
        value = some
    }

    @inlinable public mutating func addedField<Value: FieldValue>(
        _ name: String, _ value: inout Value?
    ) throws(CorruptPayload) {
        guard index < end else {
            value = nil
            return
        }
        try field(name, &value)
    }

    @inlinable
    public mutating func list<Value: FieldValue>(_ value: inout [Value]) throws(CorruptPayload) {
        let count = try readLength()
        value = []
        value.reserveCapacity(count)
        for _ in 0..<count {
            var element = Value.blank
            try Value.visit(&self, &element)
            value.append(element)
        }
    }

    @inlinable public mutating func map<Value: FieldValue>(
        _ value: inout [String: Value]
    ) throws(CorruptPayload) {
        let count = try readLength()
        value = [:]
        for _ in 0..<count {
            var key = ""
            try text(&key)
            var element = Value.blank
            try Value.visit(&self, &element)
            value[key] = element
        }
    }

    @inlinable @inline(__always)
    public mutating func record<Value: Record>(_ value: inout Value) throws(CorruptPayload) {
        try value.fields(&self)
    }

    /// Reads a signed integer: LEB128 of its zigzag form.
    @inlinable @inline(__always) mutating func readInteger() throws(CorruptPayload) -> Int64 {
        let bits = try readUnsigned()
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    @inlinable @inline(__always) mutating func readBoolean() throws(CorruptPayload) -> Bool {
        let byte = try readByte()
        guard byte < 2 else { throw Self.invalidBooleanError(byte) }
        return byte == 1
    }

    /// Returns the error for a number that no case of a stored enum has.
    @usableFromInline @inline(never) static func unknownCaseError(_ code: UInt8) -> CorruptPayload {
        .inCurrentField(found: "the number \(code), which no case of the enum has")
    }

    /// Returns the error for a boolean, or a mark before an optional value, that is not 0 or 1.
    @usableFromInline @inline(never)
    static func invalidBooleanError(_ byte: UInt8) -> CorruptPayload {
        .inCurrentField(found: "the byte \(byte), but only 0 or 1 is allowed here")
    }

    @inlinable @inline(__always) mutating func readText() throws(CorruptPayload) -> String {
        unsafe try Self.utf8(try consume(try readLength()))
    }

    /// Skips the two bytes that mark an erased value; returns false if other bytes come next.
    @inlinable @inline(__always) mutating func consumeErasedMark() -> Bool {
        guard index + 1 < end, let start = unsafe start,
            unsafe start.load(fromByteOffset: index, as: UInt8.self) == ErasedMark.first,
            unsafe start.load(fromByteOffset: index + 1, as: UInt8.self) == ErasedMark.second
        else { return false }
        index += ErasedMark.byteCount
        return true
    }

    /// Reads the next byte; throws `CorruptPayload.truncated` if no byte is left.
    @inlinable @inline(__always) mutating func readByte() throws(CorruptPayload) -> UInt8 {
        guard index < end, let start = unsafe start else { throw .truncated(field: "") }
        defer { index += 1 }
        return unsafe start.load(fromByteOffset: index, as: UInt8.self)
    }

    /// Skips the next `count` bytes and returns a view of them, without a copy.
    @inlinable @inline(__always)
    mutating func consume(_ count: Int) throws(CorruptPayload) -> UnsafeBufferPointer<UInt8> {
        guard count <= end - index, let start = unsafe start else { throw .truncated(field: "") }
        defer { index += count }
        return unsafe UnsafeBufferPointer(
            start: (start + index).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Reads the length of a text in bytes, or the number of elements of a list or map.
    ///
    /// A number above that of the remaining bytes is an error: each element has at least one byte.
    @inlinable @inline(__always) mutating func readLength() throws(CorruptPayload) -> Int {
        let value = try readUnsigned()
        guard value <= UInt64(end - index) else { throw .truncated(field: "") }
        return Int(value)
    }

    /// Reads an unsigned integer in LEB128 form.
    @inlinable @inline(__always) mutating func readUnsigned() throws(CorruptPayload) -> UInt64 {
        guard index < end, let start = unsafe start else { throw .truncated(field: "") }
        let byte = unsafe start.load(fromByteOffset: index, as: UInt8.self)
        guard byte > 127 else {
            index += 1
            return UInt64(byte)
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: end)
        let (value, next) = unsafe try Self.decodeLong(bytes, from: index)
        index = next
        return value
    }

    /// Decodes a LEB128 number of two or more bytes; `next` is the offset of the byte after it.
    @usableFromInline static func decodeLong(
        _ bytes: UnsafeRawBufferPointer, from index: Int
    ) throws(CorruptPayload) -> (value: UInt64, next: Int) {
        // Eight bytes from the start of the number, with zeros for bytes beyond the end.
        guard bytes.count >= 8 else { return unsafe try decodeBytewise(bytes, from: index) }
        let offset = min(index, bytes.count - 8)
        let loaded = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let word = UInt64(littleEndian: loaded) &>> UInt64(8 * (index - offset))
        let ends = ~word & highBits
        let bitCount = ends.trailingZeroBitCount + 1
        guard ends != 0, bitCount <= 8 * (bytes.count - index) else {
            return unsafe try decodeBytewise(bytes, from: index)
        }
        // A number whose last byte is zero has a shorter form, so it is not canonical.
        guard word &>> UInt64(bitCount - 8) & 0xFF != 0 else { throw zeroTailError }
        var bits = word & (.max &>> UInt64(64 - bitCount)) & ~highBits
        // Joins the seven bits of each byte: first in pairs, then in fours, then both halves.
        bits = bits & 0x007F_007F_007F_007F | (bits & 0x7F00_7F00_7F00_7F00) >> 1
        bits = bits & 0x0000_3FFF_0000_3FFF | (bits & 0x3FFF_0000_3FFF_0000) >> 2
        bits = bits & 0x0000_0000_0FFF_FFFF | (bits & 0x0FFF_FFFF_0000_0000) >> 4
        return (bits, index + bitCount / 8)
    }

    /// Decodes a LEB128 number byte by byte, for numbers that `decodeLong` cannot load at once.
    private static func decodeBytewise(
        _ bytes: UnsafeRawBufferPointer, from start: Int
    ) throws(CorruptPayload) -> (value: UInt64, next: Int) {
        var value: UInt64 = 0
        for index in start..<bytes.count {
            let byte = unsafe bytes[index]
            let shift = UInt64(7 * (index - start))
            guard shift < 63 || byte < 2 else {
                throw .inCurrentField(found: "an integer of more than the allowed 64 bits")
            }
            value |= UInt64(byte & 127) << shift
            guard byte > 127 else {
                guard byte != 0 else { throw zeroTailError }
                return (value, index + 1)
            }
        }
        throw .truncated(field: "")
    }

    /// The error for a LEB128 number that ends with a zero byte, so that a shorter form exists.
    private static var zeroTailError: CorruptPayload {
        .inCurrentField(found: "an integer that ends with a superfluous zero byte")
    }
}
