/// Layout sink that writes a payload as JSON.
struct JSONSink: LayoutSink {
    static var skipsInternalFields: Bool { true }

    var writer: JSONWriter
    /// Returns the text of a personal field by its index; `nil` if the text is erased.
    let personalText: (UInt32) -> String?

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

/// Layout sink that collects the byte offsets of the seals of a payload.
struct SealSink: LayoutSink {
    static var skipsInternalFields: Bool { false }

    private(set) var offsets: [Int] = []

    mutating func personal(_ ordinal: UInt32, sealAt offset: Int) { offsets.append(offset) }

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
