import Daybook
import DaybookLog

/// A look at a few parts of a long story, after which one that is much too large is refused.
///
/// Without it, the refusal would come after most of the log was read and folded.
enum StorySample {
    /// Number of positions from which a look is worth its time.
    private static let leastPositions: UInt64 = 100_000
    /// Number of parts, spread over the story.
    private static let partCount: UInt64 = 8
    /// Number of positions of each part.
    private static let partLength: UInt64 = 256
    /// Bytes that the changes after an event take at least, as most events change a field.
    private static let changeBytes = 10

    /// Throws an error if the story would be much longer than a page may be.
    static func check(_ options: StoryOptions, in reading: ProjectionReading) throws {
        let last = min(options.through ?? reading.through, reading.through).rawValue
        let first = options.from.rawValue
        guard last >= first, last - first >= leastPositions else { return }
        guard try byteCount(options, in: reading) <= StorySize.limit / 4 * 5 else {
            throw StorySize.error
        }
    }

    /// Returns the length that the story has at least, if its parts are like the whole; 0 for one
    /// that is shorter than the parts together.
    static func byteCount(_ options: StoryOptions, in reading: ProjectionReading) throws -> Int {
        let last = min(options.through ?? reading.through, reading.through).rawValue
        let first = options.from.rawValue
        guard last >= first else { return 0 }
        var byteCount = 0
        for part in 0..<partCount {
            var options = options
            let start = first + (last - first) / partCount * part
            options.from = Position(start)
            options.through = Position(start + partLength - 1)
            let selection = try StorySelection(options, in: reading)
            let rowCount = selection.positions.count
            let ownCount = rowCount - selection.contextPositions.count
            guard ownCount > 0 else { continue }
            let events = try StoryEvents(selection, options, in: reading)
            let bytes = events.byteCount - events.payloadByteCount
            // Events that caused others are rows of their own in the whole story.
            byteCount += bytes * ownCount / rowCount + changeBytes * ownCount
        }
        return byteCount * Int((last - first + 1) / (partCount * partLength))
    }
}
