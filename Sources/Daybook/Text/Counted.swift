extension BinaryInteger {
    /// Returns the number with its noun in singular or plural: `1 event`, `2 events`.
    ///
    /// - Parameter plural: the plural, if it is not the noun and an `s`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }

    /// The verb that agrees with the number: `is` or `are`.
    package var are: String { self == 1 ? "is" : "are" }
}
