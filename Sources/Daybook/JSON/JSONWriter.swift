/// Writes JSON text: objects with their fields in order, integers exact, nothing else.
///
/// It is a field visitor too, so that any record becomes a JSON object.
public struct JSONWriter: FieldVisitor, Sendable {
    public typealias Failure = Never

    @usableFromInline var buffer: [UInt8] = []
    @usableFromInline var needsComma = false
    /// `true` in an answer, which has moments as RFC 3339 texts.
    @usableFromInline let isAnswer: Bool
    /// `true` after the name of a field in microseconds, whose moments stay numbers.
    @usableFromInline var isInMicroseconds = false

    @inlinable
    public init() { self.init(answer: false) }

    @inlinable
    init(answer isAnswer: Bool) {
        self.isAnswer = isAnswer
    }

    /// UTF-8.
    @inlinable public var bytes: [UInt8] { buffer }

    /// The JSON written so far.
    public var text: String { String(decoding: buffer, as: UTF8.self) }

    /// Ends a line, and begins with nothing written.
    @inlinable
    public mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Begins again, in the same memory.
    @inlinable
    public mutating func clear() {
        buffer.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// The JSON of one value.
    @inlinable
    public static func text<Value: FieldValue>(_ value: Value) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }

    /// The JSON of one value in an answer.
    ///
    /// Moments are RFC 3339 texts, but for fields whose names say that they are in microseconds.
    @inlinable
    public static func answer<Value: FieldValue>(_ value: Value) -> String {
        var writer = JSONWriter(answer: true)
        writer.value(value)
        return writer.text
    }

    /// Writes one value.
    @inlinable
    public mutating func value<Value: FieldValue>(_ value: Value) {
        var value = value
        Value.visit(&self, &value)
    }

