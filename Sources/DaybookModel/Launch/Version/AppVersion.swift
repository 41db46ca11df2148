import Daybook

/// A version of an app: the numbers between the dots.
///
/// Missing numbers count as zero, so that `1.0` and `1.0.0` are equal.
struct AppVersion: Equatable, Comparable, Sendable {
    /// Numbers between the dots, without trailing zeros.
    let numbers: [Int64]

    private init(_ numbers: [Int64]) {
        self.numbers = Array(numbers.reversed().drop { $0 == 0 }.reversed())
    }

    /// Parses a version by a rule set; returns `nil` if the rule set does not accept the text.
    static func read(_ text: String, rules: Rules) -> AppVersion? {
        switch rules {
        case .standard: AppVersion(text)
        case .source: AppVersion(lenient: text)
        }
    }

    /// Parses one to eight ASCII numbers up to 2³¹−1, separated by dots; fails for any other text.
    /// White space around the text and one leading `v` are allowed. A pre-release (`-…`) and a
    /// build (`+…`) are ignored.
    init?(_ text: String) {
        var rest = text.trimmed.unicodeScalars[...]
        if rest.first == "v" || rest.first == "V" { rest = rest.dropFirst() }
        let core = rest.prefix { $0 != "-" && $0 != "+" }
        let suffix = rest[core.endIndex...]
        guard suffix.isEmpty || Self.isSuffix(suffix) else { return nil }
        let parts = core.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var numbers: [Int64] = []
        for part in parts {
            guard let number = Self.number(part) else { return nil }
            numbers.append(number)
        }
        self.init(numbers)
    }

    /// Parses any text; a part that Kotlin's `toInt` rejects counts as 0.
    ///
    /// Kotlin accepts 32-bit integers, with or without a sign, in the decimal digits of any script
    /// in the basic plane.
    ///
    /// Source: S0, "toInt or 0", on its JVM.
    init(lenient text: String) {
        let parts = text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        self.init(parts.map { Self.kotlinInt($0) ?? 0 })
    }

    static func < (a: AppVersion, b: AppVersion) -> Bool {
        for index in 0..<max(a.numbers.count, b.numbers.count) {
            let left = index < a.numbers.count ? a.numbers[index] : 0
            let right = index < b.numbers.count ? b.numbers[index] : 0
            if left != right { return left < right }
        }
        return false
    }

    /// Returns the value of ASCII digits up to 2³¹−1; `nil` for any other text.
    private static func number(_ part: Substring.UnicodeScalarView) -> Int64? {
        guard !part.isEmpty else { return nil }
        var value: Int64 = 0
        for scalar in part {
            guard ("0"..."9").contains(scalar) else { return nil }
            value = value * 10 + Int64(scalar.value - 48)
            guard value <= Int64(Int32.max) else { return nil }
        }
        return value
    }

    /// True if the text names a pre-release or a build, such as `-beta.1`.
    private static func isSuffix(_ suffix: Substring.UnicodeScalarView) -> Bool {
        suffix.count > 1
            && suffix.allSatisfy {
                switch $0 {
                case "0"..."9", "a"..."z", "A"..."Z", ".", "-", "+": true
                default: false
                }
            }
    }

    /// Returns the number that Kotlin's `toInt` returns; `nil` if it rejects the text.
    private static func kotlinInt(_ part: Substring.UnicodeScalarView) -> Int64? {
        let isNegative = part.first == "-"
        let digits = isNegative || part.first == "+" ? part.dropFirst() : part
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for scalar in digits {
            guard let digit = decimalDigit(scalar) else { return nil }
            value = value * 10 + digit
            guard value <= Int64(Int32.max) + (isNegative ? 1 : 0) else { return nil }
        }
        return isNegative ? -value : value
    }

    /// Returns the value of a decimal digit; `nil` for any other character.
    private static func decimalDigit(_ scalar: Unicode.Scalar) -> Int64? {
        guard scalar.value <= 0xFFFF, isDecimal(scalar) else { return nil }
        var value: Int64 = 0
        while value < 9, let before = Unicode.Scalar(scalar.value - UInt32(value) - 1),
            isDecimal(before)
        {
            value += 1
        }
        return value
    }

    /// True if the character is a decimal digit of any script.
    private static func isDecimal(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .decimalNumber
    }
}
