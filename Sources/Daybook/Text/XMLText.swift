extension String {
    /// The text escaped for use within an element or attribute of XML 1.0.
    ///
    /// Invisible characters become numeric references such as `&#x202E;`, which an XML reader turns
    /// back into the characters. Control characters that XML cannot express are omitted.
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

    /// The font families of the texts in pictures, as the value of an attribute of SVG.
    ///
    /// Those of Linux are named too, because a renderer may know no family by its generic name.
    package static var pictureFonts: String {
        "Helvetica, Arial, Liberation Sans, DejaVu Sans, Noto Sans, sans-serif"
    }
}
