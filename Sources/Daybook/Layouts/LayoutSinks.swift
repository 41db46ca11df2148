/// A layout sink that writes a payload as JSON.
struct JSONSink: LayoutSink {
    static var skipsInternalFields: Bool { true }

    /// The writer to which the payload is written.
    var writer: JSONWriter
    /// Returns a personal text by its index in the payload; `nil` if the text is erased.
    let personalText: (UInt32) -> String?

    mutating func receiveNode(_ index: Int) {}
    mutating func receiveElementCount(_ count: Int) {}
    mutating func receiveName(_ literal: Span<UInt8>) { writer.writeLiteral(literal, isName: true) }

    mutating func receiveInteger(_ value: Int64) { writer.integer(value) }

    mutating func receiveMoment(_ value: Int64, inMicroseconds: Bool) {
        writer.moment(value, inMicroseconds: inMicroseconds)
    }

    mutating func receiveTenths(_ value: Int64) { writer.raw(Tenths(tenths: value).text) }
    mutating func receiveBoolean(_ value: Bool) {
        value ? writer.literal("true") : writer.literal("false")
    }

    mutating func receiveText(_ utf8: Span<UInt8>) {
        if writer.redaction?.replacesIDs ?? false {
            writer.quote(shown(utf8))
        } else {
            writer.quote(utf8)
        }
    }

    mutating func receiveName(ofAuthor utf8: Span<UInt8>) {
        guard let redaction = writer.redaction else { return writer.quote(utf8) }
        writer.quote(redaction.shownName(Self.text(utf8)))
    }

    mutating func receiveErasedName() {
        if writer.redaction == nil { receiveNull() } else { writer.quote(Redaction.word) }
    }

    mutating func receivePlainText(_ utf8: Span<UInt8>) {
        if writer.redaction == nil { writer.quote(utf8) } else { writer.quote(Redaction.word) }
    }

    mutating func receivePersonalInteger(_ value: Int64) {
        if writer.redaction == nil { receiveInteger(value) } else { receiveNull() }
    }

    var hidesPlaces: Bool { writer.redaction != nil }

    /// Returns the text to show for the UTF-8 of an id or another text.
    private func shown(_ utf8: Span<UInt8>) -> String {
        writer.redaction?.shown(Self.text(utf8)) ?? Self.text(utf8)
    }

    /// Returns the text with these bytes.
    private static func text(_ utf8: Span<UInt8>) -> String {
        unsafe utf8.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    mutating func receiveJSON(_ utf8: Span<UInt8>) { writer.writeLiteral(utf8) }

    mutating func receiveKey(_ utf8: Span<UInt8>) {
        if writer.redaction?.replacesIDs ?? false {
            writer.quote(shown(utf8), endingWith: UInt8(ascii: ":"))
        } else {
            writer.quote(utf8, endingWith: UInt8(ascii: ":"))
        }
        writer.needsComma = false
    }

    mutating func receiveDigest(_ bits: UInt64) { writer.digest(bits) }

    mutating func receivePersonalText(_ textIndex: UInt32, sealAt offset: Int) {
        guard writer.redaction == nil else { return writer.quote(Redaction.word) }
        writer.quote(personalText(textIndex) ?? "erased")
    }

    mutating func receiveCaseName(_ literal: Span<UInt8>) { writer.writeLiteral(literal) }
    mutating func receiveNull() { writer.null() }
    mutating func receiveOpening(_ bracket: Unicode.Scalar) { writer.open(bracket) }
    mutating func receiveClosing(_ bracket: Unicode.Scalar) { writer.close(bracket) }
}

/// A layout sink that collects the offsets of a payload's seals (salted hashes of texts), and counts
/// the erased values.
struct SealSink: LayoutSink {
    static var skipsInternalFields: Bool { false }

    /// The byte offsets in the payload of the seals received so far.
    private(set) var offsets: [Int] = []
    /// The number of erased names and personal integers received so far.
    private(set) var erasedCount = 0

    mutating func receiveErasedName() { erasedCount += 1 }
    mutating func receiveErasedInteger() { erasedCount += 1 }

