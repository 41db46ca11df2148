extension Assistant {
    /// The amount and the duration that a text states by the app's patterns: any digits before a
    /// unit, even at the end of a longer number.
    struct SpokenQuantities: Equatable, Sendable {
        let amountMl: Int64?
        let durationMin: Int64?

        /// Reads the amount and the duration of a lower-case text.
        init(_ text: String) {
            let scalars = Array(text.unicodeScalars)
            let amount = Self.firstNumber(scalars, ofDigits: 4, before: ["ml", "cc", "㎖", "밀리"])
            let hours = Self.firstNumber(scalars, ofDigits: 2, before: ["시간", "hour", "hr"])
            let minutes = Self.firstNumber(scalars, ofDigits: 3, before: ["분", "min"])
            let total = (hours ?? 0) * 60 + (minutes ?? 0)
            amountMl = amount == 0 ? nil : amount
            durationMin = total == 0 ? nil : total
        }

        /// Returns the first number of at most `maxDigits` digits before one of `units`.
        private static func firstNumber(
            _ scalars: [Unicode.Scalar], ofDigits maxDigits: Int, before units: [String]
        ) -> Int64? {
            for index in scalars.indices {
                let digits = scalars[index...].prefix(maxDigits).prefix { $0.isDigit }
                let rest = scalars[digits.endIndex...].drop { $0.properties.isWhitespace }
                if !digits.isEmpty, units.contains(where: { rest.starts(with: $0.unicodeScalars) })
                {
                    return Int64(String(String.UnicodeScalarView(digits)))
                }
            }
            return nil
        }
    }
}
