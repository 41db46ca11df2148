import Daybook

/// Rows of earlier files that a changed row may replace, all with equal identifying cells.
///
/// Each group holds the ids of the entries of one such row. A group is visited at most twice, so
/// that a file of equal rows takes linear time.
struct RowGroups {
    /// The ids of the entries of one row of an earlier file, and the digest of the row's cells.
    private struct Group {
        /// Digest of all cells of the earlier row.
        var cellsDigest: Daybook.Digest
        /// Ids of the entries that the earlier row was imported as.
        var entryIds: [String]
        /// True once a row of the present file was found to equal or to replace the earlier row.
        var isRemoved = false
    }

    /// All groups, including removed ones, in the order of their first entry.
    private var groups: [Group] = []
    /// Index of each group in `groups`, by the common prefix of its entry ids.
    private var indexByStem: [String: Int] = [:]
    /// Indices of the groups with equal cells, and the number of indices already visited.
    private var indicesByCellsDigest: [Daybook.Digest: (indices: [Int], visited: Int)] = [:]
    /// Index of the first group that `removeFirst` has not visited.
    private var firstRemaining = 0
    /// Number of visits to groups so far; a group is counted each time.
    private(set) var visitCount = 0

    /// Adds the id of an entry to the group of the earlier row that it was imported from.
    mutating func add(_ entryId: String, of stem: String, _ cells: Daybook.Digest) {
        if let index = indexByStem[stem] {
            groups[index].entryIds.append(entryId)
            return
        }
        indexByStem[stem] = groups.count
        indicesByCellsDigest[cells, default: ([], 0)].indices.append(groups.count)
        groups.append(Group(cellsDigest: cells, entryIds: [entryId]))
    }

    /// Removes the first remaining group with this digest of cells, if there is one.
    mutating func removeFirst(with cells: Daybook.Digest) {
        guard var (indices, visited) = indicesByCellsDigest[cells] else { return }
        indicesByCellsDigest[cells] = nil
        defer { indicesByCellsDigest[cells] = (indices, visited) }
        while visited < indices.count {
            let index = indices[visited]
            visited += 1
            visitCount += 1
            guard groups[index].isRemoved else {
                groups[index].isRemoved = true
                return
            }
        }
        indices = []
        visited = 0
    }

    /// Removes the first remaining group and returns its entry ids; `nil` if none remains.
    mutating func removeFirst() -> [String]? {
        while firstRemaining < groups.count {
            let index = firstRemaining
            firstRemaining += 1
            visitCount += 1
            guard groups[index].isRemoved else {
                groups[index].isRemoved = true
                return groups[index].entryIds
            }
        }
        return nil
    }
}
