import Daybook
import DaybookLog

/// A look at a few parts of a long story, after which one that is much too large is refused.
/// Without it, the refusal would come after most of the log was read and folded.
enum StorySample {
    /// Number of positions from which a look is worth its time.
    private static let leastPositions: UInt64 = 65_536
    /// Number of parts, spread over the story, from which the number and size of its rows follow.
    private static let partCount: UInt64 = 8
    /// Number of positions of each part.
    private static let partLength: UInt64 = 256
    /// Number of positions at the beginning of a story, from which the size of its changes follows.
    private static let foldedLength: UInt64 = 4_096
    /// Number of rows from which the size of the other rows follows.
    private static let leastRows = 512

    /// Throws an error if the story would be much longer than a page may be.
    static func check(_ options: StoryOptions, in reading: ProjectionReading) throws {
        let last = min(options.through ?? reading.through, reading.through).rawValue
        let first = options.from.rawValue
        guard last >= first, last - first >= leastPositions else { return }
        // The rest of the story may have smaller rows than its parts.
        guard try byteCount(options, in: reading) <= 2 * StorySize.limit else {
            throw StorySize.error
        }
    }

    /// Returns the length of the story's events and changes, in bytes, if its parts are like the
    /// whole; 0 for a story that is shorter than the parts together.
    static func byteCount(_ options: StoryOptions, in reading: ProjectionReading) throws -> Int {
        let last = min(options.through ?? reading.through, reading.through).rawValue
        let first = options.from.rawValue
        guard last >= first else { return 0 }
        var (rowCount, byteCount) = (0, 0)
        for part in 0..<partCount {
            var options = options
            let start = first + (last - first) / partCount * part
            options.from = Position(start)
            options.through = Position(start + partLength - 1)
            let selection = try StorySelection(options, in: reading)
            let ownCount = selection.positions.count - selection.contextPositions.count
            guard ownCount > 0 else { continue }
            let events = try StoryEvents(selection, options, in: reading)
            // Events that caused others are rows of their own in the whole story.
            rowCount += ownCount
            byteCount +=
                (events.byteCount - events.payloadByteCount) * ownCount / selection.positions.count
        }
        let ratio = Int((last - first + 1) / (partCount * partLength))
        guard rowCount > 0, ratio > 0 else { return 0 }
        let changes = try changes(options, in: reading)
        return (byteCount + changes.byteCount * rowCount / max(changes.rowCount, 1)) * ratio
    }

    /// Returns the length of the changes of some rows near the beginning of the story, in bytes.
    ///
    /// The first rows do not count, as their values are new more often than those of later rows.
    /// Returns zeros for few rows.
    private static func changes(
        _ options: StoryOptions, in reading: ProjectionReading
    ) throws -> (rowCount: Int, byteCount: Int) {
        // The states of a later beginning follow only from all events before.
        guard options.from.rawValue <= foldedLength else { return (0, 0) }
        var found: [(rowCount: Int, byteCount: Int)] = []
        for length in [foldedLength / 2, foldedLength] {
            var options = options
            options.through = Position(options.from.rawValue + length - 1)
            let selection = try StorySelection(options, in: reading)
            let rows = StoryRows(positions: selection.positions)
            var folding = StoryFolding(rows, besides: 0, in: reading, options.values)
            var changes = StoryChanges()
            // Other entities may be too many in the whole story, which then leaves them out.
            _ = try folding.fold(
                selection.entities, Array(0..<selection.ownEntityCount), options.rules,
                into: &changes)
            let columns =
                changes.columns(rowCount: rows.count) + folding.steps.columns(rowCount: rows.count)
            let byteCount = columns.reduce(folding.fields.byteCount) { $0 + $1.column.byteCount }
            found.append((rows.count, byteCount))
        }
        let rowCount = found[1].rowCount - found[0].rowCount
        // The blank states count only once, however few rows there are.
        guard min(rowCount, found[0].rowCount) >= leastRows else { return (0, 0) }
        return (rowCount, max(found[1].byteCount - found[0].byteCount, 0))
    }
}
