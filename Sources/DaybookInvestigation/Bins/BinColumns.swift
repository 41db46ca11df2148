import Daybook

/// The exact times of a block of events, as differences from the earliest one.
///
/// The lower 32 bits of a difference are in a column of their own. The upper ones take no memory in
/// a block of less than 72 minutes, a byte per event in one of less than 12 days, else four.
struct TimeColumn: Sendable {
    /// The earliest time, as an ordered number of microseconds.
    let earliest: UInt64
    /// The latest time, as an ordered number of microseconds.
    let latest: UInt64
    /// Bits 0 to 31 of the differences.
    private let low: [UInt32]
    /// Bits 32 to 39; empty if all are 0, or if `high` has them.
    private let middle: [UInt8]
    /// Bits 32 to 63; empty if bits 40 to 63 are all 0.
    private let high: [UInt32]

    /// - Parameter times: the ordered times, at least one.
    init(_ times: [UInt64]) {
        let earliest = times.min() ?? 0
        let latest = times.max() ?? 0
        self.earliest = earliest
        self.latest = latest
        low = times.map { UInt32(truncatingIfNeeded: $0 - earliest) }
        let span = latest - earliest
        middle =
            span >> 32 == 0 || span >> 40 != 0
            ? [] : times.map { UInt8(truncatingIfNeeded: ($0 - earliest) >> 32) }
        high =
            span >> 40 == 0 ? [] : times.map { UInt32(truncatingIfNeeded: ($0 - earliest) >> 32) }
    }

    /// Calls `body` with the index of each event and the difference of its time from the earliest.
    @inline(__always)
    func forEach(_ body: (Int, UInt64) -> Void) {
        let low = low.contents
        if !high.isEmpty {
            let high = high.contents
            for index in low.indices { body(index, UInt64(low[index]) | UInt64(high[index]) << 32) }
        } else if !middle.isEmpty {
            let middle = middle.contents
            for index in low.indices {
                body(index, UInt64(low[index]) | UInt64(middle[index]) << 32)
            }
        } else {
            for index in low.indices { body(index, UInt64(low[index])) }
        }
    }

    var byteCount: Int { low.count * 4 + middle.count + high.count * 4 }
}

/// The lane numbers of a block of events, in the form that takes the least memory.
enum LaneColumn: Sendable {
    /// All events are on one lane.
    case one(UInt16)
    /// The events are on at most 256 lanes: these lanes, and an index into them for each event.
    case few([UInt16], [UInt8])
    case many([UInt16])

    init(_ lanes: [UInt16], _ palette: inout LanePalette) {
        guard let first = lanes.first else {
            self = .one(0)
            return
        }
        let found = palette.lanes(of: lanes)
        switch found.count {
        case 1: self = .one(first)
        case 2...256: self = .few(found, lanes.map { UInt8(truncatingIfNeeded: palette[$0]) })
        default: self = .many(lanes)
        }
    }

    /// The lane of the event with an index in the block.
    subscript(_ index: Int) -> UInt16 {
        switch self {
        case .one(let lane): lane
        case .few(let lanes, let indices): lanes[Int(indices[index])]
        case .many(let lanes): lanes[index]
        }
    }

    /// Sets the element for each event to the value of its lane; `expanded` has room for a full
    /// block.
    func expand(_ values: [UInt32], _ count: Int, into expanded: inout [UInt32]) {
        unsafe expanded.withUnsafeMutableBufferPointer { expanded in
            switch self {
            case .one(let lane): unsafe expanded.update(repeating: values[Int(lane)])
            case .few(let lanes, let indices):
                let local = lanes.map { values[Int($0)] }
                for index in 0..<count { unsafe expanded[index] = local[Int(indices[index])] }
            case .many(let lanes):
                for index in 0..<count { unsafe expanded[index] = values[Int(lanes[index])] }
            }
        }
    }

    /// True if an event may be on a lane that is marked in `isWanted`, by lane number.
    func mayContain(_ isWanted: [Bool]) -> Bool {
        switch self {
        case .one(let lane): isWanted[Int(lane)]
        case .few(let lanes, _): lanes.contains { isWanted[Int($0)] }
        case .many: true
        }
    }

