import Daybook

/// A line of a trace as `Tracer` writes it, split without building a tree.
///
/// `Trace.entry` must parse lines of any other form.
struct TraceLine {
    private(set) var position: Int64 = 0
    private(set) var key = ""
    /// Byte range of the kind.
    private(set) var kind = 0..<0
    /// Indices of the fields that are set, and the byte ranges of their JSON.
    private(set) var set: [(field: Int, json: Range<Int>)] = []

    private var index = 0

    /// Reads a line, which replaces the line read before.
    ///
    /// - Parameter fields: the UTF-8 of the names of the fields, in the order of the projection.
    /// - Returns: `false` if the line has another form, sets parts of fields, or removes fields.
    mutating func read(_ line: [UInt8], _ fields: [[UInt8]]) -> Bool {
        let bytes = line.contents
        set.removeAll(keepingCapacity: true)
        guard readHead(line), skip(",\"set\":{", bytes) else { return false }
        if skip("}", bytes) { return skip("}", bytes) && index == bytes.count }
        var next = 0
        while true {
            guard skip("\"", bytes), let name = plainText(bytes), skip(":", bytes),
                let field = Self.field(name, bytes, fields, from: next),
                let json = value(bytes)
            else { return false }
            set.append((field, json))
            next = field + 1
            if skip(",", bytes) { continue }
            return skip("}}", bytes) && index == bytes.count
        }
    }

    /// Reads only the part before the fields. Returns `false` if the line has another form.
    mutating func readHead(_ line: [UInt8]) -> Bool {
        let bytes = line.contents
        index = 0
        guard skip("{\"position\":", bytes), let position = integer(bytes),
            skip(",\"key\":\"", bytes), let key = plainText(bytes),
            skip(",\"kind\":\"", bytes), let kind = plainText(bytes)
        else { return false }
        self.position = position
        self.key = String(decoding: line[key], as: UTF8.self)
        self.kind = kind
        return true
    }

    /// Returns the index of a field, at least `start`, because each field occurs once and in order.
    private static func field(
        _ name: Range<Int>, _ bytes: Span<UInt8>, _ fields: [[UInt8]], from start: Int
    ) -> Int? {
        for number in start..<max(start, fields.count)
        where fields[number].count == name.count {
            var isSame = true
            for index in 0..<name.count {
                isSame = isSame && fields[number][index] == bytes[name.lowerBound + index]
            }
            if isSame { return number }
        }
        return nil
    }

    private mutating func skip(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count
        where unsafe bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func integer(_ bytes: Span<UInt8>) -> Int64? {
        var value: Int64 = 0
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) {
            // Eighteen digits fit.
            guard index - start < 18 else { return nil }
            value = value * 10 + Int64(bytes[index] - 48)
            index += 1
        }
        return index > start ? value : nil
    }

    /// Reads a text to its end, after the opening quotation mark; `nil` if it contains escapes.
    private mutating func plainText(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return start..<index - 1 }
            if byte == UInt8(ascii: "\\") { return nil }
        }
        return nil
    }

    /// Reads a JSON value to its end; `nil` if there is no valid value.
    ///
    /// - Parameter depth: the number of lists and objects around the value.
    private mutating func value(_ bytes: Span<UInt8>, depth: Int = 0) -> Range<Int>? {
        let start = index
        // No state is nested deeper, and deeper nesting must not exhaust the stack.
        guard index < bytes.count, depth < 64 else { return nil }
        let isValue =
            switch bytes[index] {
            case UInt8(ascii: "{"): elements(bytes, to: "}", named: true, depth + 1)
            case UInt8(ascii: "["): elements(bytes, to: "]", named: false, depth + 1)
            case UInt8(ascii: "\""): text(bytes)
            case UInt8(ascii: "t"): skip("true", bytes)
            case UInt8(ascii: "f"): skip("false", bytes)
            case UInt8(ascii: "n"): skip("null", bytes)
            default: number(bytes)
            }
        return isValue ? start..<index : nil
    }

    private mutating func elements(
        _ bytes: Span<UInt8>, to end: StaticString, named: Bool, _ depth: Int
    ) -> Bool {
        index += 1
        if skip(end, bytes) { return true }
        repeat {
            if named { guard text(bytes), skip(":", bytes) else { return false } }
            guard value(bytes, depth: depth) != nil else { return false }
        } while skip(",", bytes)
        return skip(end, bytes)
    }

    private mutating func text(_ bytes: Span<UInt8>) -> Bool {
        guard skip("\"", bytes) else { return false }
        while index < bytes.count, bytes[index] >= 0x20 {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return true }
            // Skips the escaped character; the caller decodes escapes.
            if byte == UInt8(ascii: "\\") { index += 1 }
        }
        return false
    }

    /// Skips a number: an optional sign, digits, and an optional fraction.
    private mutating func number(_ bytes: Span<UInt8>) -> Bool {
        _ = skip("-", bytes)
        guard digits(bytes) else { return false }
        return skip(".", bytes) ? digits(bytes) : true
    }

    private mutating func digits(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        return index > start
    }
}
