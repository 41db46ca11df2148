extension BinaryInteger {
    /// Returns the number with a noun in singular or plural: `1 event`, `2 events`.
    ///
    /// - Parameters:
    ///   - noun: the noun in the singular.
    ///   - plural: the noun in the plural; by default the singular with an `s`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }

    /// The form of the verb that agrees with the number: `is` for 1, else `are`.
    package var are: String { self == 1 ? "is" : "are" }
}