    /// Adds the number of events on each lane to the counts of all 65,536 lane numbers.
    func addCounts(_ count: Int, to counts: inout [UInt32]) {
        unsafe counts.withUnsafeMutableBufferPointer { counts in
            switch self {
            case .one(let lane): unsafe counts[Int(lane)] &+= UInt32(count)
            case .few(let lanes, let indices):
                for index in indices { unsafe counts[Int(lanes[Int(index)])] &+= 1 }
            case .many(let lanes):
                for lane in lanes { unsafe counts[Int(lane)] &+= 1 }
            }
        }
    }

    var byteCount: Int {
        switch self {
        case .one: 0
        case .few(let lanes, let indices): lanes.count * 2 + indices.count
        case .many(let lanes): lanes.count * 2
        }
    }
}

/// The distinct lane numbers of a block; memory that is reused from block to block.
struct LanePalette {
    /// For each lane number, its index among the distinct numbers of the block.
    private var indices = [UInt16](repeating: 0, count: 65_536)
    /// For each lane number, the number of the last block that has it.
    private var blocks = [UInt32](repeating: 0, count: 65_536)
    private var block: UInt32 = 0

    /// Returns the distinct numbers, in the order of their first events.
    mutating func lanes(of lanes: [UInt16]) -> [UInt16] {
        block &+= 1
        var found: [UInt16] = []
        for lane in lanes where blocks[Int(lane)] != block {
            blocks[Int(lane)] = block
            indices[Int(lane)] = UInt16(truncatingIfNeeded: found.count)
            found.append(lane)
        }
        return found
    }

    subscript(_ lane: UInt16) -> UInt16 { indices[Int(lane)] }
}

/// Up to 1,024 consecutive events of a log: their times and lanes.
final class BinBlock: Sendable {
    /// The number of events of a block that is full.
    static let length = 1_024

    /// Position of the first event.
    let first: UInt64
    let count: Int
    let recorded: TimeColumn
    let occurred: TimeColumn
    let kinds: LaneColumn
    let actors: LaneColumn
    let devices: LaneColumn
    let nouns: LaneColumn

    init(_ rows: BinRows, from first: UInt64, _ palette: inout LanePalette) {
        self.first = first
        count = rows.recorded.count
        recorded = TimeColumn(rows.recorded)
        occurred = TimeColumn(rows.occurred)
        kinds = LaneColumn(rows.kinds, &palette)
        actors = LaneColumn(rows.actors, &palette)
        devices = LaneColumn(rows.devices, &palette)
        nouns = LaneColumn(rows.nouns, &palette)
    }

    var last: UInt64 { first + UInt64(count) - 1 }

    /// Returns the lowest and the highest coordinate of the events, as ordered numbers.
    func bounds(by clock: BinsClock) -> (low: UInt64, high: UInt64) {
        switch clock {
        case .recorded: (recorded.earliest, recorded.latest)
        case .occurred: (occurred.earliest, occurred.latest)
        case .order: (Int64(first).ordered, Int64(last).ordered)
        }
    }

    /// Calls `body` with the index of each event and the difference of its coordinate from the
    /// lowest one.
    @inline(__always)
    func forEachDifference(by clock: BinsClock, _ body: (Int, UInt64) -> Void) {
        switch clock {
        case .recorded: recorded.forEach(body)
        case .occurred: occurred.forEach(body)
        case .order: for index in 0..<count { body(index, UInt64(index)) }
        }
    }

    func column(of lanes: BinsLanes) -> LaneColumn {
        switch lanes {
        case .kind: kinds
        case .actor: actors
        case .device: devices
        case .entity: nouns
        }
    }

    var byteCount: Int {
        recorded.byteCount + occurred.byteCount + kinds.byteCount + actors.byteCount
            + devices.byteCount + nouns.byteCount
    }
}

/// The rows of a block that is being read, as columns.
struct BinRows {
    var recorded: [UInt64] = []
    var occurred: [UInt64] = []
    var kinds: [UInt16] = []
    var actors: [UInt16] = []
    var devices: [UInt16] = []
    var nouns: [UInt16] = []

    mutating func clear() {
        recorded.removeAll(keepingCapacity: true)
        occurred.removeAll(keepingCapacity: true)
        kinds.removeAll(keepingCapacity: true)
        actors.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        nouns.removeAll(keepingCapacity: true)
    }
}
