import Daybook
import DaybookLog

/// The changes of entities' fields in a story, in the order of its rows. They are kept as numbers,
/// 32 bytes a change, until they are written as columns.
struct StoryChanges: Sendable {
    /// One change of a field.
    struct Change: Sendable {
        /// Row after which the change holds.
        var row: Int32
        var entity: Int32
        var path: Int32
        /// Index of the new value; -1 if the field was removed.
        var value: Int32
        /// 0 if the event of the row made the change, the position of an event outside the story,
        /// `timeWriter`, or in an alternative -1 less the number of an added event.
        var writer: Int64
    }

    /// The writer of a change of a recorded report that no event made, only the time that passed
    /// until the event of the row.
    static let timeWriter: Int64 = -1

    /// The changes, in the order in which they were found.
    private(set) var all: [Change] = []

    /// Largest number of changes; each takes about ten bytes of the page.
    private static let limit = 2_500_000

    /// Length that the changes take on a page at least, in bytes. Only changes by events of the
    /// story count, because an entity without them is removed.
    private(set) var leastByteCount = 0

    mutating func add(_ change: Change) {
        all.append(change)
        guard change.writer == 0 else { return }
        // The row and the entity take a digit each, and each of the four numbers a comma.
        leastByteCount += 6 + String(change.path).utf8.count + String(change.value).utf8.count
    }

    /// Removes the entities that no event of the story changed, and their changes.
    ///
    /// - Parameter ownCount: number of the subject's entities, which all stay.
    /// - Returns: the indices of the entities that stay; each gets the index of its place there.
    mutating func removeUnchanged(of entityCount: Int, but ownCount: Int) -> [Int] {
        var isChanged = [Bool](repeating: false, count: entityCount)
        for change in all where change.writer == 0 { isChanged[Int(change.entity)] = true }
        let kept = (0..<entityCount).filter { $0 < ownCount || isChanged[$0] }
        guard kept.count < entityCount else { return kept }
        var places = [Int32](repeating: -1, count: entityCount)
        for (place, entity) in kept.enumerated() {
            places[entity] = Int32(truncatingIfNeeded: place)
        }
        all = all.compactMap { change in
            var change = change
            change.entity = places[Int(change.entity)]
            return change.entity < 0 ? nil : change
        }
        return kept
    }

    /// True if there are too many changes for a page.
    var isTooLarge: Bool { all.count > Self.limit }

    /// Returns the changes as columns in the order of the rows, of which the story has `rowCount`.
    func columns(rowCount: Int) -> [(name: String, column: StoryColumn)] {
        var starts = [Int32](repeating: 0, count: rowCount + 1)
        for change in all { starts[Int(change.row) + 1] += 1 }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        var order = [Int32](repeating: 0, count: all.count)
        for (index, change) in all.enumerated() {
            order[Int(starts[Int(change.row)])] = Int32(truncatingIfNeeded: index)
            starts[Int(change.row)] += 1
        }
        var (rows, entities, paths) = (StoryColumn(), StoryColumn(), StoryColumn())
        var (values, writers) = (StoryColumn(), StoryColumn())
        for index in order {
            let change = all[Int(index)]
            rows.append(difference: Int64(change.row))
            entities.append(Int64(change.entity))
            paths.append(Int64(change.path))
            values.append(Int64(change.value))
            writers.append(change.writer)
        }
        let hasWriters = all.contains { $0.writer != 0 }
        return [("event", rows), ("entity", entities), ("path", paths), ("value", values)]
            + (hasWriters ? [("by", writers)] : [])
    }
}

/// The distinct paths and values of a story's changes.
struct StoryFields: Sendable {
    /// Distinct paths, with the information whether they are points in time.
    private(set) var paths = StoryNames()
    var values = StoryNames()

    mutating func index(ofPath path: String, isMoment: Bool) -> Int32 {
        paths.index(of: isMoment ? path + "\u{0}" : path) { column in
            column.append { writer in
                writer.member("path", path)
                writer.member("moment", isMoment)
            }
        }
    }

    /// Returns the index of a value as JSON; -1 for a removed field.
    mutating func index(ofValue json: String?) -> Int32 {
        json.map { values.index(ofJSON: $0) } ?? -1
    }

    /// Length of the distinct paths and values, in bytes.
    var byteCount: Int { paths.column.byteCount + values.column.byteCount }
}

/// The paths of one record's fields, each looked up once.
struct StoryPaths {
    private let fields: [FieldDescription]
    private var indices: [String: Int32] = [:]

    init(_ fields: [FieldDescription]) { self.fields = fields }

    mutating func index(of path: String, in shared: inout StoryFields) -> Int32 {
        if let known = indices[path] { return known }
        let index = shared.index(ofPath: path, isMoment: fields.hasMoment(at: path))
        indices[path] = index
        return index
    }
}

/// The rows of a story, found by the positions of their events.
struct StoryRows: Sendable {
    /// Positions of the rows, ascending.
    let positions: [UInt64]

    var count: Int { positions.count }

    /// Returns the first row at or after a position, and whether it is the row of the position.
    ///
    /// - Returns: a row of `count` after the last row.
    func row(at position: UInt64) -> (row: Int, isOwn: Bool) {
        let positions = positions.contents
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return (low, low < positions.count && positions[low] == position)
    }

    /// Returns the row of a position; `nil` if the story has no such row.
    func row(of position: UInt64) -> Int? {
        let (row, isOwn) = row(at: position)
        return isOwn ? row : nil
    }

    /// Returns the row from which an event that was inserted after a position counts.
    func row(after position: UInt64) -> Int { min(row(at: position).row, max(count - 1, 0)) }
}

/// The changes of one entity that events outside the story made since its last row.
///
/// They hold from the next row on, each with the position of its last writer, so that the state at
/// every row is that of the log.
struct CarriedChanges {
    private var row = 0
    private var order: [Int32] = []
    private var latest: [Int32: (value: String?, writer: Int64)] = [:]

    /// Adds a change with the new value as JSON; `nil` if the field was removed.
    mutating func add(path: Int32, value: String?, writer: Int64) {
        if latest.updateValue((value, writer), forKey: path) == nil { order.append(path) }
    }

    /// Adds the collected changes to a story, unless they hold only from the row `next` on.
    mutating func flush(
        before next: Int, isOwn: Bool, _ entity: Int32, _ fields: inout StoryFields,
        into changes: inout StoryChanges
    ) {
        guard next > row || isOwn else { return }
        for path in order {
            guard let (value, writer) = latest[path] else { continue }
            changes.add(
                StoryChanges.Change(
                    row: Int32(truncatingIfNeeded: row), entity: entity, path: path,
                    value: fields.index(ofValue: value), writer: writer))
        }
        order.removeAll(keepingCapacity: true)
        latest.removeAll(keepingCapacity: true)
        row = next
    }
}
