import Daybook

/// Candidates for the earlier form of a changed row, all with equal identifying cells.
///
/// Each group holds the entries of one row of an earlier file. Each group is visited at most twice,
/// so that a file of equal rows takes linear time.
struct RowGroups {
    /// The entries of one earlier row, and the digest of the row's cells.
    private struct Group {
        /// Digest of all cells of the row.
        var cells: Daybook.Digest
        /// Ids of the row's entries.
        var entryIds: [String]
        /// True once the group was matched with a row of the present file.
        var isRemoved = false
    }

    /// Groups in the order of their first entry.
    private var groups: [Group] = []
    /// Index of each group, by the common prefix of its entry ids.
    private var indexByStem: [String: Int] = [:]
    /// Indices of the groups with each digest of cells, and how many of them were visited.
    private var indicesByCells: [Daybook.Digest: (places: [Int], passed: Int)] = [:]
    /// Index of the first group that may not be removed yet.
    private var start = 0
    /// Total number of groups visited.
    private(set) var steps = 0

    /// Adds an entry to the group of its row.
    ///
    /// - Parameters:
    ///   - stem: the common prefix of the ids of the row's entries.
    ///   - cells: the digest of the row's cells.
    mutating func add(_ entryId: String, of stem: String, _ cells: Daybook.Digest) {
        if let place = indexByStem[stem] {
            groups[place].entryIds.append(entryId)
            return
        }
        indexByStem[stem] = groups.count
        indicesByCells[cells, default: ([], 0)].places.append(groups.count)
        groups.append(Group(cells: cells, entryIds: [entryId]))
    }

    /// Removes the first remaining group with these cells, if any.
    mutating func removeFirst(with cells: Daybook.Digest) {
        guard var (places, passed) = indicesByCells[cells] else { return }
        indicesByCells[cells] = nil
        defer { indicesByCells[cells] = (places, passed) }
        while passed < places.count {
            let place = places[passed]
            passed += 1
            steps += 1
            guard groups[place].isRemoved else {
                groups[place].isRemoved = true
                return
            }
        }
        places = []
        passed = 0
    }

    /// Removes the first remaining group and returns its entry ids; `nil` if none remains.
    mutating func removeFirst() -> [String]? {
        while start < groups.count {
            let place = start
            start += 1
            steps += 1
            guard groups[place].isRemoved else {
                groups[place].isRemoved = true
                return groups[place].entryIds
            }
        }
        return nil
    }
}
