/// A base64 encoder and decoder.
///
/// Source: RFC 4648 section 4. Texts have padding and no line breaks.
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes as base64 with padding.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for index in 0..<3 {
                bits = bits << 8 | (index < group.count ? UInt32(group[start + index]) : 0)
            }
            for index in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
                text.append(index <= group.count ? digit : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64; `nil` unless `text` is exactly what `text(_:)` returns for the result.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let content = characters.prefix { $0 != padding }
        guard characters.count - content.count <= 2 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, character) in content.enumerated() {
            guard let value = digits.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            // Every digit but the first of four completes a byte.
            if index % 4 > 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4))))
            }
        }
        // Bits beyond the last byte must be zero, and padding must fill the last group.
        return self.text(bytes) == text ? bytes : nil
    }
}
