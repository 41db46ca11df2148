/// Returns a duration in hours, minutes and seconds: `6 h`, `1 h 30 min`, `45 s`.
///
/// - Parameter microseconds: The duration; fractions of a second are cut off.
func lengthText(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
        .filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
}
