/// A text encoding in which each byte is one character.
///
/// Source: encoding.spec.whatwg.org, windows-1252. Bytes to which the encoding assigns no character
/// are read as control characters.
enum ByteEncoding {
    /// The encoding Windows-1252, also called CP1252.
    case windows1252

    /// Returns the encoding with a name; `nil` if the name is unknown.
    ///
    /// - Parameter name: the name that a document declares, in upper or lower case.
    init?(name: String) {
        switch name.lowercased() {
        case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
        default: return nil
        }
    }

    /// Returns the value of the Unicode scalar that a byte encodes.
    func scalar(of byte: UInt8) -> Int32 {
        guard (0x80...0x9F).contains(byte) else { return Int32(byte) }
        return Self.scalarsFrom0x80[Int(byte) - 0x80]
    }

    /// The Unicode scalars of the bytes 0x80 to 0x9F.
    private static let scalarsFrom0x80: [Int32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
        0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
    ]
}
