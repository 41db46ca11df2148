import Daybook

extension BabyCare.Entry {
    /// The value of an entry that keeps others: its own, with the sums of all their amounts.
    ///
    /// Weights and temperatures are measures and no amounts: they stay those of the kept entry.
    func value(with entries: [BabyCare.Entry]) throws(Refusal) -> BabyCare.Value {
        var value = self.value
        let sum = { (field: KeyPath<BabyCare.Value, Int64?>) -> Int64? in
            let amounts = entries.compactMap { $0.value[keyPath: field] }
            return amounts.isEmpty ? nil : amounts.reduce(0, +)
        }
        value.amountUl = sum(\.amountUl)
        if kind == .weaning { value.massMg = sum(\.massMg) }
        if kind.isFeed || kind == .weaning, sum(\.durationS) != nil {
            value.durationS = entries.reduce(0) { $0 + $1.ownDurationS }
        }
        if kind == .pee || kind == .poo {
            value.count = entries.reduce(0) { $0 + ($1.value.count ?? 1) }
        }
        let sides = Set(entries.compactMap(\.value.side))
        if sides.count > 1 { value.side = .both }
        if (value.amountUl, value.massMg) != (self.value.amountUl, self.value.massMg) {
            // What was written down is the amount of one of them.
            (value.original, value.originalUnit) = (nil, nil)
        }
        guard value.outOfLimits.isEmpty else {
            throw Refusal("tooMuch", "the sum of their amounts is more than one entry can have")
        }
        return value
    }

    /// True where an event after the last merge changed the entry; undoing the merge would drop it.
    ///
    /// - Parameter dropped: the entries that became part of it.
    func isChangedSinceMerge(among dropped: [BabyCare.Entry]) -> Bool {
        guard let last = merges.last else { return false }
        var before = self
        before.takeBack(last)
        let merged = ([before] + dropped).map { $0.ended ?? $0.started }.max()
        // The merge writes an edit of its own where it adds amounts up, or takes another end for an
        // estimated one.
        let setsEnd = before.isEstimated && merged != before.ended
        var setsValue = false
        do throws(Refusal) {
            setsValue = try before.value(with: [before] + dropped) != before.value
        } catch {
            // No such merge would have been accepted.
        }
        let ownEdits: Int64 = setsEnd || setsValue ? 1 : 0
        return edits > before.edits + ownEdits || isEstimated != (before.isEstimated && !setsEnd)
    }

    /// Seconds by its own account, else from start to end.
    private var ownDurationS: Int64 { value.durationS ?? max(0, lengthUs) / 1_000_000 }
}
