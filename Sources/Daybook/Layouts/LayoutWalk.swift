/// A receiver of the values of a payload, called in the order of the payload's layout.
protocol LayoutSink {
    /// True if the walk leaves out internal fields, which are stored but not shown.
    static var skipsInternalFields: Bool { get }

    /// Receives the index of the node that describes the value or map key that follows.
    mutating func receiveNode(_ index: Int)
    /// Receives the number of elements of a list or map, before the first of them.
    mutating func receiveElementCount(_ count: Int)
    /// Receives the field name of the next value as JSON, with quotes and colon.
    mutating func receiveName(_ literal: Span<UInt8>)
    /// Receives an integer.
    mutating func receiveInteger(_ value: Int64)
    /// Receives a point in time as microseconds since 1970.
    ///
    /// - Parameter inMicroseconds: true if JSON always shows it as this number.
    mutating func receiveMoment(_ value: Int64, inMicroseconds: Bool)
    /// Receives a number with one decimal place, multiplied by ten.
    mutating func receiveTenths(_ value: Int64)
    /// Receives a boolean.
    mutating func receiveBoolean(_ value: Bool)
    /// Receives the UTF-8 of a text.
    mutating func receiveText(_ utf8: Span<UInt8>)
    /// Receives the UTF-8 of a user's name; by default like a text.
    mutating func receiveName(ofAuthor utf8: Span<UInt8>)
    /// Receives a user's name that is erased; by default like `null`.
    mutating func receiveErasedName()
    /// Receives the UTF-8 of a personal text that the payload itself holds; by default like a text.
    mutating func receivePlainText(_ utf8: Span<UInt8>)
    /// Receives a personal integer that is not erased; by default like an integer.
    mutating func receivePersonalInteger(_ value: Int64)
    /// Receives a personal integer that is erased; by default like `null`.
    mutating func receiveErasedInteger()
    /// True to receive `null` in place of each part of a location; false by default.
    var hidesPlaces: Bool { get }
    /// Receives a value that is stored as JSON text.
    mutating func receiveJSON(_ utf8: Span<UInt8>)
    /// Receives the key of the next value of a map, without quotes.
    mutating func receiveKey(_ utf8: Span<UInt8>)
    /// Receives the eight bytes of a digest as a big-endian number.
    mutating func receiveDigest(_ bits: UInt64)
    /// Receives the index of a personal text, and the offset of its seal (salted hash).
    mutating func receivePersonalText(_ textIndex: UInt32, sealAt offset: Int)
    /// Receives the name of an enum case as JSON, with quotes.
    mutating func receiveCaseName(_ literal: Span<UInt8>)
    /// Receives `null`, for a value that is absent or erased.
    mutating func receiveNull()
    /// Receives the start of a record, map (`{`) or list (`[`).
    mutating func receiveOpening(_ bracket: Unicode.Scalar)
    /// Receives the end of a record, map (`}`) or list (`]`).
    mutating func receiveClosing(_ bracket: Unicode.Scalar)
}

extension LayoutSink {
    mutating func receiveName(ofAuthor utf8: Span<UInt8>) { receiveText(utf8) }
    mutating func receiveErasedName() { receiveNull() }
    mutating func receivePlainText(_ utf8: Span<UInt8>) { receiveText(utf8) }
    mutating func receivePersonalInteger(_ value: Int64) { receiveInteger(value) }
    mutating func receiveErasedInteger() { receiveNull() }
    var hidesPlaces: Bool { false }
}

/// The field in the errors of a `LayoutWalk`, which does not know the names of fields.
private let unknownField = ""

/// A reader that passes the values of one payload to a sink, in the order of the layout.
///
/// The reader throws an error if the payload is not in the canonical form of the layout. The error
/// does not name the field: to find the field, the caller decodes the payload as its type.
@safe struct LayoutWalk<Sink: LayoutSink> {
    /// The layout of the payload.
    private let layout: LayoutArrays
    /// The reader of the payload's bytes.
    private var reader: BinaryReader
    /// The index of the payload's next personal text.
    private var textIndex: UInt32 = 0
    /// True if the last field read was added in a later release and is stored as `nil`.
    ///
    /// The canonical form stores such a `nil` only if a field after it has a value.
    private var endsWithAbsentField = false

    /// Passes the values of a payload to a sink; throws an error if the payload is not canonical.
    ///
    /// After an error, the sink has received the values before it.
    static func passValues(
        of payload: RawSpan, _ layout: PayloadLayout, to sink: inout Sink
    ) throws(CorruptPayload) {
        try LayoutArrays.withArrays(of: layout) { (layout) throws(CorruptPayload) in
            try unsafe payload.withUnsafeBytes { (buffer) throws(CorruptPayload) in
                var walk = unsafe LayoutWalk(layout: layout, reader: BinaryReader(buffer))
                try walk.readRecord(0, depth: 1, &sink)
                guard walk.reader.index == walk.reader.end, !walk.endsWithAbsentField else {
                    throw CorruptPayload.trailingBytes(0)
                }
            }
        }
    }

