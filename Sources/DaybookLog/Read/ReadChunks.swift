import DaybookLMDB

/// A sequence of the chunks of a long read, each of which one transaction reads.
struct ReadChunks {
    /// The maximum number of positions in a chunk.
    static let length = 16_384

    /// The positions that one transaction reads: a range to scan, or single positions to look up.
    enum Chunk {
        /// Consecutive positions to scan.
        case range(ClosedRange<UInt64>)
        /// Single positions to look up, in the order of the read.
        case positions([UInt64])
    }

    private let order: ScanOrder
    /// The part of the range that is not read yet; `nil` at the end.
    private var range: ClosedRange<UInt64>?
    /// The positions that are still to be read.
    private var positions: ArraySlice<UInt64>
    /// True if the whole range is scanned; false if `positions` are looked up.
    private let scansRange: Bool

    /// Creates the chunks of a range in a reading order.
    ///
    /// - Parameter positions: the positions to look up, ascending; `nil` to scan the whole range.
    init(_ range: ClosedRange<UInt64>, _ positions: [UInt64]?, _ order: ScanOrder) {
        self.order = order
        self.range = range
        scansRange = positions == nil
        let positions = positions ?? []
        self.positions = (order == .ascending ? positions : positions.reversed())[...]
    }

    /// True if `next` will return `nil`.
    var isAtEnd: Bool { scansRange ? range == nil : positions.isEmpty }

    /// Returns the next chunk, of at most `length` positions; `nil` at the end.
    mutating func next() -> Chunk? {
        guard scansRange else {
            guard !positions.isEmpty else { return nil }
            let chunk = Array(positions.prefix(Self.length))
            positions = positions.dropFirst(chunk.count)
            return .positions(chunk)
        }
        guard let range else { return nil }
        let (low, high) = (range.lowerBound, range.upperBound)
        guard high - low >= UInt64(Self.length) else {
            self.range = nil
            return .range(range)
        }
        if order == .ascending {
            let last = low + UInt64(Self.length) - 1
            self.range = (last + 1)...high
            return .range(low...last)
        }
        let first = high - UInt64(Self.length) + 1
        self.range = low...(first - 1)
        return .range(first...high)
    }
}

/// A box that makes a large value cheap to capture in closures that run for every event.
///
/// A closure would otherwise copy the captured value on each call.
final class Shared<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}
