extension BinaryInteger {
    /// Returns the number with a noun, whose plural by default ends in `s`: `1 event`, `2 events`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }

    /// The form of the verb that agrees with the number: `is` for 1, else `are`.
    package var are: String { self == 1 ? "is" : "are" }
}
