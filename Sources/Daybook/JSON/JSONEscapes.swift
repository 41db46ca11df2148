extension Span<UInt8> {
    /// True if the text ends with `Us`, as the name of a field in microseconds does.
    @inlinable @inline(__always) var endsWithUs: Bool {
        count >= 2 && self[count - 1] == UInt8(ascii: "s") && self[count - 2] == UInt8(ascii: "U")
    }
}

extension OutputSpan<UInt8> {
    /// Appends a text of which JSON escapes no byte; appends nothing and returns false for another.
    @inlinable @inline(__always) mutating func append(ifPlain utf8: Span<UInt8>) -> Bool {
        precondition(utf8.count <= freeCapacity)
        return unsafe withUnsafeMutableBufferPointer { room, used in
            let room = UnsafeMutableRawBufferPointer(room)
            let isPlain = unsafe utf8.withUnsafeBytes { unsafe $0.copy(ifPlain: room, at: used) }
            if isPlain { used += utf8.count }
            return isPlain
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Copies the bytes to an offset of `room`; stops and returns false at one that JSON escapes.
    @inlinable @inline(__always) func copy(
        ifPlain room: UnsafeMutableRawBufferPointer, at start: Int
    ) -> Bool {
        if count >= 8 {
            // Two words at a time; the last two may overlap those before them, or each other.
            let distance = Swift.min(count, 16) - 8
            var offset = 0
            while offset < count {
                offset = Swift.min(offset, count - 8 - distance)
                let first = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let last = unsafe loadUnaligned(fromByteOffset: offset + distance, as: UInt64.self)
                guard first.escapedBytes | last.escapedBytes == 0 else { return false }
                unsafe room.storeBytes(of: first, toByteOffset: start + offset, as: UInt64.self)
                unsafe room.storeBytes(
                    of: last, toByteOffset: start + offset + distance, as: UInt64.self)
                offset += 16
            }
            return true
        }
        if count >= 4 {
            let first = unsafe loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = unsafe loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            guard (UInt64(first) << 32 | UInt64(last)).escapedBytes == 0 else { return false }
            unsafe room.storeBytes(of: first, toByteOffset: start, as: UInt32.self)
            unsafe room.storeBytes(of: last, toByteOffset: start + count - 4, as: UInt32.self)
            return true
        }
        // The bytes that are left, after blanks.
        var word: UInt64 = 0x2020_2020_2020_2020
        for offset in 0..<count {
            let byte = unsafe self[offset]
            word = word << 8 | UInt64(byte)
            unsafe room[start + offset] = byte
        }
        return word.escapedBytes == 0
    }
}

extension UInt64 {
    /// Zero if JSON escapes none of the eight bytes in a string; else the highest bits of some.
    @inlinable @inline(__always) var escapedBytes: UInt64 {
        // A difference sets the highest bit of a byte below the number subtracted. The bytes above
        // such a byte may be wrong, but then one was found.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = self &- ones &* 0x20
        let quote = (self ^ ones &* 0x22) &- ones
        let backslash = (self ^ ones &* 0x5C) &- ones
        let delete = (self ^ ones &* 0x7F) &- ones
        return (control | quote | backslash | delete) & ~self & (ones &* 0x80)
    }
}
