import Daybook

/// The entries that equal rows of earlier files have become, a group for each row, in order.
///
/// Each group is looked up and taken once, so that a file whose rows are all alike costs no more
/// than another.
struct RowGroups {
    private struct Group {
        var cells: Daybook.Digest
        var entryIds: [String]
        var isTaken = false
    }

    private var groups: [Group] = []
    private var placeOfStem: [String: Int] = [:]
    /// Places of groups by their cells, and how many of these were passed.
    private var placesOfCells: [Daybook.Digest: (places: [Int], passed: Int)] = [:]
    /// All groups before this place are taken.
    private var start = 0
    /// How many groups were looked at in all.
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

    /// Takes the first group with these cells, where there is one left.
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

    /// Takes the first group; `nil` where none is left.
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
