import Daybook
import DaybookLog

/// Reads the events of a log into blocks of columns, a chunk at a time.
struct BinsReader {
    static let longestChunk: UInt64 = 16_384

    private(set) var blocks: [BinBlock] = []
    private(set) var bounds = BinsBounds()
    /// Position of the last event that was read.
    private(set) var read: UInt64 = 0
    private(set) var kinds = LaneNames(none: "no kind")
    private(set) var devices = LaneNames(none: "no device")
    private(set) var nouns = LaneNames(none: "no tag")
    private var people: ActorLanes

    private let log: EventLog
    private let values: ShownValues
    /// Position of the last event when the reading began; names were read later.
    private let firstHead: UInt64
    /// The events after the full blocks.
    private var rows = BinRows()
    private var palette = LanePalette()
    /// The lane of each event kind, by its row of the table `names`; 0 if it was not seen yet.
    private var kindLanes = [UInt16](repeating: 0, count: 65_536)
    /// Lane of the events that record an erasure; 0 if the log has none so far.
    private var erasureLane: UInt16 = 0
    private var deviceLanes = NameLanes()
    private var nounLanes = NameLanes()
    /// For each lane of kinds, the lane of nouns of its last event's first tag.
    private var lastNouns: [UInt16] = [0]
    /// Lanes of the commit that was read last.
    private var commit = (actor: UInt16(0), device: UInt16(0))

    init(_ log: EventLog, _ values: ShownValues, head: UInt64) {
        self.log = log
        self.values = values
        firstHead = head
        people = ActorLanes(values)
    }

    var actors: LaneNames { people.names }

    /// The events after the full blocks, as a block of their own; `nil` if there are none.
    mutating func tail() -> BinBlock? {
        guard !rows.kinds.isEmpty else { return nil }
        return BinBlock(rows, from: firstOfRows, &palette)
    }

    private var firstOfRows: UInt64 { UInt64(blocks.count * BinBlock.length) + 1 }

    /// Reads the next events, at most `longestChunk`, up to the newest one at `head`.
    mutating func readChunk(through head: UInt64) throws(LogError) {
        let last = head - read < Self.longestChunk ? head : read + Self.longestChunk
        let range = read + 1...last
        let commits = try commits(in: range)
        var next = 0
        var position = range.lowerBound
        var seesErasure = false
        try log.contents.forEachOutline(in: range) { (header, noun) throws(LogError) in
            if next < commits.count, commits[next].first == position {
                commit = (commits[next].actor, commits[next].device)
                next += 1
            }
            let kind = try kindLane(header.kind, position)
            rows.recorded.append(header.recordedAt.microseconds.ordered)
            rows.occurred.append(header.occurredAt.microseconds.ordered)
            rows.kinds.append(kind)
            rows.actors.append(commit.actor)
            rows.devices.append(commit.device)
            rows.nouns.append(nounLane(noun, ofKind: kind))
            if kind == erasureLane, position > firstHead { seesErasure = true }
            if rows.kinds.count == BinBlock.length { endBlock() }
            position += 1
        }
        read = last
        if seesErasure { try people.readAgain(log, values) }
    }

    private mutating func endBlock() {
        let block = BinBlock(rows, from: firstOfRows, &palette)
        blocks.append(block)
        bounds.add(block)
        rows.clear()
    }

    private struct Commit {
        var first: UInt64
        var actor: UInt16
        var device: UInt16
    }

    /// Returns the commits that begin in a range.
    private mutating func commits(in range: ClosedRange<UInt64>) throws(LogError) -> [Commit] {
        var commits: [Commit] = []
        var persons: [UInt32] = []
        try log.contents.forEachCommitOutline(in: range) {
            (first, person, device) throws(LogError) in
            let lane = deviceLanes.lane(of: device, in: &devices, values.id)
            commits.append(Commit(first: first, actor: 0, device: lane))
            persons.append(person)
        }
        // Names are read in transactions of their own.
        for index in commits.indices {
            commits[index].actor = try people.lane(
                of: persons[index], firstAt: commits[index].first, log, values)
        }
        return commits
    }

