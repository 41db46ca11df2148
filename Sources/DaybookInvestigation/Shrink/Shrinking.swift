/// A search for a smallest part of a list that still has a property.
///
/// Source: delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
/// Input", 2002). Parts are removed as long as the rest keeps the property; the order stays. The
/// result is minimal: removing any single element would lose the property.
public enum Shrinking {
    /// Returns a smallest part that keeps the property, and the number of parts tested.
    ///
    /// - Parameter keeps: returns `true` if a part has the property.
    public static func smallest<Element>(
        _ elements: [Element], _ keeps: ([Element]) throws -> Bool
    ) rethrows -> (elements: [Element], probes: Int) {
        var rest = elements
        var parts = 2
        var probes = 0
        while rest.count > 1 {
            let size = max(1, (rest.count + parts - 1) / parts)
            var isSmaller = false
            for start in stride(from: 0, to: rest.count, by: size) {
                let without = Array(rest[..<start] + rest[min(start + size, rest.count)...])
                probes += 1
                guard try keeps(without) else { continue }
                rest = without
                parts = max(2, parts - 1)
                isSmaller = true
                break
            }
            if isSmaller { continue }
            guard size > 1 else { break }
            parts = min(rest.count, parts * 2)
        }
        // The last element may be unnecessary too.
        if rest.count == 1 {
            probes += 1
            if try keeps([]) { rest = [] }
        }
        return (rest, probes)
    }
}
