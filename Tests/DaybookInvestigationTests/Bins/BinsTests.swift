import Daybook
import DaybookLog
import TestSupport
import Testing

@testable import DaybookInvestigation

/// Bins of logs of random events, compared with plain arrays.
@Suite struct BinsTests {
    @Test(
        "Bins of any range, clock and lanes are those of the events",
        arguments: 1...6 as ClosedRange<UInt64>)
    func oracle(seed: UInt64) throws {
        var sampler = Sampler(seed: seed)
        let log = try BinsLog()
        var now = Int64(1_700_000_000_000_000)
        let bins = LogBins(log.log, values: log.values)
        let startsEarly = sampler.below(2) == 0
        if startsEarly { bins.start() }
        for _ in 0..<4 {
            for _ in 0..<(1 + sampler.below(8)) {
                try log.append(Self.commits(&sampler, &now, seed))
                // Also while the log is being read.
                if startsEarly { try Self.check(bins, log, &sampler, seed) }
            }
            bins.start()
            try log.wait(for: bins)
            for _ in 0..<15 { try Self.check(bins, log, &sampler, seed) }
        }
        bins.stop()
    }

    /// Returns random commits of up to 1,200 events in all.
    static func commits(
        _ sampler: inout Sampler, _ now: inout Int64, _ seed: UInt64
    ) -> [[BinsLog.Event]] {
        now += [1, 1_000, 3_600_000_000, 86_400_000_000][sampler.below(4)]
        let many = seed % 3 == 0
        let lateness: [Int64] = [0, 5, 70_000_000, 1 << 33, 1 << 42, 1 << 52]
        return (0..<(1 + sampler.below(300))).map { _ in
            let actor = ["", "mum", "dad", "user-\(sampler.below(many ? 400 : 3))"]
            let device = ["", "phone", "d-\(sampler.below(many ? 2_000 : 5))"]
            let head = BinsLog.Event(
                kind: "", actor: actor[sampler.below(4)], device: device[sampler.below(3)],
                occurredUs: 0, recordedUs: now)
            return (0..<(1 + sampler.below(4))).map { _ in
                var event = head
                event.kind = "area.kind-\(sampler.below(many ? 300 : 4)).v1"
                event.noun = ["", "entry", "run", "na", "nb", "nc", "nd"][sampler.below(7)]
                event.occurredUs = now - Int64(sampler.below(2_000)) * 1_000
                if sampler.below(50) == 0 {
                    event.occurredUs -= lateness[sampler.below(lateness.count)]
                }
                return event
            }
        }
    }

    /// Asks a random question and compares the answer with the events.
    static func check(
        _ bins: LogBins, _ log: BinsLog, _ sampler: inout Sampler, _ seed: UInt64
    ) throws {
        let clock = BinsClock.allCases[sampler.below(3)]
        let lanes = BinsLanes.allCases[sampler.below(4)]
        var parameters = [
            "clock": clock.rawValue, "lanes": lanes.rawValue,
            "width": "\([1, 2, 63, 64, 100, 777, 1_200, 8_192][sampler.below(8)])",
            "most": "\([1, 2, 5, 64][sampler.below(4)])",
        ]
        let coordinates = BinsLog.coordinates(log.events, clock)
        if !coordinates.isEmpty, sampler.below(5) > 0 {
            let one = coordinates[sampler.below(coordinates.count)]
            let other = coordinates[sampler.below(coordinates.count)]
            let length = [1, 2, 700, 1 << 34][sampler.below(4)]
            let to = sampler.below(2) == 0 ? max(one, other) : min(one, other) + Int64(length)
            let from = min(one, other)
            if sampler.below(5) > 0 { parameters["from"] = "\(from)" }
            if sampler.below(5) > 0, to > from { parameters["to"] = "\(to)" }
        }
        let reply = try BinsReply(bins, parameters)
        let comment: Comment = "seed \(seed), \(parameters)"
        let events = Array(log.events.prefix(reply.read))
        try #require(reply.read <= log.events.count, comment)
        #expect(reply.byteCount <= 65_536, comment)
        try log.expect(reply, clock, lanes, parameters, events, comment)
        try checkNear(bins, log, clock, lanes, &sampler, seed)
    }

