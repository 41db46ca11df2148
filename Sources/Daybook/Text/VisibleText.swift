extension String {
    /// The text with every invisible character escaped: `\n`, `\u{1B}`, `\u{202E}`.
    ///
    /// A text from a log, a file or an argument then cannot move the cursor, begin a line or
    /// reverse the writing direction. Control characters, line and paragraph separators, format
    /// characters and characters that Unicode ignores by default are escaped. Joiners and variation
    /// selectors of emoji are kept.
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

    /// The JSON text with invisible characters as `\u` escapes, which mean the same.
    public var withHiddenTextEscaped: String {
        escapingHiddenText { scalar in
            (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter)
                .map { "\\u" + Self.hexadecimal(UInt32($0), digits: 4) }.joined()
        }
    }

    /// The JSON text with invisible characters as YAML escapes, which use no surrogates.
    public var withHiddenTextEscapedForYAML: String {
        escapingHiddenText { scalar in
            scalar.value > 0xFFFF
                ? "\\U" + Self.hexadecimal(scalar.value, digits: 8)
                : "\\u" + Self.hexadecimal(scalar.value, digits: 4)
        }
    }

    /// Escapes the invisible characters of a JSON text beyond ASCII.
    ///
    /// Invisible ASCII characters within texts are escaped already; the others are layout.
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

    /// Returns a number in upper-case hexadecimal digits, with leading zeros.
    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }

    /// Returns the first `count` characters, and an ellipsis if there are more.
    public func clipped(to count: Int = 200) -> String {
        guard utf8.count > count, let end = index(startIndex, offsetBy: count, limitedBy: endIndex),
            end < endIndex
        else { return self }
        return self[..<end] + "…"
    }

    /// True if the text has control characters or characters beyond ASCII.
    private var mayContainHidden: Bool {
        withUTF8Bytes { bytes in
            for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7F {
                return true
            }
            return false
        }
    }

    /// Calls `body` with each character, and whether the character is invisible.
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
    /// True if no glyph shows the character.
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

    /// True for a selector of the text or picture form of the emoji before it.
    fileprivate var isEmojiVariation: Bool { value == 0xFE0E || value == 0xFE0F }

    /// True for an emoji beyond ASCII, unlike the digits, which Unicode also counts as emoji.
    private var isPicture: Bool { value > 0x7F && properties.isEmoji }

    /// True for a joiner between two emoji, or a variation selector after an emoji.
    fileprivate func shapesEmoji(after previous: Self?, before next: Self?) -> Bool {
        guard let previous, previous.isPicture else { return false }
        return isEmojiVariation || (value == 0x200D && next?.isPicture == true)
    }
}
