import Daybook

/// Groups of entries from rows of earlier files with equal identifying cells, one per row.
///
/// Each group is visited at most twice, so that a file of equal rows takes linear time.
struct RowGroups {
    private struct Group {
        var cells: Daybook.Digest
        var entryIds: [String]
        var isTaken = false
    }

    private var groups: [Group] = []
    private var placeOfStem: [String: Int] = [:]
    /// Indices of groups by digest of the cells, and the number of indices already visited.
    private var placesOfCells: [Daybook.Digest: (places: [Int], passed: Int)] = [:]
    /// Index before which all groups are taken.
    private var start = 0
    /// Total number of groups visited.
    private(set) var steps = 0

    mutating func add(_ entryId: String, of stem: String, _ cells: Daybook.Digest) {
        if let place = placeOfStem[stem] {
            groups[place].entryIds.append(entryId)
            return
        }
        placeOfStem[stem] = groups.count
        placesOfCells[cells, default: ([], 0)].places.append(groups.count)
        groups.append(Group(cells: cells, entryIds: [entryId]))
    }

    /// Removes the first remaining group with these cells, if any.
    mutating func removeFirst(with cells: Daybook.Digest) {
        guard var (places, passed) = placesOfCells[cells] else { return }
        placesOfCells[cells] = nil
        defer { placesOfCells[cells] = (places, passed) }
        while passed < places.count {
            let place = places[passed]
            passed += 1
            steps += 1
            guard groups[place].isTaken else {
                groups[place].isTaken = true
                return
            }
        }
        places = []
        passed = 0
    }

    /// Removes and returns the first remaining group; `nil` if none remains.
    mutating func removeFirst() -> [String]? {
        while start < groups.count {
            let place = start
            start += 1
            steps += 1
            guard groups[place].isTaken else {
                groups[place].isTaken = true
                return groups[place].entryIds
            }
        }
        return nil
    }
}