    /// Writes an object, whose members `body` writes.
    @inlinable
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open("{")
        try body(&self)
        close("}")
    }

    /// Writes an array, whose elements `body` writes.
    @inlinable
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open("[")
        try body(&self)
        close("]")
    }

    /// Begins an object, for which `object(_:)` is the safer way and this the faster one.
    @inlinable
    public mutating func beginObject() { open("{") }

    /// Ends the object that `beginObject` began.
    @inlinable
    public mutating func endObject() { close("}") }

    /// The name of the member whose value is written next.
    @inlinable
    public mutating func name(_ name: String) {
        quote(name, endingWith: UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member of an object.
    @inlinable
    public mutating func member<Value: FieldValue>(_ name: String, _ value: Value) {
        self.name(name)
        self.value(value)
    }

    /// Writes `null`.
    @inlinable
    public mutating func null() { raw("null") }

    /// Text that is JSON already.
    @inlinable
    public mutating func raw(_ json: String) {
        separate()
        buffer.append(contentsOf: json.utf8)
    }

    @inlinable
    public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        self.name(name)
        if isAnswer { isInMicroseconds = name.hasSuffix("Us") }
        Value.visit(&self, &value)
    }

    @inlinable
    public mutating func optionalField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        guard var some = value else { return }
        field(name, &some)
    }

    @inlinable
    public mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    @inlinable
    public mutating func integer(_ value: inout Int64) {
        separate()
        digits(of: value)
    }

    @inlinable
    public mutating func moment(_ value: inout Int64) {
        guard isAnswer, !isInMicroseconds, let text = Self.time(value) else {
            return integer(&value)
        }
        quote(text)
    }

    /// A moment as an answer has it; `nil` for one that RFC 3339 cannot write.
    public static func time(_ microseconds: Int64) -> String? {
        guard Limit.time.values.contains(microseconds) else { return nil }
        return Timestamp.text(Instant(microseconds: microseconds))
    }

    @inlinable
    public mutating func tenths(_ value: inout Int64) { raw(Tenths(tenths: value).text) }

    @inlinable
    public mutating func boolean(_ value: inout Bool) { raw(value ? "true" : "false") }

    @inlinable
    public mutating func text(_ value: inout String) { quote(value) }

    @inlinable
    public mutating func json(_ value: inout String) { raw(value) }

    @inlinable
    public mutating func digest(_ value: inout Digest) {
        separate()
        buffer.append(contentsOf: "\"sha256:".utf8)
        buffer.append(addingCapacity: 17) { output in
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: value.bits >> shift & 15)
                output.append(Hexadecimal.digit(digit))
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    @inlinable
    public mutating func personal(_ value: inout PersonalText) {
        quote(value.text ?? "erased")
    }

    @inlinable
    public mutating func author(_ value: inout Author) {
        if let name = value.name { quote(name) } else { null() }
    }

    @inlinable
    public mutating func personalInteger(_ value: inout PersonalInteger) {
        guard var integer = value.value else { return null() }
        self.integer(&integer)
    }

    @inlinable
    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        quote(value.name)
    }

    @inlinable
    public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        if value == nil { return null() }
        value?.visit(with: &self)
    }

    @inlinable
    public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        array { writer in
            for element in value { writer.value(element) }
        }
    }

    @inlinable
    public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        object { writer in
            value.forEachByKeyBytes { writer.member($0, $1) }
        }
    }

    @inlinable
    public mutating func record<Value: Record>(_ value: inout Value) {
        open("{")
        value.fields(&self)
        close("}")
    }

    @inlinable
    mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        buffer.append(UInt8(ascii: bracket))
        needsComma = false
    }

    @inlinable
    mutating func close(_ bracket: Unicode.Scalar) {
        buffer.append(UInt8(ascii: bracket))
        needsComma = true
    }

    @inlinable
    mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    @inlinable
    mutating func digits(of value: Int64) {
        // Four bits for each, the last one highest: as many as the least number has fit in.
        var digits: UInt128 = 0
        var rest = value.magnitude
        var count = 0
        repeat {
            digits = digits << 4 | UInt128(truncatingIfNeeded: rest % 10)
            rest /= 10
            count += 1
        } while rest > 0
        buffer.append(addingCapacity: 20) { output in
            if value < 0 { output.append(UInt8(ascii: "-")) }
            for _ in 0..<count {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits & 15))
                digits >>= 4
            }
        }
    }

    /// Writes a string and what ends it, after a comma where there has to be one.
    @inlinable
    mutating func quote(_ value: String, endingWith end: UInt8? = nil) {
        let start = buffer.count
        var isPlain = true
        value.withUTF8Bytes { utf8 in
            buffer.append(addingCapacity: utf8.count + 4) { output in
                if needsComma { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                for index in utf8.indices {
                    let byte = utf8[index]
                    isPlain =
                        isPlain && byte >= 0x20 && byte != 0x7F && byte != 0x22 && byte != 0x5C
                    output.append(byte)
                }
                output.append(UInt8(ascii: "\""))
                if let end { output.append(end) }
            }
        }
        if !isPlain {
            buffer.removeSubrange(start...)
            escape(value, endingWith: end)
        }
        needsComma = true
    }

    @usableFromInline
    mutating func escape(_ value: String, endingWith end: UInt8?) {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        buffer.append(UInt8(ascii: "\""))
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": buffer.append(contentsOf: "\\\"".utf8)
            case "\\": buffer.append(contentsOf: "\\\\".utf8)
            case "\n": buffer.append(contentsOf: "\\n".utf8)
            case "\r": buffer.append(contentsOf: "\\r".utf8)
            case "\t": buffer.append(contentsOf: "\\t".utf8)
            case "\u{0}"..."\u{1F}", "\u{7F}":
                buffer.append(
                    contentsOf: ("\\u00" + Hexadecimal.text([UInt8(scalar.value)])).utf8)
            default:
                buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        buffer.append(UInt8(ascii: "\""))
        if let end { buffer.append(end) }
    }
}
