extension Tree {
    /// The tree with each moment as an RFC 3339 text, as scenarios and people write it.
    ///
    /// A moment that no such text can write stays a number.
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
    /// RFC 3339, or the microseconds of a moment that it cannot write.
    public var written: String {
        JSONWriter.time(microseconds) ?? "\(microseconds) µs since 1970"
    }
}

extension [FieldDescription] {
    /// `true` for the path of a moment, written as `FlatFields` writes it: `open.sleep.startedUs`.
    public func hasMoment(at path: String) -> Bool { hasMoment(at: Array<UInt8>(path.utf8)[...]) }

    fileprivate func hasMoment(at path: ArraySlice<UInt8>) -> Bool {
        contains { field in
            let name = field.name.utf8
            return path.starts(with: name)
                && field.hasMoment(field.form[...], at: path.dropFirst(name.count))
        }
    }
}

extension FieldDescription {
    /// - Parameters:
    ///   - form: of the value: the field's own, or that of an element.
    ///   - path: the rest, within the value.
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
            // The name of a member may hold dots and brackets: it ends where the rest fits.
            let ends = path.indices.dropFirst() + [path.endIndex]
            return ends.contains { hasMoment(element, at: path[$0...]) }
        default:
            guard form == "object" else { return isMoment && path.isEmpty }
            return separator == UInt8(ascii: ".") && fields.hasMoment(at: path.dropFirst())
        }
    }
}
