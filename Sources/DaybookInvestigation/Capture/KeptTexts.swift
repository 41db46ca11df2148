import Daybook

/// Texts that pseudonymisation keeps, because rules may read them and they identify nobody.
///
/// These are words that a field offers as a choice, short numbers, versions, dates, weeks, releases
/// of the tz database and names of time zones.
struct KeptTexts: Sendable {
    /// Allowed words of all fields of the catalogue that offer a choice of words, in lower case.
    private let choices: Set<String>
    /// Returns `true` for the name of a time zone.
    private let isZone: @Sendable (String) -> Bool

    init(_ catalogue: Catalogue, isZone: @escaping @Sendable (String) -> Bool) {
        var choices: Set<String> = []
        let described =
            catalogue.events.values.map(\.fields) + catalogue.commands.values.map(\.fields)
        for fields in described { Self.collectChoices(fields, into: &choices) }
        self.choices = choices
        self.isZone = isZone
    }

    /// Adds the allowed words of the fields that offer a choice to `choices`, in lower case.
    private static func collectChoices(
        _ fields: [FieldDescription], into choices: inout Set<String>
    ) {
        for field in fields {
            if let range = field.form.firstRange(of: "one of ") {
                let names = field.form[range.upperBound...].filter { !"?]}".contains($0) }
                choices.formUnion(names.split(separator: ", ").map { $0.lowercased() })
            }
            collectChoices(field.fields, into: &choices)
        }
    }

    /// True if a text is a word that a field offers as a choice, or the name of a time zone.
    func containsWord(_ text: String) -> Bool {
        choices.contains(text.lowercased()) || isZone(text)
    }

    func contains(_ text: String) -> Bool {
        if containsWord(text) { return true }
        guard let first = text.utf8.first, (48...57).contains(first) else { return false }
        // Versions and amounts with few digits, but no telephone numbers and no coordinates.
        return text.wholeMatch(of: /[0-9]{1,5}(\.[0-9]{1,4}){0,3}/) != nil
            // A release of the tz database, a date, a week.
            || text.wholeMatch(of: /[0-9]{4}([a-z]|-[0-9]{2}(-[0-9]{2})?|-W[0-9]{2})/) != nil
    }
}
