extension String {
    /// The text for an element or attribute of XML 1.0.
    ///
    /// Everything hidden is written as a reference, which a reader takes for the character again;
    /// control characters that XML has no way to write are left out.
    public var escapedForXML: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        forEachScalar { scalar, isHidden in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            case _ where isHidden:
                escaped += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