    static func checkNear(
        _ bins: LogBins, _ log: BinsLog, _ clock: BinsClock, _ lanes: BinsLanes,
        _ sampler: inout Sampler, _ seed: UInt64
    ) throws {
        let before = try BinsReply(bins, ["width": "1"]).read
        guard !log.events.isEmpty else { return }
        let events = log.events
        let coordinates = BinsLog.coordinates(events, clock)
        let index = sampler.below(events.count)
        let at = coordinates[index] + Int64(sampler.below(3)) - 1
        var parameters = ["clock": clock.rawValue, "at": "\(at)", "lanes": lanes.rawValue]
        let lane = sampler.below(3) > 0 ? log.name(events[index], lanes) : nil
        parameters["lane"] = lane
        let found = try bins.near(try NearRequest(parameters: parameters))
        let after = try BinsReply(bins, ["width": "1"]).read
        // While the log is being read, the answer is about one of these numbers of events.
        var best: Int?
        var answers: Set<Int?> = before == 0 ? [nil] : []
        for index in 0..<after {
            if coordinates[index] <= at, lane == nil || log.name(events[index], lanes) == lane,
                best.map({ coordinates[index] >= coordinates[$0] }) ?? true
            {
                best = index
            }
            if index + 1 >= before { answers.insert(best) }
        }
        #expect(answers.contains(found.map { Int($0) - 1 }), "seed \(seed), \(parameters)")
    }
}

extension BinsLog {
    /// The coordinates of events by a clock.
    static func coordinates(_ events: [Event], _ clock: BinsClock) -> [Int64] {
        switch clock {
        case .recorded: events.map(\.recordedUs)
        case .occurred: events.map(\.occurredUs)
        case .order: events.indices.map { Int64($0) + 1 }
        }
    }

    func name(_ event: Event, _ lanes: BinsLanes) -> String {
        switch lanes {
        case .kind: event.kind
        case .actor: event.actor.isEmpty ? "no actor" : event.actor
        case .device: event.device.isEmpty ? "no device" : event.device
        case .entity: event.noun.isEmpty ? "no tag" : event.noun
        }
    }

    /// Compares an answer with events.
    func expect(
        _ reply: BinsReply, _ clock: BinsClock, _ lanes: BinsLanes,
        _ parameters: [String: String], _ events: [Event], _ comment: Comment
    ) throws {
        let places = Self.coordinates(events, clock)
        let width = Int(parameters["width"] ?? "") ?? 0
        let most = Int(parameters["most"] ?? "") ?? 0
        #expect(reply.width >= 1 && reply.width <= width, comment)
        let length = (reply.to - reply.from) / Int64(reply.width)
        #expect(length * Int64(reply.width) == reply.to - reply.from, comment)
        if let first = places.min(), let last = places.max() {
            #expect(try ReadStory.numbers(reply.tree["whole"]) == [first, last], comment)
            if let from = parameters["from"] {
                #expect("\(reply.from)" == from, comment)
            } else if parameters["to"] == nil {
                #expect(reply.from == first, comment)
            }
            let to = parameters["to"].flatMap { Int64($0) } ?? max(last + 1, reply.from + 1)
            #expect(reply.to >= to && reply.to - to < length, comment)
        }
        let found = events.indices.filter { reply.from <= places[$0] && places[$0] < reply.to }
        #expect(reply.count == found.count, comment)
        let positions = try reply.tree["positions"].map {
            $0.content == .null ? [] : try ReadStory.numbers($0)
        }
        let ends = [found.first, found.last].compactMap { $0.map { Int64($0 + 1) } }
        #expect(positions == ends, comment)
        let groups = Dictionary(grouping: found) { name(events[$0], lanes) }
        let sorted = groups.sorted {
            ($1.value.count, $0.key) < ($0.value.count, $1.key)
        }
        let shown = sorted.prefix(sorted.count > most ? most - 1 : most)
        var lanes = shown.map { BinsReply.Lane(name: $0.key, count: $0.value.count) }
        var rows = shown.map(\.value)
        if sorted.count > shown.count {
            let rest = sorted.dropFirst(shown.count).flatMap(\.value).sorted()
            let hidden = sorted.count - shown.count
            let name = hidden == 1 ? "1 other" : "\(hidden) others"
            lanes.append(BinsReply.Lane(name: name, count: rest.count, isRest: true))
            rows.append(rest)
        }
        #expect(reply.names == lanes, comment)
        let cells = rows.map { row in
            Dictionary(grouping: row) { Int((places[$0] - reply.from) / length) }
                .sorted { $0.key < $1.key }
                .map { bin, found in
                    let newest = events[found.reduce(0, max)]
                    return BinsReply.Cell(bin: bin, count: found.count, kind: newest.kind)
                }
        }
        #expect(reply.cells == cells, comment)
        // Fewer bins than asked for only if the answer would be too large, or bins less than one.
        if reply.byteCount < 8_192 {
            #expect(
                reply.width > width / 2 || length <= 2
                    || Int64(width) * length < 2 * (reply.to - reply.from), comment)
        }
    }
}