    private init(layout: LayoutArrays, reader: BinaryReader) {
        self.layout = layout
        self.reader = reader
    }

    /// Reads the record that begins at a node of the layout.
    ///
    /// - Parameter depth: the nesting depth of the record; 1 for the payload itself.
    private mutating func readRecord(
        _ index: Int, depth: Int, _ sink: inout Sink
    ) throws(CorruptPayload) {
        sink.receiveOpening("{")
        let end = layout[index].endIndex
        var part = index + 1
        while part < end {
            try readField(part, depth: depth, &sink)
            part = layout[part].endIndex
        }
        sink.receiveClosing("}")
    }

    /// Reads a field, and passes its name and value to the sink unless the sink skips it.
    private mutating func readField(
        _ index: Int, depth: Int, _ sink: inout Sink
    ) throws(CorruptPayload) {
        let node = layout[index]
        if node.isInternal, Sink.skipsInternalFields { return try skipValue(index, depth: depth) }
        if node.isLeftOutIfNil {
            var next = reader
            guard try next.readBoolean() else {
                reader = next
                return
            }
        }
        layout.withName(of: index) { sink.receiveName($0) }
        guard node.isAdded, depth == 1 else {
            return try readShownValue(index, depth: depth, &sink)
        }
        guard reader.index < reader.end else { return sink.receiveNull() }
        var start = reader
        let isPresent = try start.readBoolean()
        try readShownValue(index, depth: depth, &sink)
        endsWithAbsentField = !isPresent
    }

    /// Reads a value, and passes it to the sink unless it is a part of a location that is hidden.
    private mutating func readShownValue(
        _ index: Int, depth: Int, _ sink: inout Sink
    ) throws(CorruptPayload) {
        guard layout[index].isPlace, sink.hidesPlaces else {
            return try readValue(index, depth: depth, &sink)
        }
        sink.receiveNull()
        try skipValue(index, depth: depth)
    }

    /// Reads and checks a value without passing it to the sink.
    private mutating func skipValue(_ index: Int, depth: Int) throws(CorruptPayload) {
        var walk = LayoutWalk<SealSink>(layout: layout, reader: reader)
        var seals = SealSink()
        walk.textIndex = textIndex
        try walk.readValue(index, depth: depth, &seals)
        reader = walk.reader
        textIndex = walk.textIndex
    }

    /// Reads the value that a node describes, and passes it to the sink.
    private mutating func readValue(
        _ index: Int, depth: Int, _ sink: inout Sink
    ) throws(CorruptPayload) {
        sink.receiveNode(index)
        let node = layout[index]
        switch node.form {
        case .integer: sink.receiveInteger(try reader.readInteger())
        case .position:
            let number = try reader.readInteger()
            guard number >= 0 else {
                throw .invalid(field: unknownField, found: "a position below 0")
            }
            sink.receiveInteger(number)
        case .moment:
            sink.receiveMoment(try reader.readInteger(), inMicroseconds: node.isInMicroseconds)
        case .tenths: sink.receiveTenths(try reader.readInteger())
        case .boolean: sink.receiveBoolean(try reader.readBoolean())
        case .text: try readText(.text, &sink)
        case .json: try readText(.json, &sink)
        case .freeText: try readText(.freeText, &sink)
        case .digest:
            var digest = Digest.blank
            try reader.digest(&digest)
            sink.receiveDigest(digest.bits)
        case .personal: try readPersonalText(&sink)
        case .sealable: try readSealableText(&sink)
        case .author:
            if reader.consumeErasedMark() {
                sink.receiveErasedName()
            } else {
                try readText(.author, &sink)
            }
        case .personalInteger:
            if reader.consumeErasedMark() {
                sink.receiveErasedInteger()
            } else {
                sink.receivePersonalInteger(try reader.readInteger())
            }
        case .storedEnum:
            let code = try reader.readByte()
            guard layout.withCase(Int(code), of: index, { sink.receiveCaseName($0) }) else {
                throw BinaryReader.unknownCaseError(code)
            }
        case .optional:
            if try reader.readBoolean() {
                try readValue(index + 1, depth: depth, &sink)
            } else {
                sink.receiveNull()
            }
        case .list:
            sink.receiveOpening("[")
            let count = try reader.readLength()
            sink.receiveElementCount(count)
            for _ in 0..<count { try readValue(index + 1, depth: depth, &sink) }
            sink.receiveClosing("]")
        case .map: try readMap(index, depth: depth, &sink)
        case .record: try readRecord(index, depth: depth + 1, &sink)
        }
    }

    /// Reads a text, which must be valid UTF-8.
    ///
    /// - Parameter form: the form of the value: a text, JSON, a user's name or a personal text.
    private mutating func readText(
        _ form: PayloadLayout.Form, _ sink: inout Sink
    ) throws(CorruptPayload) {
        let bytes = unsafe Span(_unsafeElements: try reader.consume(try reader.readLength()))
        guard bytes.isUTF8 else {
            throw .invalid(field: unknownField, found: "bytes that are not UTF-8")
        }
        switch form {
        case .json: sink.receiveJSON(bytes)
        case .author: sink.receiveName(ofAuthor: bytes)
        case .sealable, .freeText: sink.receivePlainText(bytes)
        default: sink.receiveText(bytes)
        }
    }

