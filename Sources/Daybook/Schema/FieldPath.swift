extension Tree {
    /// Returns a copy of the tree with each point in time as an RFC 3339 text, as people write it.
    ///
    /// A point in time outside the years 0 to 9999 remains a number.
    ///
    /// - Parameters:
    ///   - fields: the descriptions of the record's fields, which tell which are points in time.
    ///   - path: the path of this tree within the record; empty for the record itself.
    package func writingMoments(of fields: [FieldDescription], at path: String = "") -> Tree {
        var written = self
        switch content {
        case .map(let members):
            written.content = .map(
                members.map { member in
                    let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
                    return Member(
                        key: member.key,
                        value: member.value.writingMoments(of: fields, at: inner))
                })
        case .list(let elements):
            written.content = .list(
                elements.enumerated().map { index, element in
                    element.writingMoments(of: fields, at: "\(path)[\(index)]")
                })
        case .integer(let microseconds):
            guard fields.hasMoment(at: path), let text = JSONWriter.time(microseconds),
                Timestamp.parse(text)?.instant.microseconds == microseconds
            else { break }
            written.content = .text(text)
            written.plain = nil
        default: break
        }
        return written
    }
}

extension Instant {
    /// The point in time as an RFC 3339 text.
    ///
    /// Outside the years 0 to 9999, the text is like `-70000000000000000 µs since 1970`.
    public var written: String {
        JSONWriter.time(microseconds) ?? "\(microseconds) µs since 1970"
    }
}

extension [FieldDescription] {
    /// True if the value with a path, such as `open.sleep.startedUs`, is a point in time.
    ///
    /// Paths are written as in `FlatFields`.
    public func hasMoment(at path: String) -> Bool { hasMoment(at: Array<UInt8>(path.utf8)[...]) }

    /// True if the value with a path, given as UTF-8 bytes, is a point in time.
    fileprivate func hasMoment(at path: ArraySlice<UInt8>) -> Bool {
        contains { field in
            let name = field.name.utf8
            return path.starts(with: name)
                && field.hasMoment(field.form[...], at: path.dropFirst(name.count))
        }
    }
}

extension FieldDescription {
    /// True if the value at a path within this field is a point in time.
    ///
    /// - Parameters:
    ///   - form: the form of the field's value, or of an element if the path starts within one.
    ///   - path: the rest of the path, relative to that value, as UTF-8 bytes.
    fileprivate func hasMoment(_ form: Substring, at path: ArraySlice<UInt8>) -> Bool {
        if form.hasSuffix("?") { return hasMoment(form.dropLast(), at: path) }
        let element = form.dropFirst().dropLast()
        let separator = path.first
        switch form.first {
        case "[":
            guard separator == UInt8(ascii: "["), let end = path.firstIndex(of: UInt8(ascii: "]"))
            else { return false }
            return hasMoment(element, at: path[(end + 1)...])
        case "{":
            guard separator == UInt8(ascii: ".") else { return false }
            // A member's name may hold dots and brackets, so each possible end is tried.
            let ends = path.indices.dropFirst() + [path.endIndex]
            return ends.contains { hasMoment(element, at: path[$0...]) }
        default:
            guard form == "object" else { return isMoment && path.isEmpty }
            return separator == UInt8(ascii: ".") && fields.hasMoment(at: path.dropFirst())
        }
    }
}
