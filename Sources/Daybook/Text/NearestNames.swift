/// A search for the known names that a user may have meant by a mistyped name.
package enum NearestNames {
    /// Maximum number of suggested names.
    private static let maximumSuggestionCount = 3
    /// Maximum number of characters in a mistyped name; a longer text gets no suggestion.
    private static let maximumNameLength = 100

    /// Returns the known names that are close to `text`, at most three, the closest first.
    ///
    /// A name is close if few letters differ, if it begins with `text`, or if `text` is a whole
    /// part of the name, such as `app-launched` in `launch.app-launched.v1`. Upper and lower case
    /// count as equal, and the dashes before an option do not count.
    public static func nearest(to text: String, in known: some Sequence<String>) -> [String] {
        let lowered = { (name: String) in name.lowercased().drop { $0 == "-" } }
        let start = lowered(text)
        let wanted = Array(start)
        guard !wanted.isEmpty, wanted.count <= maximumNameLength else { return [] }
        var found: [(name: String, distance: Int)] = []
        for name in Set(known) where name != text {
            let lowered = lowered(name)
            let limit = max(1, min(wanted.count, lowered.count) / 3)
            let parts = lowered.split(whereSeparator: { ".:-".contains($0) })
            if wanted.count > 2,
                lowered.hasPrefix(start) || isPart(wanted, of: lowered, parts)
            {
                found.append((name, 0))
            } else if let distance = distance(wanted, Array(lowered), atMost: limit) {
                found.append((name, distance))
            }
        }
        let sorted = found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let best = sorted.first?.distance else { return [] }
        return sorted.prefix { $0.distance <= best + 1 }.prefix(maximumSuggestionCount).map(\.name)
    }

    /// Returns the end of a message about an unknown name, with the close names as suggestions.
    ///
    /// It is like `; did you mean 'session'?`, or a full stop if no known name is close.
    public static func hint(for text: String, in known: some Sequence<String>) -> String {
        let names = nearest(to: text, in: known).map { "'\($0)'" }
        guard let last = names.last else { return "." }
        let others = names.dropLast().joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// True if `wanted` is one of the name's `parts`, or all of its text between two dots.
    private static func isPart(
        _ wanted: [Character], of name: Substring, _ parts: [Substring]
    ) -> Bool {
        let text = String(wanted)
        return parts.contains(Substring(text))
            || name.split(separator: ".").contains(Substring(text))
    }

    /// Returns the least number of edits that turn one name into the other; `nil` if over `limit`.
    ///
    /// An edit adds, removes or replaces a letter, or swaps two neighbouring letters.
    static func distance(_ a: [Character], _ b: [Character], atMost limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        var before: [Int] = []
        var previous = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var cost = min(previous[j + 1], row[j]) + 1
                cost = min(cost, previous[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            (before, previous) = (previous, row)
        }
        return previous[b.count] <= limit ? previous[b.count] : nil
    }
}
