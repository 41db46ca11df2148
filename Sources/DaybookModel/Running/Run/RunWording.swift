import Daybook

extension Running.RunCompleted {
    /// The figures of a run: `5.0 km in 27 min 30 s, 5:30 /km, 300 kcal`.
    func figures(_ wording: Wording) -> String {
        let seconds = activeMs / 1_000
        let time = seconds == 0 ? "" : " in \(FieldUnit.length(seconds: seconds))"
        return wording.list(
            FieldUnit.millimetres.text(distanceMm) + time,
            avgPaceMsPerKm.map { FieldUnit.millisecondsPerKilometre.text($0) },
            kcal == 0 ? nil : FieldUnit.kilocalories.text(kcal))
    }
}
