import Daybook

/// Returns a duration in hours, minutes and seconds: `6 h`, `1 h 30 min`, `45 s`.
///
/// - Parameter microseconds: The duration; fractions of a second are cut off.
func lengthText(_ microseconds: Int64) -> String {
    FieldUnit.length(seconds: microseconds / 1_000_000)
}
