/// A writer of JSON text without white space, with object members in order and exact integers.
///
/// As a field visitor, it writes any record as a JSON object.
@usableFromInline package struct JSONWriter: FieldVisitor, Sendable {
    public typealias Failure = Never

    /// The JSON written so far, in UTF-8.
    @usableFromInline var buffer: [UInt8] = []
    /// True if the next value or name must be preceded by a comma.
    @usableFromInline var needsComma = false
    /// True if the JSON answers a program, so that points in time are RFC 3339 texts.
    @usableFromInline let isAnswer: Bool
    /// True in a field whose name ends in `Us`, where points in time are always numbers.
    @usableFromInline var isInMicroseconds = false
    /// Rules for values that are not shown; `nil` to show all values.
    @usableFromInline package let redaction: Redaction?
    /// The location fields of the record that is written, if they are not shown.
    @usableFromInline var hiddenPlaces: HiddenPlaces?

    /// Creates an empty writer, which writes points in time as microseconds since 1970.
    @inlinable public init() { self.init(answer: false) }

    /// Creates an empty writer; with `answer`, points in time are written as RFC 3339 texts.
    ///
    /// - Parameter redaction: rules for values that are not shown; `nil` to show all values.
    @inlinable public init(answer isAnswer: Bool, _ redaction: Redaction? = nil) {
        self.isAnswer = isAnswer
        self.redaction = redaction
    }

    /// The JSON written so far, in UTF-8.
    @inlinable public var bytes: [UInt8] { buffer }

    /// The JSON written so far.
    public var text: String { String(decoding: buffer, as: UTF8.self) }

    /// Writes a line feed, after which the next value begins without a comma.
    @inlinable public mutating func endLine() {
        buffer.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes a line with the value that `body` writes, and hidden characters escaped.
    ///
    /// After an error of `body`, the writer is as before.
    package mutating func line<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        let start = buffer.count
        do throws(Failure) { try body(&self) } catch {
            buffer.removeLast(buffer.count - start)
            needsComma = false
            throw error
        }
        if !buffer.contents.extracting(start..<buffer.count).isASCII {
            let line = String(decoding: buffer[start...], as: UTF8.self)
            buffer.replaceSubrange(start..., with: line.withHiddenTextEscaped.utf8)
        }
        endLine()
    }

    /// Discards the JSON written so far, and keeps the memory for reuse.
    @inlinable public mutating func clear() {
        buffer.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Returns the JSON of one value, with points in time as microseconds since 1970.
    ///
    /// - Parameter redaction: rules for values that are not shown; `nil` to show all values.
    @inlinable public static func text<Value: FieldValue>(
        _ value: Value, _ redaction: Redaction? = nil
    ) -> String {
        var writer = JSONWriter(answer: false, redaction)
        writer.value(value)
        return writer.text
    }

    /// Returns the JSON of one value as an answer, with points in time as RFC 3339 texts.
    ///
    /// Points in time in fields whose names end in `Us` stay microseconds since 1970.
    @inlinable public static func answer<Value: FieldValue>(_ value: Value) -> String {
        var writer = JSONWriter(answer: true)
        writer.value(value)
        return writer.text
    }

    /// Writes one value, after a comma if one is needed.
    @inlinable public mutating func value<Value: FieldValue>(_ value: Value) {
        var value = value
        Value.visit(&self, &value)
    }

    /// Writes an object, whose members `body` writes.
    @inlinable public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open("{")
        try body(&self)
        close("}")
    }

    /// Writes an array, whose elements `body` writes.
    @inlinable public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open("[")
        try body(&self)
        close("]")
    }

    /// Begins an object, which `endObject()` must end; faster but less safe than `object(_:)`.
    @inlinable public mutating func beginObject() { open("{") }

    /// Ends the object that `beginObject()` began.
    @inlinable public mutating func endObject() { close("}") }

    /// Writes the name of a member, whose value must be written next.
    @inlinable public mutating func name(_ name: String) {
        quote(name, endingWith: UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member of an object: its name and its value.
    @inlinable public mutating func member<Value: FieldValue>(_ name: String, _ value: Value) {
        self.name(name)
        self.value(value)
    }

    /// Writes `null`.
    @inlinable public mutating func null() { literal("null") }

    /// Writes one value that is given as JSON.
    @inlinable public mutating func raw(_ json: String) { json.withUTF8Bytes { writeLiteral($0) } }

    @inlinable public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        if let hiddenPlaces, hiddenPlaces.contains(name) {
            self.name(name)
            return null()
        }
        name.withUTF8Bytes { utf8 in
            quote(utf8, endingWith: UInt8(ascii: ":"))
            if isAnswer { isInMicroseconds = utf8.endsWithUs }
        }
        needsComma = false
        Value.visit(&self, &value)
    }

    @inlinable
    public mutating func optionalField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        guard var some = value else { return }
        field(name, &some)
    }

    @inlinable
    public mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    @inlinable public mutating func integer(_ value: inout Int64) { integer(value) }

    @inlinable public mutating func moment(_ value: inout Int64) {
        moment(value, inMicroseconds: isInMicroseconds)
    }

    /// Writes a point in time, in an answer as RFC 3339 text unless `inMicroseconds` is true.
    @usableFromInline mutating func moment(_ value: Int64, inMicroseconds: Bool) {
        guard isAnswer, !inMicroseconds, Limit.time.values.contains(value) else {
            return integer(value)
        }
        let comma = needsComma
        buffer.append(addingCapacity: Timestamp.longestCount + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            Timestamp.append(Instant(microseconds: value), to: &output)
            output.append(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    /// Returns a point in time as RFC 3339 text; `nil` outside the years 0 to 9999.
    public static func time(_ microseconds: Int64) -> String? {
        guard Limit.time.values.contains(microseconds) else { return nil }
        return Timestamp.text(Instant(microseconds: microseconds))
    }

    @inlinable public mutating func tenths(_ value: inout Int64) { raw(Tenths(tenths: value).text) }

    @inlinable public mutating func boolean(_ value: inout Bool) {
        value ? literal("true") : literal("false")
    }

    @inlinable public mutating func text(_ value: inout String) {
        if let redaction { quote(redaction.shown(value)) } else { quote(value) }
    }

    @inlinable public mutating func freeText(_ value: inout String) {
        quote(redaction == nil ? value : Redaction.word)
    }

    @inlinable public mutating func json(_ value: inout String) { raw(value) }

    @inlinable public mutating func digest(_ value: inout Digest) { digest(value.bits) }

    /// Writes a digest, whose eight bytes are given as a big-endian number.
    @inlinable mutating func digest(_ bits: UInt64) {
        if let redaction, redaction.replacesIDs {
            return quote(redaction.shown(Digest(bits: bits).description))
        }
        let comma = needsComma
        buffer.append(addingCapacity: 26) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(literal: "\"sha256:")
            output.append(hexadecimal: bits)
            output.append(UInt8(ascii: "\""))
        }
        needsComma = true
    }

    @inlinable public mutating func personal(_ value: inout PersonalText) {
        quote(redaction == nil ? value.text ?? "erased" : Redaction.word)
    }

    @inlinable public mutating func sealable(_ value: inout SealableText) {
        quote(redaction == nil ? value.text ?? "erased" : Redaction.word)
    }

    @inlinable public mutating func author(_ value: inout Author) {
        if let redaction { return quote(redaction.shownName(value.name)) }
        if let name = value.name { quote(name) } else { null() }
    }

    @inlinable public mutating func personalInteger(_ value: inout PersonalInteger) {
        guard redaction == nil, var integer = value.value else { return null() }
        self.integer(&integer)
    }

    @inlinable
    public mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) { quote(value.name) }

    @inlinable public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        if value == nil { return null() }
        value?.visit(with: &self)
    }

    @inlinable public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        array { writer in
            for element in value { writer.value(element) }
        }
    }

    @inlinable public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        object { writer in
            value.forEachByKeyBytes { writer.member(writer.redaction?.shown($0) ?? $0, $1) }
        }
    }

    @inlinable public mutating func record<Value: Record>(_ value: inout Value) {
        let outerPlaces = hiddenPlaces
        if redaction != nil { hiddenPlaces = Value.places.map(HiddenPlaces.init) }
        open("{")
        value.fields(&self)
        close("}")
        hiddenPlaces = outerPlaces
    }

    /// Writes an opening bracket, after a comma if one is needed.
    @inlinable mutating func open(_ bracket: Unicode.Scalar) {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        buffer.append(UInt8(ascii: bracket))
        needsComma = false
    }

    /// Writes a closing bracket.
    @inlinable mutating func close(_ bracket: Unicode.Scalar) {
        buffer.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Writes an integer, after a comma if one is needed.
    @inlinable mutating func integer(_ value: Int64) {
        let comma = needsComma
        buffer.append(addingCapacity: 21) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(decimal: value)
        }
        needsComma = true
    }

    /// Writes a word of JSON, such as `null`, after a comma if one is needed.
    @inlinable @inline(__always) mutating func literal(_ word: StaticString) {
        let comma = needsComma
        buffer.append(addingCapacity: 9) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(literal: word)
        }
        needsComma = true
    }

    /// Writes a string, after a comma if one is needed, and then the byte `end` if given.
    @inlinable mutating func quote(_ value: String, endingWith end: UInt8? = nil) {
        value.withUTF8Bytes { quote($0, endingWith: end) }
    }

    /// Writes a string given as UTF-8, after a comma if one is needed, and then `end` if given.
    @inlinable mutating func quote(_ utf8: Span<UInt8>, endingWith end: UInt8? = nil) {
        let (start, comma) = (buffer.count, needsComma)
        var isPlain = true
        buffer.append(addingCapacity: utf8.count + 4) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            isPlain = output.append(ifPlain: utf8)
            output.append(UInt8(ascii: "\""))
            if let end { output.append(end) }
        }
        if !isPlain {
            buffer.removeLast(buffer.count - start)
            let text = unsafe utf8.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
            escape(text, endingWith: end)
        }
        needsComma = true
    }

    /// Writes JSON that is given as bytes: a value, or the name of a member with its colon.
    @inlinable mutating func writeLiteral(_ json: Span<UInt8>, isName: Bool = false) {
        let comma = needsComma
        buffer.append(addingCapacity: json.count + 1) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: json)
        }
        needsComma = !isName
    }

    /// Writes a string with escapes, after a comma if one is needed, and then `end` if given.
    @usableFromInline mutating func escape(_ value: String, endingWith end: UInt8?) {
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
                buffer.append(contentsOf: ("\\u00" + Hexadecimal.text([UInt8(scalar.value)])).utf8)
            default:
                buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        buffer.append(UInt8(ascii: "\""))
        if let end { buffer.append(end) }
    }
}

extension Record {
    /// The record as a JSON object, with points in time as microseconds since 1970.
    public var json: String { JSONWriter.text(self) }
}