    mutating func receivePersonalText(_ textIndex: UInt32, sealAt offset: Int) {
        offsets.append(offset)
    }

    mutating func receiveNode(_ index: Int) {}
    mutating func receiveElementCount(_ count: Int) {}
    mutating func receiveName(_ literal: Span<UInt8>) {}
    mutating func receiveInteger(_ value: Int64) {}
    mutating func receiveMoment(_ value: Int64, inMicroseconds: Bool) {}
    mutating func receiveTenths(_ value: Int64) {}
    mutating func receiveBoolean(_ value: Bool) {}
    mutating func receiveText(_ utf8: Span<UInt8>) {}
    mutating func receiveJSON(_ utf8: Span<UInt8>) {}
    mutating func receiveKey(_ utf8: Span<UInt8>) {}
    mutating func receiveDigest(_ bits: UInt64) {}
    mutating func receiveCaseName(_ literal: Span<UInt8>) {}
    mutating func receiveNull() {}
    mutating func receiveOpening(_ bracket: Unicode.Scalar) {}
    mutating func receiveClosing(_ bracket: Unicode.Scalar) {}
}

/// A layout sink that checks values against their limits, and remembers the author of an event.
struct AuthorAndLimitSink: LayoutSink {
    static var skipsInternalFields: Bool { false }

    /// The nodes of the payload's layout.
    private let nodes: [PayloadLayout.Node]
    /// The user's name in the field `by`; `nil` if it is erased, or there is no such field.
    private(set) var author: String?
    /// True if all values received so far are within their limits.
    private(set) var isWithinLimits = true
    /// The index in `nodes` of the value that is received next.
    private var currentNodeIndex = 0
    /// The personal texts to check, in the order of their seals; empty to check none.
    private let personal: [PayloadText]
    /// The index in `personal` of the text that is received next.
    private var nextText = 0

    init(nodes: [PayloadLayout.Node], personal: [PayloadText] = []) {
        self.nodes = nodes
        self.personal = personal
    }

    /// Clears `isWithinLimits` if `isWithin` is false for the limit of the current node.
    private mutating func check(_ isWithin: (Limit) -> Bool) {
        if let limit = nodes[currentNodeIndex].limit, !isWithin(limit) { isWithinLimits = false }
    }

    /// Remembers the index of the node whose limit applies to the next value.
    mutating func receiveNode(_ index: Int) { currentNodeIndex = index }
    /// Compares the number of elements of a list or map with the limit.
    mutating func receiveElementCount(_ count: Int) { check { count <= $0.mostElements } }
    mutating func receiveInteger(_ value: Int64) { check { $0.values.contains(value) } }
    mutating func receiveMoment(_ value: Int64, inMicroseconds: Bool) { receiveInteger(value) }
    mutating func receiveTenths(_ value: Int64) { receiveInteger(value) }

    mutating func receiveText(_ utf8: Span<UInt8>) {
        let count = utf8.count
        check { count <= $0.mostBytes }
        guard nodes[currentNodeIndex].isAuthor else { return }
        author = unsafe utf8.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    mutating func receiveJSON(_ utf8: Span<UInt8>) { receiveText(utf8) }
    mutating func receiveKey(_ utf8: Span<UInt8>) { receiveText(utf8) }

    /// Compares the length of the text that belongs to the seal with the limit.
    mutating func receivePersonalText(_ textIndex: UInt32, sealAt offset: Int) {
        guard nextText < personal.count, personal[nextText].offset == offset else { return }
        let count = personal[nextText].text.utf8.count
        nextText += 1
        check { count <= $0.mostBytes }
    }

    mutating func receiveName(_ literal: Span<UInt8>) {}
    mutating func receiveBoolean(_ value: Bool) {}
    mutating func receiveDigest(_ bits: UInt64) {}
    mutating func receiveCaseName(_ literal: Span<UInt8>) {}
    mutating func receiveNull() {}
    mutating func receiveOpening(_ bracket: Unicode.Scalar) {}
    mutating func receiveClosing(_ bracket: Unicode.Scalar) {}
}
