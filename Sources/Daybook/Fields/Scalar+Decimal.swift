extension Scalar {
    /// The number that is written, times a power of ten, rounded half away from zero to a whole
    /// one; `nil` where the text is no decimal number or the result fits no 64 bits.
    ///
    /// Exponents are read, spaces around the number are not looked at, and any number of digits
    /// is: nothing binary comes between.
    public func scaled(toPowerOfTen power: Int) -> Int64? {
        var reader = DecimalReader(text)
        return reader.scaled(power)
    }
}

/// Reads a decimal number digit by digit.
private struct DecimalReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        var rest = Substring(text).utf8
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        self.rest = rest
    }

    mutating func scaled(_ power: Int) -> Int64? {
        let isNegative = sign()
        var digits: [UInt8] = []
        parseDigits(&digits)
        var scale = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let whole = digits.count
            parseDigits(&digits)
            scale = digits.count - whole
        }
        guard !digits.isEmpty, let exponent = exponent(), rest.isEmpty else { return nil }
        return value(digits, behindPoint: power + exponent - scale).map { isNegative ? -$0 : $0 }
    }

    /// Consumes a sign and returns `true` for a minus.
    private mutating func sign() -> Bool {
        guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        else { return false }
        rest.removeFirst()
        return first == UInt8(ascii: "-")
    }

    private mutating func parseDigits(_ digits: inout [UInt8]) {
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            digits.append(byte - 0x30)
            rest.removeFirst()
        }
    }

    /// 0 where none is written; `nil` for one that is malformed.
    private mutating func exponent() -> Int? {
        guard let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E")
        else { return 0 }
        rest.removeFirst()
        let isNegative = sign()
        var digits: [UInt8] = []
        parseDigits(&digits)
        guard !digits.isEmpty else { return nil }
        // More than four digits of exponent make nothing or too much either way.
        let value = digits.drop { $0 == 0 }.prefix(5).reduce(0) { $0 * 10 + Int($1) }
        return isNegative ? -value : value
    }

    /// The digits as a whole number, with `shift` zeros appended or, if negative, digits cut off.
    private func value(_ digits: [UInt8], behindPoint shift: Int) -> Int64? {
        let significant = Array(digits.drop { $0 == 0 })
        guard !significant.isEmpty else { return 0 }
        let length = significant.count + shift
        guard length <= 19 else { return nil }
        guard length >= 0 else { return 0 }
        var value: UInt64 = 0
        for index in 0..<length {
            let digit = index < significant.count ? significant[index] : 0
            let (product, isTooMuch) = value.multipliedReportingOverflow(by: 10)
            guard !isTooMuch else { return nil }
            value = product + UInt64(digit)
        }
        if length < significant.count, significant[length] >= 5 { value += 1 }
        return Int64(exactly: value)
    }
}
