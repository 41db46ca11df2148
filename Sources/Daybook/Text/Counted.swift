extension BinaryInteger {
    /// The number with its noun, which it agrees with: `1 event`, `2 events`.
    ///
    /// - Parameter plural: where it is not the noun and an `s`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }

    /// The verb that agrees with the number: `is` or `are`.
    package var are: String { self == 1 ? "is" : "are" }
}
