import Daybook

extension Assistant.ActionValues {
    /// The values as a part of a sentence: `formula 120 ml`; `nil` if there is no type of entry.
    func sentence(_ wording: Wording) -> String? {
        guard let tile else { return nil }
        let values = wording.list(
            amountMl.map { FieldUnit.millilitres.text($0) }, grams.map { FieldUnit.grams.text($0) },
            dose.map { "dose \($0)" }, durationMin.map { FieldUnit.minutes.text($0) },
            sleep?.name)
        return values.isEmpty ? diaper?.name ?? tile.name : "\(diaper?.name ?? tile.name) \(values)"
    }
}
