extension Int64 {
    /// Returns the integer divided by 10 to the power of `places`, as exact decimal text.
    ///
    /// The integer 4500 with 3 places gives `4.5`, or `4.500` if `keepsZeros`.
    public func decimalText(places: Int, keepsZeros: Bool = false) -> String {
        let digits = String(magnitude)
        let zeros = String(repeating: "0", count: Swift.max(0, places + 1 - digits.utf8.count))
        let padded = zeros + digits
        var fraction = padded.suffix(places)
        while !keepsZeros, fraction.last == "0" { fraction.removeLast() }
        return (self < 0 ? "-" : "") + padded.dropLast(places)
            + (fraction.isEmpty ? "" : "." + fraction)
    }
}

extension Scalar {
    /// Reads the scalar as a decimal number; returns it times 10 to the power of `power`.
    ///
    /// The result is rounded, halves away from zero. It is `nil` if the text is not a decimal
    /// number, or if the integer does not fit in 64 bits. The text may have an exponent and
    /// surrounding white space. The calculation uses no binary floating-point numbers, so it is
    /// exact for any number of digits.
    public func scaled(toPowerOfTen power: Int) -> Int64? {
        var reader = DecimalReader(text)
        return reader.scaled(power)
    }
}

/// A parser of one decimal number, with an optional sign, fraction and exponent.
private struct DecimalReader {
    /// The bytes that are not yet read, without surrounding white space.
    private var rest: Substring.UTF8View

    init(_ text: String) {
        var rest = Substring(text).utf8
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        self.rest = rest
    }

    /// Parses the number and returns it as `Scalar.scaled(toPowerOfTen:)` does.
    mutating func scaled(_ power: Int) -> Int64? {
        let isNegative = consumeSign()
        var digits: [UInt8] = []
        parseDigits(&digits)
        var scale = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let whole = digits.count
            parseDigits(&digits)
            scale = digits.count - whole
        }
        guard !digits.isEmpty, let exponent = parseExponent(), rest.isEmpty else { return nil }
        return value(digits, shiftedBy: power + exponent - scale).map { isNegative ? -$0 : $0 }
    }

    /// Skips a plus or minus, if one comes next; returns true for a minus.
    private mutating func consumeSign() -> Bool {
        guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        else { return false }
        rest.removeFirst()
        return first == UInt8(ascii: "-")
    }

    /// Parses decimal digits up to another character, and appends their values to `digits`.
    private mutating func parseDigits(_ digits: inout [UInt8]) {
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            digits.append(byte - 0x30)
            rest.removeFirst()
        }
    }

    /// Parses an exponent, such as `e-3`; returns 0 if there is none, `nil` if it has no digits.
    private mutating func parseExponent() -> Int? {
        guard let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E")
        else { return 0 }
        rest.removeFirst()
        let isNegative = consumeSign()
        var digits: [UInt8] = []
        parseDigits(&digits)
        guard !digits.isEmpty else { return nil }
        // Five significant digits suffice: an exponent that large gives 0 or an overflow.
        let value = digits.drop { $0 == 0 }.prefix(5).reduce(0) { $0 * 10 + Int($1) }
        return isNegative ? -value : value
    }

    /// Returns these digits times 10 to the power of `shift`, rounded; `nil` if beyond 64 bits.
    private func value(_ digits: [UInt8], shiftedBy shift: Int) -> Int64? {
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
