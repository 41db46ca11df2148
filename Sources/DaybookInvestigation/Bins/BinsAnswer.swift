import Daybook

/// The answer to a question for bins.
struct BinsAnswer {
    /// Largest size of an answer, in bytes.
    private static let limit = 65_536
    /// Largest size of the names of lanes in an answer, in bytes.
    private static let namesLimit = 32_768

    private let request: BinsRequest
    private let content: BinsContent
    private let names: LaneNames

    init(_ request: BinsRequest, _ content: BinsContent) {
        self.request = request
        self.content = content
        names = content.names(of: request.lanes)
    }

    private struct Lane {
        var name: String
        var count: UInt32
        /// True for the lane of all lanes that are not shown.
        var isRest = false
    }

    /// Returns the answer in at most 64 KiB: in half as many bins as asked for, or fewer, if it
    /// would be larger.
    ///
    /// The names of lanes take at most half of it; lanes beyond that are part of the rest.
    func json() -> [UInt8] {
        let (from, to) = range
        var width = BinScale.divisible(request.width)
        while true {
            let scale = BinScale(from: from, to: to, width: width)
            let counts = LaneCounts(content, by: request.clock, on: request.lanes, in: scale)
            let (lanes, rows) = lanes(counts)
            var grid = BinGrid(
                content, counts.blocks, by: request.clock, on: request.lanes, in: scale,
                rows: rows, rowCount: lanes.count)
            repeat {
                guard grid.leastByteCount <= Self.limit else { continue }
                let bytes = json(grid, counts, lanes)
                if bytes.count <= Self.limit || grid.scale.count == 1 { return bytes }
            } while grid.halve()
            width = max(1, grid.scale.count / 2)
        }
    }

    /// The range that is asked for, by default that of all events.
    private var range: (from: Int128, to: Int128) {
        let bounds = content.bounds[request.clock]
        let (lowest, highest) = (Int128(Int64.min), Int128(Int64.max))
        let first = bounds.map { Int128(Int64(ordered: $0.low)) }
        let end = bounds.map { Int128(Int64(ordered: $0.high)) + 1 }
        let from = request.from ?? min(first ?? 0, (request.to ?? .max) - 1)
        let clamped = min(max(from, lowest), highest)
        let to = max(request.to ?? end ?? 0, clamped + 1)
        return (clamped, min(to, highest + 1))
    }

    /// Returns the lanes to show, the largest first, and the index among them for each lane number.
    private func lanes(_ counts: LaneCounts) -> (lanes: [Lane], rows: [UInt32]) {
        var groupCounts: [UInt16: UInt32] = [:]
        for lane in names.shown.indices where counts.counts[lane] > 0 {
            groupCounts[names.groups[lane], default: 0] += counts.counts[lane]
        }
        let othersCount = counts.counts[Int(LaneNames.others)]
        let groups = groupCounts.sorted { a, b in
            a.value != b.value
                ? a.value > b.value
                : names.shown[Int(a.key)].precedesByBytes(names.shown[Int(b.key)])
        }
        let hasRest = othersCount > 0 || groups.count > request.most
        var lanes: [Lane] = []
        var rowOfGroup: [UInt16: UInt32] = [:]
        var byteCount = 0
        for (group, count) in groups.prefix(hasRest ? request.most - 1 : request.most) {
            let name = names.shown[Int(group)]
            byteCount += JSONWriter.text(name).utf8.count
            guard byteCount <= Self.namesLimit else { break }
            rowOfGroup[group] = UInt32(lanes.count)
            lanes.append(Lane(name: name, count: count))
        }
        let rest = UInt32(lanes.count)
        let hiddenCount = groups.count - lanes.count + (othersCount > 0 ? 1 : 0)
        if hiddenCount > 0 {
            let shownCount = lanes.reduce(0) { $0 + $1.count }
            let words = "\(hiddenCount)\(othersCount > 0 ? " or more" : "")"
            lanes.append(
                Lane(
                    name: words + (words == "1" ? " other" : " others"),
                    count: UInt32(counts.total) - shownCount, isRest: true))
        }
        var rows = [UInt32](repeating: rest, count: 65_536)
        for lane in names.shown.indices { rows[lane] = rowOfGroup[names.groups[lane]] ?? rest }
        return (lanes, rows)
    }

    private func json(_ grid: BinGrid, _ counts: LaneCounts, _ lanes: [Lane]) -> [UInt8] {
        var kinds = UsedKinds(content)
        var cells = JSONWriter()
        cells.array { cells in
            for row in lanes.indices { cells.array { grid.write(row: row, to: &$0, &kinds) } }
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("clock", request.clock.rawValue)
            writer.member("lanes", request.lanes.rawValue)
            writer.member("from", integer: grid.scale.from)
            writer.member("to", integer: grid.scale.to)
            writer.member("width", Int64(grid.scale.count))
            writer.name("whole")
            if let bounds = content.bounds[request.clock] {
                writer.value([Int64(ordered: bounds.low), Int64(ordered: bounds.high)])
            } else {
                writer.null()
            }
            writer.member("read", Int64(clamping: content.read))
            writer.member("events", Int64(clamping: content.events))
            writer.member("count", Int64(counts.total))
            writer.name("positions")
            if let positions = counts.positions {
                writer.value([
                    Int64(clamping: positions.lowerBound), Int64(clamping: positions.upperBound),
                ])
            } else {
                writer.null()
            }
            writer.member("kinds", kinds.names)
            writer.array("names") { writer in
                for lane in lanes {
                    writer.object { writer in
                        writer.member("name", lane.name)
                        writer.member("count", Int64(lane.count))
                        if lane.isRest { writer.member("rest", true) }
                    }
                }
            }
            writer.name("cells")
            writer.raw(cells.text)
        }
        return writer.bytes
    }
}

/// The kinds that the cells of an answer name, in the order of their first cells.
private struct UsedKinds {
    private(set) var names: [String] = []
    private var indices: [UInt16: Int64] = [:]
    private let content: BinsContent
    private let all: LaneNames

    init(_ content: BinsContent) {
        self.content = content
        all = content.names(of: .kind)
    }

    /// Returns the index of the kind of the event at a position.
    mutating func index(at position: UInt32) -> Int64 {
        let (block, index) = Int(position - 1).quotientAndRemainder(dividingBy: BinBlock.length)
        let lane = content.blocks[block].kinds[index]
        if let known = indices[lane] { return known }
        let new = Int64(names.count)
        indices[lane] = new
        names.append(lane == LaneNames.others ? "others" : all.shown[Int(lane)])
        return new
    }
}

extension BinGrid {
    /// Writes the cells of a row that have events, three numbers each: the distance from the bin of
    /// the cell before, or from the first bin; the number of events; the kind of the newest one.
    fileprivate func write(row: Int, to writer: inout JSONWriter, _ kinds: inout UsedKinds) {
        var before = 0
        let start = row * scale.count
        for bin in 0..<scale.count where counts[start + bin] > 0 {
            writer.value(Int64(bin - before))
            writer.value(Int64(counts[start + bin]))
            writer.value(kinds.index(at: newest[start + bin]))
            before = bin
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value is a whole number of any size.
    fileprivate mutating func member(_ name: String, integer: Int128) {
        self.name(name)
        raw("\(integer)")
    }
}