    /// Reads the seal (salted hash) of a personal text.
    private mutating func readPersonalText(_ sink: inout Sink) throws(CorruptPayload) {
        sink.receivePersonalText(textIndex, sealAt: reader.index)
        _ = unsafe try reader.consume(PersonalText.sealByteCount)
        textIndex += 1
    }

    /// Reads a text, or the seal (salted hash) that is stored instead of the text.
    private mutating func readSealableText(_ sink: inout Sink) throws(CorruptPayload) {
        let start = reader
        let bytes = unsafe Span(_unsafeElements: try reader.consume(try reader.readLength()))
        guard bytes.count == SealableText.sealedByteCount, bytes[0] == SealableText.mark else {
            reader = start
            return try readText(.sealable, &sink)
        }
        sink.receivePersonalText(textIndex, sealAt: reader.index - PersonalText.sealByteCount)
        textIndex += 1
    }

    /// Reads a map, whose entries must be in the byte order of their keys.
    private mutating func readMap(
        _ index: Int, depth: Int, _ sink: inout Sink
    ) throws(CorruptPayload) {
        sink.receiveOpening("{")
        var before: Range<Int>?
        let count = try reader.readLength()
        sink.receiveElementCount(count)
        for _ in 0..<count {
            let bytes = unsafe try reader.consume(try reader.readLength())
            let key = unsafe Span(_unsafeElements: bytes)
            let range = reader.index - key.count..<reader.index
            if let before, !reader.ascends(from: before, to: range) {
                throw .invalid(
                    field: unknownField, found: "a map whose keys do not ascend in byte order")
            }
            guard key.isUTF8 else {
                throw .invalid(field: unknownField, found: "bytes that are not UTF-8")
            }
            before = range
            sink.receiveNode(index)
            sink.receiveKey(key)
            try readValue(index + 1, depth: depth, &sink)
        }
        sink.receiveClosing("}")
    }
}

extension BinaryReader {
    /// True if the bytes in the first range sort before the bytes in the second range.
    fileprivate func ascends(from first: Range<Int>, to second: Range<Int>) -> Bool {
        guard let start = unsafe start else { return false }
        let a = unsafe UnsafeBufferPointer(
            start: (start + first.lowerBound).assumingMemoryBound(to: UInt8.self),
            count: first.count)
        let b = unsafe UnsafeBufferPointer(
            start: (start + second.lowerBound).assumingMemoryBound(to: UInt8.self),
            count: second.count)
        return unsafe Span(_unsafeElements: a).precedes(Span(_unsafeElements: b))
    }
}

/// The arrays of a payload's layout, which must outlive the walk.
///
/// Pointers, because a walk that held the arrays would retain and release them at each value.
@safe private struct LayoutArrays {
    private let nodes: UnsafeBufferPointer<PayloadLayout.Node>
    private let caseNameRanges: UnsafeBufferPointer<Range<Int>>
    private let literals: UnsafeBufferPointer<UInt8>

    /// Calls `body` with the arrays of a layout.
    static func withArrays<Result>(
        of layout: PayloadLayout, _ body: (LayoutArrays) throws(CorruptPayload) -> Result
    ) throws(CorruptPayload) -> Result {
        try unsafe layout.nodes.withUnsafeBufferPointer { (nodes) throws(CorruptPayload) in
            try unsafe layout.caseNameRanges.withUnsafeBufferPointer {
                (caseNameRanges) throws(CorruptPayload) in
                try unsafe layout.literals.withUnsafeBufferPointer {
                    (literals) throws(CorruptPayload) in
                    try body(
                        unsafe LayoutArrays(
                            nodes: nodes, caseNameRanges: caseNameRanges, literals: literals))
                }
            }
        }
    }

    private init(
        nodes: UnsafeBufferPointer<PayloadLayout.Node>,
        caseNameRanges: UnsafeBufferPointer<Range<Int>>, literals: UnsafeBufferPointer<UInt8>
    ) {
        unsafe self.nodes = unsafe nodes
        unsafe self.caseNameRanges = unsafe caseNameRanges
        unsafe self.literals = unsafe literals
    }

    /// Returns the node with this index.
    subscript(index: Int) -> PayloadLayout.Node {
        precondition(unsafe index < nodes.count)
        return unsafe nodes[index]
    }

    /// Calls `body` with the field name of a node, as a JSON text with its colon.
    func withName(of index: Int, _ body: (Span<UInt8>) -> Void) {
        unsafe body(Span(_unsafeElements: literals).extracting(self[index].nameRange))
    }

    /// Calls `body` with the name of a stored enum's case as JSON text.
    ///
    /// - Returns: false if the node has no case with this code.
    func withCase(_ code: Int, of index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        let cases = self[index].caseRange
        guard code < cases.count else { return false }
        let name = unsafe caseNameRanges[cases.lowerBound + code]
        unsafe body(Span(_unsafeElements: literals).extracting(name))
        return true
    }
}
