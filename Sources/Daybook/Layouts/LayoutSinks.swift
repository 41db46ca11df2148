/// A layout sink that writes a payload as JSON.
struct JSONSink: LayoutSink {
    static var skipsInternalFields: Bool { true }

    /// The writer of the JSON text.
    var writer: JSONWriter
    /// Returns the text of a personal field by its index; `nil` if the text is erased.
    let personalText: (UInt32) -> String?

    /// Does nothing: the sink needs no steps of the layout.
    mutating func step(_ index: Int) {}
    /// Does nothing: the sink needs no numbers of elements.
    mutating func elementCount(_ count: Int) {}
    mutating func name(_ literal: Span<UInt8>) { writer.literal(literal, isName: true) }

    mutating func integer(_ value: Int64) {
        writer.separate()
        writer.digits(of: value)
    }

    mutating func moment(_ value: Int64, inMicroseconds: Bool) {
        writer.moment(value, inMicroseconds: inMicroseconds)
    }

    mutating func tenths(_ value: Int64) { writer.raw(Tenths(tenths: value).text) }
    mutating func boolean(_ value: Bool) { writer.raw(value ? "true" : "false") }
    mutating func text(_ utf8: Span<UInt8>) { writer.quote(utf8) }
    mutating func json(_ utf8: Span<UInt8>) { writer.literal(utf8) }

    mutating func key(_ utf8: Span<UInt8>) {
        writer.quote(utf8, endingWith: UInt8(ascii: ":"))
        writer.needsComma = false
    }

    mutating func digest(_ bits: UInt64) { writer.digest(bits) }

    mutating func personal(_ ordinal: UInt32, sealAt offset: Int) {
        writer.quote(personalText(ordinal) ?? "erased")
    }

    mutating func caseName(_ literal: Span<UInt8>) { writer.literal(literal) }
    mutating func null() { writer.null() }
    mutating func open(_ bracket: Unicode.Scalar) { writer.open(bracket) }
    mutating func close(_ bracket: Unicode.Scalar) { writer.close(bracket) }
}

/// A layout sink that collects the byte offsets of a payload's seals (salted hashes).
struct SealSink: LayoutSink {
    static var skipsInternalFields: Bool { false }

    /// The offsets of the seals so far.
    private(set) var offsets: [Int] = []

    mutating func personal(_ ordinal: UInt32, sealAt offset: Int) { offsets.append(offset) }

    /// Does nothing: the sink needs no steps of the layout.
    mutating func step(_ index: Int) {}
    /// Does nothing: the sink needs no numbers of elements.
    mutating func elementCount(_ count: Int) {}
    mutating func name(_ literal: Span<UInt8>) {}
    mutating func integer(_ value: Int64) {}
    mutating func moment(_ value: Int64, inMicroseconds: Bool) {}
    mutating func tenths(_ value: Int64) {}
    mutating func boolean(_ value: Bool) {}
    mutating func text(_ utf8: Span<UInt8>) {}
    mutating func json(_ utf8: Span<UInt8>) {}
    mutating func key(_ utf8: Span<UInt8>) {}
    mutating func digest(_ bits: UInt64) {}
    mutating func caseName(_ literal: Span<UInt8>) {}
    mutating func null() {}
    mutating func open(_ bracket: Unicode.Scalar) {}
    mutating func close(_ bracket: Unicode.Scalar) {}
}

/// A layout sink that compares values with their limits, and keeps the author of an event.
struct FactSink: LayoutSink {
    static var skipsInternalFields: Bool { false }

    /// The steps of the payload's layout.
    private let steps: [PayloadLayout.Step]
    /// The author in the field `by`; `nil` if it is erased, or there is no such field.
    private(set) var author: String?
    /// True while no value is outside its limit.
    private(set) var isWithinLimits = true
    /// The index of the step of the current value.
    private var current = 0

    init(steps: [PayloadLayout.Step]) { self.steps = steps }

    /// Clears `isWithinLimits` if `isWithin` is false for the limit of the current step.
    private mutating func check(_ isWithin: (Limit) -> Bool) {
        if let limit = steps[current].limit, !isWithin(limit) { isWithinLimits = false }
    }

    /// Remembers the step, whose limit applies to the next value.
    mutating func step(_ index: Int) { current = index }
    /// Compares the number of elements of a list or map with the limit.
    mutating func elementCount(_ count: Int) { check { count <= $0.mostElements } }
    mutating func integer(_ value: Int64) { check { $0.values.contains(value) } }
    mutating func moment(_ value: Int64, inMicroseconds: Bool) { integer(value) }
    mutating func tenths(_ value: Int64) { integer(value) }

    mutating func text(_ utf8: Span<UInt8>) {
        let count = utf8.count
        check { count <= $0.mostBytes }
        guard steps[current].isAuthor else { return }
        author = unsafe utf8.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    mutating func json(_ utf8: Span<UInt8>) { text(utf8) }
    mutating func key(_ utf8: Span<UInt8>) { text(utf8) }
    mutating func name(_ literal: Span<UInt8>) {}
    mutating func boolean(_ value: Bool) {}
    mutating func digest(_ bits: UInt64) {}
    mutating func personal(_ ordinal: UInt32, sealAt offset: Int) {}
    mutating func caseName(_ literal: Span<UInt8>) {}
    mutating func null() {}
    mutating func open(_ bracket: Unicode.Scalar) {}
    mutating func close(_ bracket: Unicode.Scalar) {}
}
