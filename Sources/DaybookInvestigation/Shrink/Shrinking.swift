/// A search for a small part of a list that still has a property that the whole list has.
///
/// Source: delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
/// Input", 2002). Elements are removed as long as the rest still has the property; the order of the
/// rest stays the same. The result is minimal: without any single one of its elements, it would no
/// longer have the property.
public enum Shrinking {
    /// Returns a minimal part with the property, and the number of parts that were tested.
    public static func smallest<Element>(
        _ elements: [Element], _ hasProperty: ([Element]) throws -> Bool
    ) rethrows -> (elements: [Element], probeCount: Int) {
        var rest = elements
        var parts = 2
        var probeCount = 0
        while rest.count > 1 {
            let size = max(1, (rest.count + parts - 1) / parts)
            var isSmaller = false
            for start in stride(from: 0, to: rest.count, by: size) {
                let without = Array(rest[..<start] + rest[min(start + size, rest.count)...])
                probeCount += 1
                guard try hasProperty(without) else { continue }
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
            probeCount += 1
            if try hasProperty([]) { rest = [] }
        }
        return (rest, probeCount)
    }
}
