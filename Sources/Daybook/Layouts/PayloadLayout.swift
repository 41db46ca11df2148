/// The binary form of a record as a flat list of nodes (values), computed once from its fields.
///
/// A layout reads a payload without the record's type: it checks that the payload is canonical, and
/// writes it as JSON directly from the bytes. A visitor that is generic over the type does the same
/// with a value for each field, and takes many times as long if it is not specialised for the type.
///
/// A layout relies on a law of `FieldValue.visit`: a type makes the same calls of a visitor for
/// every value, and keeps the values that a reader has set. `DaybookTesting.checkArea` checks this
/// law.
@usableFromInline package struct PayloadLayout: Sendable {
    /// A description of one value of the record, before the nodes of its fields or element.
    ///
    /// It holds no reference, so that a walk can read nodes without changing a reference count.
    struct Node {
        /// The form of the value.
        var form: Form
        /// Range in `literals` of the field name, with quotes and colon; empty if not a field.
        var nameRange = 0..<0
        /// Index after the last node of the value's fields, element or wrapped value.
        var endIndex = 0
        /// True if the value is a field that a later release added at the end of an event's layout.
        var isAdded = false
        /// True if the value is a field that is stored but not shown.
        var isInternal = false
        /// True if the field's name ends in `Us`, so that JSON shows its points in time as numbers.
        var isInMicroseconds = false
        /// True if the value is a field that JSON leaves out when it is `nil`.
        var isLeftOutIfNil = false
        /// Range in `caseNameRanges` of the cases of a stored enum, in the order of their codes.
        var caseRange = 0..<0
        /// Limit of the value; `nil` within a field that repeats values of an earlier event.
        var limit: Limit?
        /// True if the value is the user's name in the payload's own field `by`.
        var isAuthor = false
        /// True if the value is a field that holds a part of a location.
        var isPlace = false
    }

    /// The form of a value, called like the method of `FieldVisitor` that reads it.
    ///
    /// A value that `scalar` reads has the form `text`.
    enum Form: UInt8 {
        case integer, position, moment, tenths, boolean, text, json, digest, personal, sealable
        case freeText, author, personalInteger, storedEnum, optional, list, map, record
    }

    /// The nodes of the record; the first node is the record itself.
    let nodes: [Node]
    /// The UTF-8 of all field and case names, as JSON texts.
    let literals: [UInt8]
    /// Ranges in `literals` of the case names of all stored enums.
    let caseNameRanges: [Range<Int>]

    /// Computes the layout of a record type.
    package init<Value: Record>(of type: Value.Type) {
        var compiler = LayoutCompiler()
        var value = Value.blank
        compiler.record(&value)
        nodes = compiler.nodes
        caseNameRanges = compiler.caseNameRanges
        literals = compiler.literals
    }

    /// Returns the layout of a record type, which is computed when it is first used.
    @usableFromInline static func lazy<Value: Record>(
        of type: Value.Type
    ) -> LazyValue<PayloadLayout> {
        LazyValue { PayloadLayout(of: type) }
    }
}

extension PayloadLayout {
    /// Writes a payload as a JSON object, with points in time in the format of the writer.
    ///
    /// - Parameter personalText: returns the personal text with this index in the payload; `nil` if
    ///   the text is erased.
    /// - Throws: an error if the payload is not in its canonical form; nothing is written.
    package func write(
        _ payload: RawSpan, _ personalText: (UInt32) -> String?, to writer: inout JSONWriter
    ) throws(CorruptPayload) {
        let (start, needsComma) = (writer.buffer.count, writer.needsComma)
        try withoutActuallyEscaping(personalText) { (personalText) throws(CorruptPayload) in
            var sink = JSONSink(writer: writer, personalText: personalText)
            // Only the sink holds the bytes now, so that they are not copied when it adds to them.
            writer.buffer = []
            defer { writer = sink.writer }
            do throws(CorruptPayload) {
                try LayoutWalk.passValues(of: payload, self, to: &sink)
            } catch {
                sink.writer.buffer.removeLast(sink.writer.buffer.count - start)
                sink.writer.needsComma = needsComma
                throw error
            }
        }
    }

