/// A scalar or empty value of a payload, and its path, such as `value.amountMl` or `pending[0]`.
package struct PayloadValue: Sendable {
    package var path: String
    /// The value as in JSON, with points in time in microseconds; `null` for an erased value.
    package var content: Tree.Content
}

/// A layout sink that collects the values of some fields.
struct ValueSink: LayoutSink {
    static var skipsInternalFields: Bool { true }

    /// A record, list or map around the next value.
    private struct Container {
        var path: String
        var isList: Bool
        /// Number of values received so far.
        var count = 0
    }

    /// Names of the top-level fields whose values are collected, as JSON with a colon.
    private let wanted: [[UInt8]]
    /// Returns a personal text by its index in the payload; `nil` if the text is erased.
    private let personalText: (UInt32) -> String?
    private(set) var values: [PayloadValue] = []
    /// True if the current top-level field is one of those wanted.
    private var isWanted = false
    /// Number of open brackets.
    private var depth = 0
    private var containers = [Container(path: "", isList: false)]
    /// Name or key of the next value in a record or map.
    private var name = ""

    init(of fields: [String], _ personalText: @escaping (UInt32) -> String?) {
        wanted = fields.map { Array("\(JSONWriter.text($0)):".utf8) }
        self.personalText = personalText
    }

    /// Returns the path of the next value.
    private mutating func nextPath() -> String {
        let last = containers.count - 1
        containers[last].count += 1
        let container = containers[last]
        if container.isList { return "\(container.path)[\(container.count - 1)]" }
        return container.path.isEmpty ? name : "\(container.path).\(name)"
    }

    private mutating func add(_ content: @autoclosure () -> Tree.Content) {
        guard isWanted else { return }
        values.append(PayloadValue(path: nextPath(), content: content()))
    }

    private static func text(_ utf8: Span<UInt8>) -> String {
        unsafe utf8.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    mutating func receiveNode(_ index: Int) {}
    mutating func receiveElementCount(_ count: Int) {}

    mutating func receiveName(_ literal: Span<UInt8>) {
        if depth == 1 { isWanted = wanted.contains { literal.hasSameBytes(as: $0.contents) } }
        if isWanted { name = Self.text(literal.extracting(1..<literal.count - 2)) }
    }

    mutating func receiveKey(_ utf8: Span<UInt8>) { if isWanted { name = Self.text(utf8) } }
    mutating func receiveInteger(_ value: Int64) { add(.integer(value)) }
    mutating func receiveMoment(_ value: Int64, inMicroseconds: Bool) { add(.integer(value)) }
    mutating func receiveTenths(_ value: Int64) { add(.number(Tenths(tenths: value).text)) }
    mutating func receiveBoolean(_ value: Bool) { add(.boolean(value)) }
    mutating func receiveText(_ utf8: Span<UInt8>) { add(.text(Self.text(utf8))) }
    mutating func receiveJSON(_ utf8: Span<UInt8>) { receiveText(utf8) }
    mutating func receiveDigest(_ bits: UInt64) { add(.text(Digest(bits: bits).description)) }

    mutating func receivePersonalText(_ textIndex: UInt32, sealAt offset: Int) {
        let personalText = personalText
        add(personalText(textIndex).map { .text($0) } ?? .null)
    }

    mutating func receiveCaseName(_ literal: Span<UInt8>) {
        add(.text(Self.text(literal.extracting(1..<literal.count - 1))))
    }

    mutating func receiveNull() { add(.null) }

    mutating func receiveOpening(_ bracket: Unicode.Scalar) {
        depth += 1
        guard depth > 1, isWanted else { return }
        containers.append(Container(path: nextPath(), isList: bracket == "["))
    }

    mutating func receiveClosing(_ bracket: Unicode.Scalar) {
        depth -= 1
        guard depth > 0, isWanted, let container = containers.popLast(), container.count == 0
        else { return }
        values.append(
            PayloadValue(path: container.path, content: container.isList ? .list([]) : .map([])))
    }
}

/// A layout sink that looks for a text among the texts of a payload.
///
/// These are the values that JSON shows in quotes, apart from times and digests, and keys of maps.
struct TextSink: LayoutSink {
    static var skipsInternalFields: Bool { true }

    let search: TextSearch
    /// Returns a personal text by its index in the payload; `nil` if the text is erased.
    let personalText: (UInt32) -> String?
    private(set) var isFound = false

    init(_ search: TextSearch, _ personalText: @escaping (UInt32) -> String?) {
        (self.search, self.personalText) = (search, personalText)
    }

    mutating func receiveText(_ utf8: Span<UInt8>) { isFound = isFound || search.matches(utf8) }
    mutating func receiveKey(_ utf8: Span<UInt8>) { receiveText(utf8) }

    mutating func receiveCaseName(_ literal: Span<UInt8>) {
        receiveText(literal.extracting(1..<literal.count - 1))
    }

    mutating func receivePersonalText(_ textIndex: UInt32, sealAt offset: Int) {
        guard !isFound, let text = personalText(textIndex) else { return }
        isFound = text.withUTF8Bytes { search.matches($0) }
    }

    mutating func receiveJSON(_ utf8: Span<UInt8>) {
        let bytes = unsafe utf8.withUnsafeBufferPointer { unsafe Array($0) }
        if !isFound, let tree = try? Tree(json: bytes) { receive(tree) }
    }

    private mutating func receive(_ tree: Tree) {
        switch tree.content {
        case .text(let text): isFound = isFound || text.withUTF8Bytes { search.matches($0) }
        case .list(let elements): for element in elements { receive(element) }
        case .map(let members):
            for member in members {
                isFound = isFound || member.key.withUTF8Bytes { search.matches($0) }
                receive(member.value)
            }
        case .null, .boolean, .integer, .number: break
        }
    }

    mutating func receiveNode(_ index: Int) {}
    mutating func receiveElementCount(_ count: Int) {}
    mutating func receiveName(_ literal: Span<UInt8>) {}
    mutating func receiveInteger(_ value: Int64) {}
    mutating func receiveMoment(_ value: Int64, inMicroseconds: Bool) {}
    mutating func receiveTenths(_ value: Int64) {}
    mutating func receiveBoolean(_ value: Bool) {}
    mutating func receiveDigest(_ bits: UInt64) {}
    mutating func receiveNull() {}
    mutating func receiveOpening(_ bracket: Unicode.Scalar) {}
    mutating func receiveClosing(_ bracket: Unicode.Scalar) {}
}

extension Span<UInt8> {
    /// True if the bytes are those of `other`.
    fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
