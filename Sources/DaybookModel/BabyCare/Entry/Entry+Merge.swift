import Daybook

extension BabyCare.Entry {
    /// Returns the details of the entry after a merge with `entries`, whose amounts are summed. The
    /// entries include this one. Weights and temperatures are measurements and stay the same.
    /// Throws a refusal if a sum exceeds the limits of one entry.
    func mergedValue(with entries: [BabyCare.Entry]) throws(Refusal) -> BabyCare.Value {
        var value = self.value
        let sum = { (field: KeyPath<BabyCare.Value, Int64?>) -> Int64? in
            let amounts = entries.compactMap { $0.value[keyPath: field] }
            return amounts.isEmpty ? nil : amounts.reduce(0, +)
        }
        value.amountUl = sum(\.amountUl)
        if kind == .weaning { value.massMg = sum(\.massMg) }
        if kind.isFeed || kind == .weaning, sum(\.durationS) != nil {
            value.durationS = entries.reduce(0) { $0 + $1.recordedOrElapsedS }
        }
        if kind == .pee || kind == .poo {
            value.count = entries.reduce(0) { $0 + ($1.value.count ?? 1) }
        }
        let sides = Set(entries.compactMap(\.value.side))
        if sides.count > 1 { value.side = .both }
        if (value.amountUl, value.massMg) != (self.value.amountUl, self.value.massMg) {
            // The original text states the amount of only one entry.
            (value.original, value.originalUnit) = (nil, nil)
        }
        if let excess = value.outOfLimits.first {
            throw Refusal(
                "tooMuch",
                "the sum of the entries to merge into the entry '\(entryId)' is too large: \(excess)"
            )
        }
        return value
    }

    /// True if an event after the last merge changed the entry.
    ///
    /// - Parameter dropped: the entries that the last merge made part of this entry.
    func isChangedSinceMerge(among dropped: [BabyCare.Entry]) -> Bool {
        guard let last = merges.last else { return false }
        var before = self
        before.restoreFields(from: last)
        let merged = ([before] + dropped).map { $0.ended ?? $0.started }.max()
        // The merge itself records an edit if it sums amounts or replaces an estimated end.
        let setsEnd = before.isEstimated && merged != before.ended
        var setsValue = false
        do throws(Refusal) {
            setsValue = try before.mergedValue(with: [before] + dropped) != before.value
        } catch {
            // A merge with such a sum is refused, so it cannot have been recorded.
        }
        let ownEdits: Int64 = setsEnd || setsValue ? 1 : 0
        return history.editCount > before.history.editCount + ownEdits
            || isEstimated != (before.isEstimated && !setsEnd)
    }

    /// Recorded duration in seconds; without one, the seconds from start to end.
    private var recordedOrElapsedS: Int64 { value.durationS ?? max(0, lengthUs) / 1_000_000 }
}
