/// Conversion of bytes to lower-case hexadecimal digits, and back.
@usableFromInline package enum Hexadecimal {
    /// Returns a text with two lower-case hexadecimal digits for each byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        let text = bytes.withContiguousStorageIfAvailable { bytes in
            unsafe self.text(Span(_unsafeElements: bytes))
        }
        return text ?? self.text(Array(bytes).contents)
    }

    /// Returns a text with two lower-case hexadecimal digits for each byte.
    private static func text(_ bytes: Span<UInt8>) -> String {
        String(ascii: 2 * bytes.count) { output in
            var index = 0
            while index + 8 <= bytes.count {
                let bits = unsafe bytes.bytes.unsafeLoadUnaligned(
                    fromByteOffset: index, as: UInt64.self)
                output.append(hexadecimal: bits.bigEndian)
                index += 8
            }
            while index < bytes.count {
                output.append(digit(bytes[index] >> 4))
                output.append(digit(bytes[index] & 15))
                index += 1
            }
        }
    }

    /// Returns the bytes of an even number of digits `0-9` and `a-f`; `nil` for any other text.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case 48...57: value = character - 48
            case 97...102: value = character - 87
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// Returns the ASCII code of the hexadecimal digit for a value from 0 to 15.
    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}