    private mutating func kindLane(_ row: UInt16, _ position: UInt64) throws(LogError) -> UInt16 {
        let known = kindLanes[Int(row)]
        if known != 0 { return known }
        let kind = try log.contents.kind(inRow: row, ofEventAt: position)
        let lane = kinds.add(kind.name)
        if kind == TextsErased.kind { erasureLane = lane }
        kindLanes[Int(row)] = lane
        return lane
    }

    /// Returns the lane of a noun. Events of a kind usually have the same one.
    private mutating func nounLane(_ noun: RawSpan, ofKind kind: UInt16) -> UInt16 {
        guard noun.byteCount > 0 else { return 0 }
        let kind = Int(kind)
        while lastNouns.count <= kind { lastNouns.append(0) }
        let last = lastNouns[kind]
        if nounLanes.isName(noun, of: last) { return last }
        let lane = nounLanes.lane(of: noun, in: &nouns) { $0 }
        lastNouns[kind] = lane
        return lane
    }
}

/// The lane numbers of names by their UTF-8 in the log.
private struct NameLanes {
    private var lanes: [String: UInt16] = [:]
    /// The UTF-8 of each lane's name; empty for lane 0.
    private var names: [[UInt8]] = [[]]
    private var lastLane: UInt16 = 0

    /// True if a name is that of a lane.
    func isName(_ name: RawSpan, of lane: UInt16) -> Bool {
        guard Int(lane) < names.count else { return false }
        let known = names[Int(lane)]
        return unsafe name.isEqual(to: known.contents.bytes)
    }

    /// Returns the lane of a name, which is added with its `shown` text if it is new; 0 for an
    /// empty name.
    mutating func lane(
        of name: RawSpan, in all: inout LaneNames, _ shown: (String) -> String
    ) -> UInt16 {
        guard name.byteCount > 0 else { return 0 }
        if isName(name, of: lastLane) { return lastLane }
        let bytes = unsafe name.withUnsafeBytes { unsafe [UInt8]($0) }
        let text = String(decoding: bytes, as: UTF8.self)
        if let known = lanes[text] {
            lastLane = known
            return known
        }
        let lane = all.add(shown(text))
        guard lane != LaneNames.others else { return lane }
        lanes[text] = lane
        names.append(bytes)
        lastLane = lane
        return lane
    }
}

/// The lanes of people who are actors, by person number.
private struct ActorLanes {
    private(set) var names = LaneNames(none: "no actor")
    private var lanes: [UInt32: UInt16] = [:]
    /// For each lane, position of a commit of the person; 0 for lane 0.
    private var commits: [UInt64] = [0]
    /// True if all people are shown by the same word, so that they need one lane only.
    private let hidesNames: Bool
    private var last = (person: UInt32(0), lane: UInt16(0))

    init(_ values: ShownValues) { hidesNames = values.redaction.map { !$0.replacesIDs } ?? false }

    /// Returns the lane of a person, whose name is read at the commit `first` if the person is new.
    mutating func lane(
        of person: UInt32, firstAt first: UInt64, _ log: EventLog, _ values: ShownValues
    ) throws(LogError) -> UInt16 {
        guard person != 0 else { return 0 }
        let person = hidesNames ? 1 : person
        if person == last.person { return last.lane }
        if let lane = lanes[person] {
            last = (person, lane)
            return lane
        }
        let lane = names.add(try Self.name(ofActorAt: first, log, values))
        guard lane != LaneNames.others else { return lane }
        lanes[person] = lane
        commits.append(first)
        last = (person, lane)
        return lane
    }

    /// Reads all names again, because some may be erased.
    mutating func readAgain(_ log: EventLog, _ values: ShownValues) throws(LogError) {
        var shown = [names.shown[0]]
        for first in commits.dropFirst() {
            shown.append(try Self.name(ofActorAt: first, log, values))
        }
        names.replaceNames(shown)
    }

    /// Returns the text to show for the actor of the commit that has an event.
    private static func name(
        ofActorAt position: UInt64, _ log: EventLog, _ values: ShownValues
    ) throws(LogError) -> String {
        guard let commit = try log.commits.at(Position(position)) else {
            throw .corrupt(table: "events", key: position, .missing)
        }
        return values.actor(commit) ?? "erased"
    }
}
