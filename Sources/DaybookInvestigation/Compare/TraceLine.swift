import Daybook

/// The content of one line of a trace, in exactly the form that `Tracer` writes. Parsing builds no
/// tree, so it is fast. Lines of any other form are parsed by `Trace.entry`.
struct TraceLine {
    /// Position of the event.
    private(set) var position: Int64 = 0
    /// Offset of the part of the line after the position of the event.
    private(set) var contentStart = 0
    private(set) var key = ""
    /// Byte range of the event kind in the line.
    private(set) var kindRange = 0..<0
    /// Fields that the event set, by their index in the projection, with their JSON's bytes.
    private(set) var setFields: [(field: Int, json: Range<Int>)] = []

    /// Index of the next byte to parse.
    private var index = 0

    /// Parses a line; its values replace those of the previous line.
    ///
    /// - Parameter fields: the UTF-8 of the names of the fields, in the order of the projection.
    /// - Returns: `false` if the line has another form, sets parts of fields, or removes fields.
    mutating func read(_ line: [UInt8], _ fields: [[UInt8]]) -> Bool {
        let bytes = line.contents
        setFields.removeAll(keepingCapacity: true)
        guard readHead(line), skip(",\"set\":{", bytes) else { return false }
        if skip("}", bytes) { return skip("}", bytes) && index == bytes.count }
        var next = 0
        while true {
            guard skip("\"", bytes), let name = skipPlainText(bytes), skip(":", bytes),
                let field = Self.fieldIndex(name, bytes, fields, from: next),
                let json = skipValue(bytes)
            else { return false }
            setFields.append((field, json))
            next = field + 1
            if skip(",", bytes) { continue }
            return skip("}}", bytes) && index == bytes.count
        }
    }

    /// Parses only the position, the id of the entity and the event kind; returns `false` if the
    /// line has another form.
    mutating func readHead(_ line: [UInt8]) -> Bool {
        let bytes = line.contents
        index = 0
        guard skip("{\"position\":", bytes), let position = parseInteger(bytes) else {
            return false
        }
        contentStart = index
        guard skip(",\"key\":\"", bytes), let key = skipPlainText(bytes),
            skip(",\"kind\":\"", bytes), let kind = skipPlainText(bytes)
        else { return false }
        self.position = position
        self.key = String(decoding: line[key], as: UTF8.self)
        kindRange = kind
        return true
    }

    /// Returns the content of the line that was read last, as `Trace.entry` parses it.
    ///
    /// - Parameter names: the names of the fields, in the order of the projection.
    func entry(
        _ line: [UInt8], _ names: [String], number: Int
    ) throws(InputError) -> Trace.Entry {
        var entry = Trace.Entry(
            position: position, key: key, kind: String(decoding: line[kindRange], as: UTF8.self),
            newLeaves: [], removedPaths: [])
        entry.newLeaves.reserveCapacity(setFields.count)
        for (field, json) in setFields {
            let name = names[field]
            switch line[json.lowerBound] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                entry.replacedPaths.append(name)
                entry.newLeaves += try JSONParser.parse(line[json], line: number).leaves(name)
            case let first:
                if first == UInt8(ascii: "n") { entry.replacedPaths.append(name) }
                // `Tracer` writes a scalar as `Tree.canonicalText` does.
                let value = String(decoding: line[json], as: UTF8.self)
                entry.newLeaves.append(FlatFields.Leaf(path: name, value: value))
            }
        }
        return entry
    }

    /// Returns the index of a field by its name; `nil` for an unknown name. The search begins at
    /// `start`, because each field occurs once and in order.
    private static func fieldIndex(
        _ name: Range<Int>, _ bytes: Span<UInt8>, _ fields: [[UInt8]], from start: Int
    ) -> Int? {
        for number in start..<max(start, fields.count) where fields[number].count == name.count {
            var isSame = true
            for index in 0..<name.count {
                isSame = isSame && fields[number][index] == bytes[name.lowerBound + index]
            }
            if isSame { return number }
        }
        return nil
    }

    /// Skips a text if it comes next; returns `false` if it does not.
    private mutating func skip(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count
        where unsafe bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    /// Parses an unsigned number of at most 18 digits; `nil` for anything else.
    private mutating func parseInteger(_ bytes: Span<UInt8>) -> Int64? {
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

    /// Skips a text to its closing quote, and returns its byte range; `nil` if it has escapes.
    private mutating func skipPlainText(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return start..<index - 1 }
            if byte == UInt8(ascii: "\\") { return nil }
        }
        return nil
    }

    /// Skips a JSON value within `depth` lists and objects; returns its range, `nil` if invalid.
    private mutating func skipValue(_ bytes: Span<UInt8>, depth: Int = 0) -> Range<Int>? {
        let start = index
        // No state is nested deeper, and deeper nesting must not exhaust the stack.
        guard index < bytes.count, depth < 64 else { return nil }
        let isValue =
            switch bytes[index] {
            case UInt8(ascii: "{"): skipElements(bytes, to: "}", named: true, depth + 1)
            case UInt8(ascii: "["): skipElements(bytes, to: "]", named: false, depth + 1)
            case UInt8(ascii: "\""): skipText(bytes)
            case UInt8(ascii: "t"): skip("true", bytes)
            case UInt8(ascii: "f"): skip("false", bytes)
            case UInt8(ascii: "n"): skip("null", bytes)
            default: skipNumber(bytes)
            }
        return isValue ? start..<index : nil
    }

    /// Skips the elements of a list, or the members of an object, to its closing bracket.
    private mutating func skipElements(
        _ bytes: Span<UInt8>, to end: StaticString, named: Bool, _ depth: Int
    ) -> Bool {
        index += 1
        if skip(end, bytes) { return true }
        repeat {
            if named { guard skipText(bytes), skip(":", bytes) else { return false } }
            guard skipValue(bytes, depth: depth) != nil else { return false }
        } while skip(",", bytes)
        return skip(end, bytes)
    }

    /// Skips a quoted text with its quotes; returns `false` for anything else.
    private mutating func skipText(_ bytes: Span<UInt8>) -> Bool {
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
    private mutating func skipNumber(_ bytes: Span<UInt8>) -> Bool {
        _ = skip("-", bytes)
        guard skipDigits(bytes) else { return false }
        return skip(".", bytes) ? skipDigits(bytes) : true
    }

    /// Skips decimal digits; returns `false` if there are none.
    private mutating func skipDigits(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
        return index > start
    }
}
