extension Household {
    /// Returns the name of a formula in words: `formula Aptamil Pre, standard, with starch`.
    static func formula(
        brand: String?, product: String?, type: String?, _ containsStarch: Bool?
    ) -> String? {
        let name = [brand, product].compactMap(\.self).joined(separator: " ")
        let starch = containsStarch.map { $0 ? "with starch" : "without starch" }
        let parts = [name, type, starch].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : "formula " + parts.joined(separator: ", ")
    }
}
