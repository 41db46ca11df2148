/// A receiver of the values of a payload, called in the order of the payload's layout.
protocol LayoutSink {
    /// True if the walk leaves out internal fields, which are stored but not shown.
    static var skipsInternalFields: Bool { get }

    /// Receives the index in the layout of the value or key that follows.
    mutating func step(_ index: Int)
    /// Receives the number of elements of a list or map, after its step.
    mutating func elementCount(_ count: Int)
    /// Receives the name of the next value as JSON text, with quotes and colon.
    mutating func name(_ literal: Span<UInt8>)
    /// Receives an integer.
    mutating func integer(_ value: Int64)
    /// Receives a moment as microseconds since 1970.
    ///
    /// - Parameter inMicroseconds: true if JSON always gives the moment as a number.
    mutating func moment(_ value: Int64, inMicroseconds: Bool)
    /// Receives ten times a number with one decimal.
    mutating func tenths(_ value: Int64)
    /// Receives a boolean.
    mutating func boolean(_ value: Bool)
    /// Receives the UTF-8 of a text.
    mutating func text(_ utf8: Span<UInt8>)
    /// Receives the text of a value that is already JSON.
    mutating func json(_ utf8: Span<UInt8>)
    /// Receives the key of the next value of a map, without quotes.
    mutating func key(_ utf8: Span<UInt8>)
    /// Receives the eight bytes of a digest as a big-endian number.
    mutating func digest(_ bits: UInt64)
    /// Receives the index of a personal text in the payload, and the offset of its salted hash.
    mutating func personal(_ ordinal: UInt32, sealAt offset: Int)
    /// Receives the name of an enum case as JSON text, with quotes.
    mutating func caseName(_ literal: Span<UInt8>)
    /// Receives an absent or erased value.
    mutating func null()
    /// Receives the start of a record, map (`{`) or list (`[`).
    mutating func open(_ bracket: Unicode.Scalar)
    /// Receives the end of a record, map (`}`) or list (`]`).
    mutating func close(_ bracket: Unicode.Scalar)
}

/// A reader that passes the values of one payload to a sink, along the payload's layout.
///
/// The reader throws an error if the payload is not in the canonical form of the layout. The error
/// does not name the field: to find the field, the caller decodes the payload as its type.
@safe struct LayoutWalk<Sink: LayoutSink> {
    /// The layout of the payload.
    private let layout: LayoutArrays
    /// The reader of the payload's bytes.
    private var reader: BinaryReader
    /// The receiver of the values.
    private var sink: Sink
    /// The index of the next personal text of the payload.
    private var ordinal: UInt32 = 0
    /// True if the last added field is stored as `nil`.
    ///
    /// The canonical form stores such a `nil` only if a later added field has a value.
    private var endsWithAbsent = false

    /// Passes the values of a payload to a sink.
    static func show(
        _ payload: RawSpan, _ layout: PayloadLayout, to sink: inout Sink
    ) throws(CorruptPayload) {
        sink = try LayoutArrays.withArrays(of: layout) { (layout) throws(CorruptPayload) in
            try unsafe payload.withUnsafeBytes { (buffer) throws(CorruptPayload) in
                var walk = unsafe LayoutWalk(
                    layout: layout, reader: BinaryReader(buffer), sink: sink)
                try walk.record(0, depth: 1)
                guard walk.reader.index == walk.reader.end, !walk.endsWithAbsent else {
                    throw CorruptPayload.trailingBytes(0)
                }
                return walk.sink
            }
        }
    }

    private init(layout: LayoutArrays, reader: BinaryReader, sink: Sink) {
        self.layout = layout
        self.reader = reader
        self.sink = sink
    }

    /// Reads a record.
    ///
    /// - Parameter depth: the nesting depth of the record; 1 for the payload itself.
    private mutating func record(_ index: Int, depth: Int) throws(CorruptPayload) {
        sink.open("{")
        let end = layout[index].end
        var part = index + 1
        while part < end {
            try field(part, depth: depth)
            part = layout[part].end
        }
        sink.close("}")
    }

    /// Reads a field with its name, if it is shown.
    private mutating func field(_ index: Int, depth: Int) throws(CorruptPayload) {
        let step = layout[index]
        if step.isInternal, Sink.skipsInternalFields { return try skip(index, depth: depth) }
        if step.isLeftOutIfNil {
            var next = reader
            guard try next.readBoolean() else {
                reader = next
                return
            }
        }
        layout.withName(of: index) { sink.name($0) }
        guard step.isAdded, depth == 1 else { return try value(index, depth: depth) }
        guard reader.index < reader.end else { return sink.null() }
        var start = reader
        let isPresent = try start.readBoolean()
        try value(index, depth: depth)
        endsWithAbsent = !isPresent
    }

    /// Reads and checks a value without passing it to the sink.
    private mutating func skip(_ index: Int, depth: Int) throws(CorruptPayload) {
        var walk = LayoutWalk<SealSink>(
            layout: layout, reader: reader, sink: SealSink())
        walk.ordinal = ordinal
        try walk.value(index, depth: depth)
        reader = walk.reader
        ordinal = walk.ordinal
    }

