extension Span<UInt8> {
    /// True if the text ends with `Us`, as the name of a field in microseconds does.
    @inlinable @inline(__always) var endsWithUs: Bool {
        count >= 2 && self[count - 1] == UInt8(ascii: "s") && self[count - 2] == UInt8(ascii: "U")
    }

    /// True if JSON escapes none of the bytes in a string.
    @inlinable @inline(__always) var needsNoEscape: Bool {
        unsafe withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if word.hasEscapedByte { return false }
                offset += 8
            }
            // The bytes that are left, before blanks.
            var word: UInt64 = 0x2020_2020_2020_2020
            while offset < bytes.count {
                word = unsafe word << 8 | UInt64(bytes[offset])
                offset += 1
            }
            return !word.hasEscapedByte
        }
    }
}

extension UInt64 {
    /// True if any of the eight bytes is one that JSON escapes in a string.
    @inlinable @inline(__always) var hasEscapedByte: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The highest bit of a byte is set if the byte is below 32, or equal to the other byte; the
        // bytes above such a byte may be wrong, but then one was found.
        let control = (self &- ones &* 0x20) & ~self
        func equals(_ byte: UInt64) -> UInt64 {
            let difference = self ^ (ones &* byte)
            return (difference &- ones) & ~difference
        }
        let found = control | equals(0x22) | equals(0x5C) | equals(0x7F)
        return found & (ones &* 0x80) != 0
    }
}
