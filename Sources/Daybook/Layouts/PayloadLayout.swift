/// The binary form of a record as a flat list of steps, made once from its list of fields.
///
/// It reads a payload without the record's type: checks that it is canonical, and writes it as JSON
/// from byte to byte. A visitor that is generic over the type does the same with a value for each
/// field, and where it is not specialised for the type it costs many times as much.
///
/// It relies on a law of `FieldValue.visit`: a type shows a visitor the same calls for every value,
/// and keeps what a reader has set. `DaybookTesting.checkArea` holds types to it.
package struct PayloadLayout: Sendable {
    /// One value of the record, in the order of the binary form; the steps of its parts follow it.
    struct Step {
        var form: Form
        /// The value's name in JSON, with quotes and colon, in `literals`; empty without a name.
        var name = 0..<0
        /// The index after the steps of its parts.
        var end = 0
        /// A field that a later release added at the end of an event's layout.
        var isAdded = false
        /// A field that is stored and not shown.
        var isInternal = false
        /// A value of a field whose name says that its moments stay numbers.
        var isInMicroseconds = false
        /// The names of a stored enum in `literals`, by code.
        var cases: [Range<Int>] = []
    }

    enum Form: UInt8 {
        case integer, moment, tenths, boolean, text, digest, personal, sealable, author
        case personalInteger, storedEnum, optional, list, map, record
    }

    let steps: [Step]
    let literals: [UInt8]

    package init<Value: Record>(of type: Value.Type) {
        var compiler = LayoutCompiler()
        var value = Value.blank
        compiler.record(&value)
        steps = compiler.steps
        literals = compiler.literals
    }
}

extension PayloadLayout {
    /// Writes a payload as a JSON object, with moments as the writer has them.
    ///
    /// - Parameter personalText: returns a personal text by its index in the payload; `nil` for an
    ///   erased one.
    /// - Throws: an error if the payload is not in its canonical form; nothing is written.
    package func write(
        _ payload: RawSpan, _ personalText: (UInt32) -> String?, to writer: inout JSONWriter
    ) throws(CorruptPayload) {
        writer = try withoutActuallyEscaping(personalText) {
            (personalText) throws(CorruptPayload) in
            var sink = JSONSink(writer: writer, personalText: personalText)
            try LayoutWalk.show(payload, self, to: &sink)
            return sink.writer
        }
    }

    /// Returns the offsets of the seals in a payload, in the order of the personal fields.
    ///
    /// - Throws: an error if the payload is not in its canonical form.
    package func sealOffsets(in payload: RawSpan) throws(CorruptPayload) -> [Int] {
        var sink = SealSink()
        try LayoutWalk.show(payload, self, to: &sink)
        return sink.offsets
    }
}

/// Makes the steps of a type by visiting a blank value, and a blank element of what may be empty.
private struct LayoutCompiler: FieldVisitor {
    typealias Failure = Never

    private(set) var steps: [PayloadLayout.Step] = []
    private(set) var literals: [UInt8] = []
    private var next = PayloadLayout.Step(form: .integer)
    private var isInMicroseconds = false

    private mutating func literal(_ text: String) -> Range<Int> {
        let start = literals.count
        literals += text.utf8
        return start..<literals.count
    }

    private mutating func named<Value: FieldValue>(
        _ name: String, _ type: Value.Type, _ mark: (inout PayloadLayout.Step) -> Void = { _ in }
    ) {
        next.name = literal(JSONWriter.text(name) + ":")
        isInMicroseconds = name.hasSuffix("Us")
        mark(&next)
        describe(Value.self)
    }

    private mutating func describe<Value: FieldValue>(_ type: Value.Type) {
        var value = Value.blank
        Value.visit(&self, &value)
    }

    /// Adds a step, and those of its parts.
    private mutating func add(
        _ form: PayloadLayout.Form, cases: [Range<Int>] = [],
        _ parts: (inout Self) -> Void = { _ in }
    ) {
        var step = next
        next = PayloadLayout.Step(form: .integer)
        step.form = form
        step.cases = cases
        step.isInMicroseconds = isInMicroseconds
        let index = steps.count
        steps.append(step)
        parts(&self)
        steps[index].end = steps.count
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        named(name, Value.self)
    }

    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {
        named(name, Value.self) { $0.isInternal = true }
    }

    mutating func addedField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        named(name, Value?.self) { $0.isAdded = true }
    }

    mutating func integer(_ value: inout Int64) { add(.integer) }
    mutating func moment(_ value: inout Int64) { add(.moment) }
    mutating func tenths(_ value: inout Int64) { add(.tenths) }
    mutating func boolean(_ value: inout Bool) { add(.boolean) }
    mutating func text(_ value: inout String) { add(.text) }
    mutating func scalar(_ value: inout String) { add(.text) }
    mutating func digest(_ value: inout Digest) { add(.digest) }
    mutating func personal(_ value: inout PersonalText) { add(.personal) }
    mutating func sealable(_ value: inout SealableText) { add(.sealable) }
    mutating func author(_ value: inout Author) { add(.author) }
    mutating func personalInteger(_ value: inout PersonalInteger) { add(.personalInteger) }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        add(.storedEnum, cases: Value.names.map { literal(JSONWriter.text($0)) })
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        add(.optional) { $0.describe(Value.self) }
    }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        add(.list) { $0.describe(Value.self) }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        add(.map) { $0.describe(Value.self) }
    }

    mutating func record<Value: Record>(_ value: inout Value) {
        add(.record) { $0.fields(of: &value) }
    }

    private mutating func fields<Value: Record>(of value: inout Value) { value.fields(&self) }
}