    /// Reads the value of a step and passes it to the sink.
    private mutating func value(_ index: Int, depth: Int) throws(CorruptPayload) {
        sink.step(index)
        let step = layout[index]
        switch step.form {
        case .integer: sink.integer(try reader.readInteger())
        case .position:
            let number = try reader.readInteger()
            guard number >= 0 else { throw .invalid(field: "", found: "a position below 0") }
            sink.integer(number)
        case .moment:
            sink.moment(try reader.readInteger(), inMicroseconds: step.isInMicroseconds)
        case .tenths: sink.tenths(try reader.readInteger())
        case .boolean: sink.boolean(try reader.readBoolean())
        case .text: try text()
        case .json: try text(isJSON: true)
        case .digest:
            var digest = Digest.blank
            try reader.digest(&digest)
            sink.digest(digest.bits)
        case .personal: try personal()
        case .sealable: try sealable()
        case .author: if reader.consumeErased() { sink.null() } else { try text() }
        case .personalInteger:
            if reader.consumeErased() {
                sink.null()
            } else {
                sink.integer(try reader.readInteger())
            }
        case .storedEnum:
            let code = try reader.readByte()
            guard layout.withCase(Int(code), of: index, { sink.caseName($0) }) else {
                throw BinaryReader.unknownCase(code)
            }
        case .optional:
            if try reader.readBoolean() {
                try value(index + 1, depth: depth)
            } else {
                sink.null()
            }
        case .list:
            sink.open("[")
            let count = try reader.readLength()
            sink.elementCount(count)
            for _ in 0..<count { try value(index + 1, depth: depth) }
            sink.close("]")
        case .map: try map(index, depth: depth)
        case .record: try record(index, depth: depth + 1)
        }
    }

    /// Reads a text, which must be valid UTF-8.
    private mutating func text(isJSON: Bool = false) throws(CorruptPayload) {
        let bytes = unsafe Span(_unsafeElements: try reader.consume(try reader.readLength()))
        guard bytes.isUTF8 else { throw .invalid(field: "", found: "bytes that are not UTF-8") }
        if isJSON { sink.json(bytes) } else { sink.text(bytes) }
    }

    /// Reads the seal of a personal text.
    private mutating func personal() throws(CorruptPayload) {
        sink.personal(ordinal, sealAt: reader.index)
        _ = unsafe try reader.consume(PersonalText.sealByteCount)
        ordinal += 1
    }

    /// Reads a plain text, or the seal of a personal text.
    private mutating func sealable() throws(CorruptPayload) {
        let start = reader
        let bytes = unsafe Span(_unsafeElements: try reader.consume(try reader.readLength()))
        guard bytes.count == SealableText.sealedByteCount, bytes[0] == SealableText.mark else {
            reader = start
            return try text()
        }
        sink.personal(ordinal, sealAt: reader.index - PersonalText.sealByteCount)
        ordinal += 1
    }

    /// Reads a map, whose keys must ascend in byte order.
    private mutating func map(_ index: Int, depth: Int) throws(CorruptPayload) {
        sink.open("{")
        var before: Range<Int>?
        let count = try reader.readLength()
        sink.elementCount(count)
        for _ in 0..<count {
            let bytes = unsafe try reader.consume(try reader.readLength())
            let key = unsafe Span(_unsafeElements: bytes)
            let range = reader.index - key.count..<reader.index
            if let before, !reader.ascends(from: before, to: range) {
                throw .invalid(field: "", found: "keys that are not in ascending order")
            }
            guard key.isUTF8 else { throw .invalid(field: "", found: "bytes that are not UTF-8") }
            before = range
            sink.step(index)
            sink.key(key)
            try value(index + 1, depth: depth)
        }
        sink.close("}")
    }
}

extension BinaryReader {
    /// True if the bytes of the first range sort before the bytes of the second.
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

/// The arrays of a payload's layout, whose memory the caller of `show` keeps.
///
/// Pointers, because a walk that held the arrays would retain and release them at each value.
@safe private struct LayoutArrays {
    private let steps: UnsafeBufferPointer<PayloadLayout.Step>
    private let caseNames: UnsafeBufferPointer<Range<Int>>
    private let literals: UnsafeBufferPointer<UInt8>

    /// Calls `body` with the arrays of a layout.
    static func withArrays<Result>(
        of layout: PayloadLayout, _ body: (LayoutArrays) throws(CorruptPayload) -> Result
    ) throws(CorruptPayload) -> Result {
        try unsafe layout.steps.withUnsafeBufferPointer { (steps) throws(CorruptPayload) in
            try unsafe layout.caseNames.withUnsafeBufferPointer {
                (caseNames) throws(CorruptPayload) in
                try unsafe layout.literals.withUnsafeBufferPointer {
                    (literals) throws(CorruptPayload) in
                    try body(
                        unsafe LayoutArrays(steps: steps, caseNames: caseNames, literals: literals))
                }
            }
        }
    }

    private init(
        steps: UnsafeBufferPointer<PayloadLayout.Step>,
        caseNames: UnsafeBufferPointer<Range<Int>>, literals: UnsafeBufferPointer<UInt8>
    ) {
        unsafe self.steps = unsafe steps
        unsafe self.caseNames = unsafe caseNames
        unsafe self.literals = unsafe literals
    }

    /// Returns the step with this index.
    subscript(index: Int) -> PayloadLayout.Step {
        precondition(unsafe index < steps.count)
        return unsafe steps[index]
    }

    /// Calls `body` with the name of a step as JSON text.
    func withName(of index: Int, _ body: (Span<UInt8>) -> Void) {
        unsafe body(Span(_unsafeElements: literals).extracting(self[index].name))
    }

    /// Calls `body` with the name of a stored enum's case as JSON text.
    ///
    /// - Returns: false if the step has no case with this code.
    func withCase(_ code: Int, of index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        let cases = self[index].cases
        guard code < cases.count else { return false }
        let name = unsafe caseNames[cases.lowerBound + code]
        unsafe body(Span(_unsafeElements: literals).extracting(name))
        return true
    }
}
