/// Writes JSON text: objects with their fields in order, integers exact, nothing else.
///
/// It is a field visitor too, so that any record becomes a JSON object.
public struct JSONWriter: FieldVisitor {
    public typealias Failure = Never

    public private(set) var text = ""
    private var needsComma = false

    public init() {}

    /// The JSON of one value.
    public static func text<Value: FieldValue>(_ value: Value) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }

    public mutating func value<Value: FieldValue>(_ value: Value) {
        var value = value
        Value.visit(&self, &value)
    }

    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        open("[")
        body(&self)
        close("]")
    }

    /// The name of the member whose value is written next.
    public mutating func name(_ name: String) {
        separate()
        quote(name)
        text += ":"
        needsComma = false
    }

    public mutating func member<Value: FieldValue>(_ name: String, _ value: Value) {
        self.name(name)
        self.value(value)
    }

    public mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    public mutating func null() { raw("null") }

    /// Text that is JSON already.
    public mutating func raw(_ json: String) {
        separate()
        text += json
    }

    public mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        self.name(name)
        Value.visit(&self, &value)
    }

    public mutating func working<Value: FieldValue>(_ name: String, _ value: inout Value) {}

    public mutating func integer(_ value: inout Int64) { raw(String(value)) }

    public mutating func tenths(_ value: inout Int64) { raw(Tenths(tenths: value).text) }

    public mutating func boolean(_ value: inout Bool) { raw(value ? "true" : "false") }

    public mutating func text(_ value: inout String) {
        separate()
        quote(value)
    }

    public mutating func digest(_ value: inout Digest) {
        separate()
        quote(value.description)
    }

    public mutating func personal(_ value: inout PersonalText) {
        separate()
        quote(value.text ?? "erased")
    }

    public mutating func choice<Value: Choice>(_ value: inout Value) {
        separate()
        quote(value.name)
    }

    public mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        guard var some = value else { return null() }
        Value.visit(&self, &some)
    }

    public mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        array { writer in
            for element in value { writer.value(element) }
        }
    }

    public mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        object { writer in
            for (key, element) in value.sortedByKeyBytes() { writer.member(key, element) }
        }
    }

    public mutating func record<Value: Record>(_ value: inout Value) {
        open("{")
        Value.fields(&self, &value)
        close("}")
    }

    private mutating func open(_ bracket: String) {
        separate()
        text += bracket
        needsComma = false
    }

    private mutating func close(_ bracket: String) {
        text += bracket
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = true
    }

    private mutating func quote(_ value: String) {
        text += "\""
        defer { text += "\"" }
        let isPlain = value.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        guard !isPlain else {
            text += value
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                text += "\\u00" + Hexadecimal.text([UInt8(scalar.value)])
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
