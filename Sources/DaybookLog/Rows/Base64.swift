/// A base64 encoder and decoder.
///
/// Source: RFC 4648 section 4. Texts have padding and no line breaks.
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The value of each digit by its byte; 255 for a byte that is no digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Encodes bytes as base64 with padding.
    package static func text(_ bytes: [UInt8]) -> String {
        let digits = digits
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index + 3 <= bytes.count {
            let bits =
                UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
                | UInt32(bytes[index + 2])
            text.append(digits[Int(bits >> 18)])
            text.append(digits[Int(bits >> 12 & 63)])
            text.append(digits[Int(bits >> 6 & 63)])
            text.append(digits[Int(bits & 63)])
            index += 3
        }
        if index + 1 == bytes.count {
            text.append(digits[Int(bytes[index] >> 2)])
            text.append(digits[Int(bytes[index] << 4 & 63)])
            text += [padding, padding]
        } else if index + 2 == bytes.count {
            text.append(digits[Int(bytes[index] >> 2)])
            text.append(digits[Int((bytes[index] << 4 | bytes[index + 1] >> 4) & 63)])
            text.append(digits[Int(bytes[index + 1] << 2 & 63)])
            text.append(padding)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64; `nil` unless `text` is exactly what `text(_:)` returns for the result.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let (values, characters) = (values, Array(text.utf8))
        guard characters.count % 4 == 0 else { return nil }
        let paddingCount = characters.suffix(2).count { $0 == padding }
        let end = characters.count - paddingCount
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        for index in 0..<end {
            let value = values[Int(characters[index])]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            // Every digit but the first of four completes a byte.
            if index % 4 > 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4))))
            }
        }
        // Bits beyond the last byte must be zero, and padding must be at the end.
        guard paddingCount > 0 else { return bytes }
        let unused = UInt32(2 * paddingCount)
        guard characters[end...].allSatisfy({ $0 == padding }), bits & (1 << unused - 1) == 0
        else { return nil }
        return bytes
    }
}
