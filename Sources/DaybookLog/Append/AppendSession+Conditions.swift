import Daybook
import DaybookLMDB

// Evaluation of append conditions.
extension AppendSession {
    /// Returns the position of an event that the condition forbids; `nil` if there is none.
    func conflict(with condition: AppendCondition) throws(LogError) -> Position? {
        let after = condition.after.rawValue
        guard head > after else { return nil }
        guard let items = names.allVersions(of: condition.query).items else {
            return Position(head)
        }
        for item in items {
            let bound = try lastPossibleMatch(item)
            guard bound > after else { continue }
            // For a single tag or only kinds, `bound` is the last match and not just an upper
            // bound.
            if item.tags.count + (item.kinds.isEmpty ? 0 : 1) <= 1 { return Position(bound) }
            if let position = try firstMatch(item, after: after, through: bound) {
                return Position(position)
            }
        }
        return nil
    }

    /// Returns the position of the first event that matches a query item, stored or just added.
    ///
    /// - Parameters:
    ///   - after: the position before the first position to search.
    ///   - through: the last position to search, inclusive.
    private func firstMatch(
        _ item: Query.Item, after: UInt64, through: UInt64
    ) throws(LogError) -> UInt64? {
        let stored = min(through, headAtStart)
        if let position = try IndexSearch(file: log.file).firstMatch(
            item, after: after, through: stored, names, in: transaction)
        {
            return position
        }
        let filter = StoredFilter(Query(item), names)
        let first = max(after, headAtStart)
        guard first < through else { return nil }
        for position in first + 1...through {
            let row = addedRows[Int(position - headAtStart) - 1]
            let record = row.rawSpan.extracting(..<(row.count - RowChecksum.byteCount))
            if try filter.match(position, record) != nil { return position }
        }
        return nil
    }

    /// Returns a position after which no event matches the item; 0 if no event can match.
    private func lastPossibleMatch(_ item: Query.Item) throws(LogError) -> UInt64 {
        var bound = head
        for tag in item.tags {
            bound = min(bound, try lastPosition(of: tag))
            if bound == 0 { return 0 }
        }
        guard !item.kinds.isEmpty else { return bound }
        var lastKind: UInt64 = 0
        for row in item.kinds.compactMap({ names.row(of: $0) }) {
            lastKind = max(lastKind, try lastPosition(ofKind: row))
        }
        return min(bound, lastKind)
    }
}

extension AppendSession {
    /// Returns the position of the newest event with a tag, stored or added by this transaction; 0
    /// if there is none.
    private func lastPosition(of tag: Tag) throws(LogError) -> UInt64 {
        let added = tag.text.withUTF8Bytes { unsafe tagRows.lastPosition(of: $0.bytes) }
        if let added { return added }
        return try log.file.tables.lastPosition(of: IndexKey(tag), in: transaction) ?? 0
    }

    /// Returns the position of the newest event of a kind, stored or added by this transaction; 0
    /// if there is none.
    ///
    /// - Parameter row: the row of the event kind in the table `names`.
    private func lastPosition(ofKind row: UInt16) throws(LogError) -> UInt64 {
        if let added = lastPositionOfKind[row] { return added }
        return try log.file.tables.lastPosition(ofKind: row, in: transaction) ?? 0
    }
}