    /// Returns the user in a payload's field `by`, and true if all values are within their limits.
    ///
    /// - Throws: an error if the payload is not in its canonical form.
    package func authorAndLimitCheck(
        in payload: RawSpan
    ) throws(CorruptPayload) -> (author: String?, isWithinLimits: Bool) {
        var sink = AuthorAndLimitSink(nodes: nodes)
        try LayoutWalk.passValues(of: payload, self, to: &sink)
        return (sink.author, sink.isWithinLimits)
    }

    /// True if all values of a payload and its personal texts are within their limits.
    ///
    /// Also false if the payload is not in its canonical form.
    func showsLimitsKept(by payload: [UInt8], _ personal: [PayloadText]) -> Bool {
        var sink = AuthorAndLimitSink(nodes: nodes, personal: personal)
        do throws(CorruptPayload) {
            try unsafe LayoutWalk.passValues(of: payload.contents.bytes, self, to: &sink)
        } catch {
            return false
        }
        return sink.isWithinLimits
    }

    /// True if payloads may have personal texts.
    var hasSeals: Bool { nodes.contains { $0.form == .personal || $0.form == .sealable } }

    /// Returns the offsets of the personal texts' seals (salted hashes) in a payload, in order.
    ///
    /// - Throws: an error if the payload is not in its canonical form.
    package func sealOffsets(in payload: RawSpan) throws(CorruptPayload) -> [Int] {
        var sink = SealSink()
        try LayoutWalk.passValues(of: payload, self, to: &sink)
        return sink.offsets
    }

    /// Returns the number of erased names and personal integers in a payload.
    ///
    /// - Throws: an error if the payload is not in its canonical form.
    func erasedCount(in payload: RawSpan) throws(CorruptPayload) -> Int {
        var sink = SealSink()
        try LayoutWalk.passValues(of: payload, self, to: &sink)
        return sink.erasedCount
    }
}

/// A visitor that creates the nodes of a record type's layout by visiting a blank record.
///
/// For an optional, a list and a map, it visits a blank element.
private struct LayoutCompiler: FieldVisitor {
    typealias Failure = Never

    /// The nodes created so far.
    private(set) var nodes: [PayloadLayout.Node] = []
    /// The field and case names met so far, as JSON texts.
    private(set) var literals: [UInt8] = []
    /// Ranges in `literals` of the case names met so far.
    private(set) var caseNameRanges: [Range<Int>] = []
    /// The node to add next, with the properties that its field has set.
    private var nextNode = PayloadLayout.Node(form: .integer)
    /// True if the name of the current field ends in `Us`.
    private var isInMicroseconds = false
    /// Limit of the next value and its elements; `nil` if they have none.
    private var limit: Limit? = .standard
    /// The number of records that contain the next value.
    private var depth = 0
    /// True if the current field is the payload's own field `by`.
    private var isByField = false
    /// Names of the location fields of the current record.
    private var placeNames: Set<String> = []

    /// Adds a text to `literals`, and returns the range of the text in `literals`.
    private mutating func addLiteral(_ text: String) -> Range<Int> {
        let start = literals.count
        literals += text.utf8
        return start..<literals.count
    }

    /// Adds the nodes of a field; `mark` sets properties of its first node.
    private mutating func addField<Value: FieldValue>(
        _ name: String, _ type: Value.Type, _ limit: Limit = Value.limit,
        _ mark: (inout PayloadLayout.Node) -> Void = { _ in }
    ) {
        nextNode.nameRange = addLiteral(JSONWriter.text(name) + ":")
        nextNode.isPlace = placeNames.contains(name)
        isInMicroseconds = name.hasSuffix("Us")
        isByField = name == "by" && depth == 1
        mark(&nextNode)
        let outer = self.limit
        self.limit = outer == nil || limit.holdsHistory ? nil : limit
        addNodes(of: Value.self)
        self.limit = outer
    }

