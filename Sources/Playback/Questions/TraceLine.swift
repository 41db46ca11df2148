/// A line of a trace as `Tracer` writes it, taken apart without making a tree of it.
///
/// What is written in any other way is left to `Trace.entry`.
struct TraceLine {
    private(set) var position: Int64 = 0
    private(set) var key = ""
    /// Where the kind stands in the bytes.
    private(set) var kind = 0..<0
    /// Which fields are set, by their numbers, and where their JSON stands in the bytes.
    private(set) var set: [(field: Int, json: Range<Int>)] = []

    private var index = 0

    /// Reads a line in the place of the last one. `false` for one that is written otherwise, sets
    /// parts of fields, or says that something is gone.
    ///
    /// - Parameter fields: the UTF-8 of the names that may be set; most come in this order.
    mutating func read(_ line: [UInt8], _ fields: [[UInt8]]) -> Bool {
        let bytes = line.span
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

    /// Reads what stands before the fields alone.
    mutating func readHead(_ line: [UInt8]) -> Bool {
        let bytes = line.span
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

    private static func field(
        _ name: Range<Int>, _ bytes: Span<UInt8>, _ fields: [[UInt8]], from start: Int
    ) -> Int? {
        for offset in fields.indices {
            let number = (start + offset) % fields.count
            guard fields[number].count == name.count else { continue }
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

    /// The rest of a text without escapes, whose first quotation mark is passed already.
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

    /// A value of any kind, to its end.
    private mutating func value(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                if depth == 0 { return index > start ? start..<index : nil }
                if bytes[index] != UInt8(ascii: ",") { depth -= 1 }
            default: break
            }
            index += 1
        }
        return nil
    }
}
