import Daybook
import DaybookInvestigation
import DaybookLog

/// The lines of an append, as written and parsed.
///
/// A parsed line takes several times the memory of its bytes. `first` therefore frees the parsed
/// lines, and only a second call, after a conflict with another writer, parses them again.
struct AppendLines {
    /// Some of the lines, whose parsed forms are freed together.
    private struct Part {
        /// The bytes of all lines of the part.
        var bytes: [UInt8] = []
        /// The place of each line in `bytes`, and the time at which it was read.
        var places: [(end: Int, now: Instant)] = []
        /// The parsed lines; empty once they are freed.
        var parsed: [AppendLine] = []
    }

    /// The number of lines in a part.
    private static let partCount = 1_024

    private let reader: AppendLineReader
    private var parts: [Part] = []
    /// The number of each line in the input, from 1.
    private(set) var numbers: [Int] = []

    init(_ reader: AppendLineReader) { self.reader = reader }

    /// Parses, checks and adds a line.
    ///
    /// - Parameter now: the time of a line that states none.
    mutating func add(_ bytes: [UInt8], number: Int, now: Instant) throws(InputError) {
        let line = try reader.read(bytes, line: number, now: now)
        try line.checkAppendable()
        if case .event(let event) = line.body { try line.check([event]) }
        if numbers.count.isMultiple(of: Self.partCount) { parts.append(Part()) }
        let last = parts.count - 1
        parts[last].bytes += bytes
        parts[last].places.append((parts[last].bytes.count, now))
        parts[last].parsed.append(line)
        numbers.append(number)
    }

    /// Calls `body` with each line whose parsed form is not freed.
    func forEachParsed(_ body: (AppendLine) throws -> Void) rethrows {
        for part in parts { try part.parsed.forEach(body) }
    }

    /// Returns the first result that `body` returns for a line; `nil` if it returns none.
    ///
    /// Frees the parsed lines on the way.
    mutating func first<Result>(
        _ body: (AppendLine) throws(AppendError) -> Result?
    ) throws(AppendError) -> Result? {
        for index in parts.indices {
            var lines: [AppendLine] = []
            swap(&lines, &parts[index].parsed)
            if lines.isEmpty { lines = try parseAgain(index) }
            for line in lines {
                if let result = try body(line) { return result }
            }
        }
        return nil
    }

    /// Parses the lines of a part, which have been parsed before, and so have no fault.
    private func parseAgain(_ index: Int) throws(AppendError) -> [AppendLine] {
        var lines: [AppendLine] = []
        var start = 0
        for (offset, place) in parts[index].places.enumerated() {
            let number = numbers[index * Self.partCount + offset]
            let bytes = Array(parts[index].bytes[start..<place.end])
            do throws(InputError) {
                lines.append(try reader.read(bytes, line: number, now: place.now))
            } catch { throw .unstorable("\(error)") }
            start = place.end
        }
        return lines
    }
}
