extension Tree {
    /// Returns the tree with each moment as an RFC 3339 text, as scenarios and people write it.
    ///
    /// A moment outside the years 0 to 9999 stays a number.
    ///
    /// - Parameters:
    ///   - fields: the fields of the record.
    ///   - path: path of this tree within the record; empty for the record itself.
    public func writingMoments(of fields: [FieldDescription], at path: String = "") -> Tree {
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
    /// The moment as an RFC 3339 text; outside the years 0 to 9999, a number of microseconds.
    public var written: String {
        JSONWriter.time(microseconds) ?? "\(microseconds) µs since 1970"
    }
}

extension [FieldDescription] {
    /// True if a path, written as in `FlatFields`, leads to a moment: `open.sleep.startedUs`.
    public func hasMoment(at path: String) -> Bool { hasMoment(at: Array<UInt8>(path.utf8)[...]) }

    /// True if the UTF-8 of a path leads to a moment.
    fileprivate func hasMoment(at path: ArraySlice<UInt8>) -> Bool {
        contains { field in
            let name = field.name.utf8
            return path.starts(with: name)
                && field.hasMoment(field.form[...], at: path.dropFirst(name.count))
        }
    }
}

extension FieldDescription {
    /// True if the rest of a path leads to a moment in a value of the field.
    ///
    /// - Parameters:
    ///   - form: the form of the value, which is the field's value or an element of it.
    ///   - path: the rest of the path, within the value.
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
