extension OutputSpan<UInt8> {
    /// Appends the first `count` characters of a word of eight, the first in the lowest byte.
    ///
    /// There must be room for eight characters, whatever their number.
    @inlinable @inline(__always) package mutating func append(word: UInt64, count: Int = 8) {
        precondition(count <= 8 && freeCapacity >= 8)
        unsafe withUnsafeMutableBufferPointer { room, used in
            let room = UnsafeMutableRawBufferPointer(room)
            unsafe room.storeBytes(of: word.littleEndian, toByteOffset: used, as: UInt64.self)
            used += count
        }
    }

    /// Appends the characters of a constant.
    @inlinable @inline(__always) mutating func append(literal text: StaticString) {
        append(contentsOf: unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends an integer in decimal digits, for which there must be room for 20 characters.
    @inlinable package mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let (upper, last) = value.magnitude.quotientAndRemainder(dividingBy: 100_000_000)
        guard upper > 0 else { return append(withoutLeadingZeros: last.eightDigits) }
        let (first, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
        if first > 0 {
            append(withoutLeadingZeros: first.eightDigits)
            append(word: middle.eightDigits)
        } else {
            append(withoutLeadingZeros: middle.eightDigits)
        }
        append(word: last.eightDigits)
    }

    /// Appends a word of eight digits without its leading zeros, but at least one digit.
    @inlinable mutating func append(withoutLeadingZeros digits: UInt64) {
        let values = digits & 0x0F0F_0F0F_0F0F_0F0F
        let zeros = min(values.trailingZeroBitCount / 8, 7)
        append(word: digits >> (8 * UInt64(zeros)), count: 8 - zeros)
    }

    /// Appends a number from 0 to 99 as two digits.
    @inlinable @inline(__always) mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a number from 0 to 999 as three digits.
    @inlinable @inline(__always) mutating func append(threeDigits number: Int) {
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 100))
        append(twoDigits: number % 100)
    }

    /// Appends the sixteen hexadecimal digits of a number.
    @inlinable mutating func append(hexadecimal bits: UInt64) {
        append(word: UInt32(truncatingIfNeeded: bits >> 32).hexadecimalDigits)
        append(word: UInt32(truncatingIfNeeded: bits).hexadecimalDigits)
    }
}

extension UInt64 {
    /// The eight decimal digits of a number below 100,000,000, the first in the lowest byte.
    @inlinable var eightDigits: UInt64 {
        // Two numbers of four digits, then four of two, then eight digits, in lanes of equal width.
        let fours = self / 10_000 | (self % 10_000) << 32
        let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007F_0000_007F
        let pairs = hundreds | (fours &- hundreds &* 100) << 16
        let tens = ((pairs &* 103) >> 10) & 0x000F_000F_000F_000F
        return (tens | (pairs &- tens &* 10) << 8) &+ 0x3030_3030_3030_3030
    }
}

extension UInt32 {
    /// The eight lower-case hexadecimal digits of a number, the first in the lowest byte.
    @inlinable var hexadecimalDigits: UInt64 {
        var digits = UInt64(self)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // One in each byte above 9, whose digit is a letter.
        let letters = ((digits &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        let distance = UInt64(UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
        return (digits &+ 0x3030_3030_3030_3030 &+ letters &* distance).byteSwapped
    }
}

extension String {
    /// Creates a text of at most `count` characters of ASCII, which `body` appends.
    init(ascii count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: count) { buffer in
            var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            body(&output)
            return unsafe output.finalize(for: buffer)
        }
    }
}