    /// Adds the nodes of a type by visiting a blank value.
    private mutating func addNodes<Value: FieldValue>(of type: Value.Type) {
        var value = Value.blank
        Value.visit(&self, &value)
    }

    /// Adds a node, followed by the nodes that `parts` adds for its fields or element.
    private mutating func addNode(
        _ form: PayloadLayout.Form, caseRange: Range<Int> = 0..<0,
        _ parts: (inout Self) -> Void = { _ in }
    ) {
        var node = nextNode
        nextNode = PayloadLayout.Node(form: .integer)
        node.form = form
        node.caseRange = caseRange
        node.isInMicroseconds = isInMicroseconds
        node.limit = limit
        node.isAuthor = form == .author && isByField
        let index = nodes.count
        nodes.append(node)
        parts(&self)
        nodes[index].endIndex = nodes.count
    }

    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        addField(name, Value.self)
    }

    mutating func field<Value: FieldValue>(
        _ name: String, _ value: inout Value, limit: @autoclosure () -> Limit
    ) {
        addField(name, Value.self, limit())
    }

    mutating func internalField<Value: FieldValue>(_ name: String, _ value: inout Value) {
        addField(name, Value.self) { $0.isInternal = true }
    }

    mutating func addedField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        addField(name, Value?.self) { $0.isAdded = true }
    }

    mutating func optionalField<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        addField(name, Value?.self) { $0.isLeftOutIfNil = true }
    }

    mutating func integer(_ value: inout Int64) { addNode(.integer) }
    mutating func position(_ value: inout Position) { addNode(.position) }
    mutating func moment(_ value: inout Int64) { addNode(.moment) }
    mutating func tenths(_ value: inout Int64) { addNode(.tenths) }
    mutating func boolean(_ value: inout Bool) { addNode(.boolean) }
    mutating func text(_ value: inout String) { addNode(.text) }
    mutating func scalar(_ value: inout String) { addNode(.text) }
    mutating func freeText(_ value: inout String) { addNode(.freeText) }
    mutating func json(_ value: inout String) { addNode(.json) }
    mutating func digest(_ value: inout Digest) { addNode(.digest) }
    mutating func personal(_ value: inout PersonalText) { addNode(.personal) }
    mutating func sealable(_ value: inout SealableText) { addNode(.sealable) }
    mutating func author(_ value: inout Author) { addNode(.author) }
    mutating func personalInteger(_ value: inout PersonalInteger) { addNode(.personalInteger) }

    mutating func storedEnum<Value: StoredEnum>(_ value: inout Value) {
        let start = caseNameRanges.count
        for name in Value.names { caseNameRanges.append(addLiteral(JSONWriter.text(name))) }
        addNode(.storedEnum, caseRange: start..<caseNameRanges.count)
    }

    mutating func optional<Value: FieldValue>(_ value: inout Value?) {
        addNode(.optional) { $0.addNodes(of: Value.self) }
    }

    mutating func list<Value: FieldValue>(_ value: inout [Value]) {
        addNode(.list) { $0.addNodes(of: Value.self) }
    }

    mutating func map<Value: FieldValue>(_ value: inout [String: Value]) {
        addNode(.map) { $0.addNodes(of: Value.self) }
    }

    mutating func record<Value: Record>(_ value: inout Value) {
        depth += 1
        let outerNames = placeNames
        placeNames = Value.places?.names ?? []
        addNode(.record) { $0.addFields(of: &value) }
        placeNames = outerNames
        depth -= 1
    }

    /// Adds the nodes of a record's fields.
    private mutating func addFields<Value: Record>(of value: inout Value) { value.fields(&self) }
}
