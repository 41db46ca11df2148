extension String {
    /// The text with an escape such as `\n` or `\u{202E}` in place of each invisible character.
    ///
    /// A text from a log, a file or an argument then cannot move the cursor of a terminal, begin a
    /// new line or reverse the writing direction. Invisible characters are control and format
    /// characters, line and paragraph separators, and all that Unicode ignores by default, except
    /// the joiners and variation selectors of emoji.
    public var visible: String {
        guard mayContainHidden else { return self }
        var shown = ""
        shown.reserveCapacity(utf8.count)
        forEachScalar { scalar, isHidden in
            guard isHidden else { return shown.unicodeScalars.append(scalar) }
            switch scalar {
            case "\n": shown += "\\n"
            case "\r": shown += "\\r"
            case "\t": shown += "\\t"
            default: shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return shown
    }

    /// This JSON text with invisible characters beyond ASCII as `\u` escapes, which mean the same.
    public var withHiddenTextEscaped: String {
        escapingHiddenText { scalar in
            (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter)
                .map { "\\u" + Self.hexadecimal(UInt32($0), digits: 4) }.joined()
        }
    }

    /// A copy of this JSON text with YAML escapes in place of invisible characters beyond ASCII.
    ///
    /// A YAML escape is one code point, and not a pair of surrogates as in JSON.
    public var withHiddenTextEscapedForYAML: String {
        escapingHiddenText { scalar in
            scalar.value > 0xFFFF
                ? "\\U" + Self.hexadecimal(scalar.value, digits: 8)
                : "\\u" + Self.hexadecimal(scalar.value, digits: 4)
        }
    }

    /// Returns this JSON text with the invisible characters beyond ASCII escaped by `escape`.
    ///
    /// Invisible ASCII needs no escape: in strings JSON escapes it, elsewhere it is white space.
    private func escapingHiddenText(_ escape: (Unicode.Scalar) -> String) -> String {
        guard !withUTF8Bytes({ $0.isASCII }) else { return self }
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        forEachScalar { scalar, isHidden in
            if isHidden, !scalar.isASCII {
                escaped += escape(scalar)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns a number in upper-case hexadecimal, with leading zeros up to `digits` digits.
    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }

    /// Returns the first `count` characters, followed by an ellipsis if the text has more.
    public func clipped(to count: Int = 200) -> String {
        guard utf8.count > count, let end = index(startIndex, offsetBy: count, limitedBy: endIndex),
            end < endIndex
        else { return self }
        return self[..<end] + "…"
    }

    /// True if the text has control characters or characters beyond ASCII, which may be invisible.
    private var mayContainHidden: Bool {
        withUTF8Bytes { bytes in
            for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7F {
                return true
            }
            return false
        }
    }

    /// Calls `body` with each character, and with `isHidden` true if the character is invisible.
    func forEachScalar(_ body: (Unicode.Scalar, _ isHidden: Bool) -> Void) {
        let scalars = unicodeScalars
        var before: Unicode.Scalar?
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            scalars.formIndex(after: &index)
            let after = index < scalars.endIndex ? scalars[index] : nil
            let isHidden = scalar.isHidden && !scalar.shapesEmoji(after: before, before: after)
            body(scalar, isHidden)
            // A joiner may also follow an emoji's variation selector.
            if !scalar.isEmojiVariation { before = scalar }
        }
    }
}

extension Unicode.Scalar {
    /// True if the character is invisible when it stands alone.
    fileprivate var isHidden: Bool {
        switch value {
        case 0x20...0x7E, 0xAE...0x34E, 0x3165...0xD7FF: return false
        case 0..<0x20, 0x7F..<0xA0: return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }

    /// True for a variation selector, which makes the emoji before it a plain symbol or a picture.
    fileprivate var isEmojiVariation: Bool { value == 0xFE0E || value == 0xFE0F }

    /// True for an emoji, except the ASCII digits and signs that Unicode also counts as emoji.
    private var isNonASCIIEmoji: Bool { value > 0x7F && properties.isEmoji }

    /// True for a joiner between two emoji, or for a variation selector after an emoji.
    fileprivate func shapesEmoji(after previous: Self?, before next: Self?) -> Bool {
        guard let previous, previous.isNonASCIIEmoji else { return false }
        return isEmojiVariation || (value == 0x200D && next?.isNonASCIIEmoji == true)
    }
}
