import Daybook
import DaybookLog

/// The rows of a story with their commits, as columns.
struct StoryEvents {
    /// The distinct names that the rows refer to by index.
    var names = Names()
    /// Number of rows of each zone, by its name.
    private var zoneCounts: [String: Int] = [:]
    /// True if payloads are left out because they are too large together.
    private(set) var leavesOutPayloads = false

    private var positions = StoryColumn()
    private var occurred = StoryColumn()
    private var recorded = StoryColumn()
    private var offsets = StoryColumn()
    private var kinds = StoryColumn()
    private var zones = StoryColumn()
    private var commitRows = StoryColumn()
    private var tags = StoryColumn()
    private var payloads = StoryColumn()
    private var contextRows = StoryColumn()
    private var commits = Commits()
    private var payload: JSONWriter

    private let values: ShownValues
    private let catalogue: Catalogue
    private let log: EventLog

    /// Largest length of all payloads together, in bytes.
    private static let payloadLimit = 6_000_000

    /// The distinct names of a story.
    struct Names {
        var kinds = StoryNames()
        var zones = StoryNames()
        var tags = StoryNames()
        var actors = StoryNames()
        var devices = StoryNames()
        var correlations = StoryNames()
    }

    /// The commits of the rows, as columns.
    private struct Commits {
        var first = StoryColumn()
        var count = StoryColumn()
        var actor = StoryColumn()
        var device = StoryColumn()
        var correlation = StoryColumn()
        var causation = StoryColumn()
        var key = StoryColumn()
        /// First position of the last commit that was added.
        var lastFirst: UInt64 = 0
    }

    init(
        _ selection: StorySelection, _ options: StoryOptions, in reading: ProjectionReading
    ) throws {
        values = options.values
        catalogue = reading.catalogue
        log = reading.log
        payload = JSONWriter(answer: true, options.values.redaction)
        // An empty name has the index 0, so that most commits need no other.
        _ = names.actors.index(of: "")
        _ = names.devices.index(of: "")
        _ = names.correlations.index(of: "")
        var context = selection.contextPositions.sorted()[...]
        func addContext(before position: UInt64) throws(LogError) {
            while let next = context.first, next < position {
                context.removeFirst()
                contextRows.append(Int64(positions.count))
                try selection.forEvent(at: next) { (event, newest, commit) throws(LogError) in
                    try add(event, newest, commit)
                }
            }
        }
        var isTooLarge = false
        try selection.forEachOwnEvent { (event, newest, commit) throws(LogError) in
            guard !isTooLarge else { return }
            try addContext(before: event.position.rawValue)
            try add(event, newest, commit)
            isTooLarge = positions.count % 1_024 == 0 && byteCount > StorySize.limit
        }
        guard !isTooLarge else { throw StorySize.error }
        try addContext(before: .max)
    }

    var byteCount: Int {
        (columns + commitColumns).reduce(0) { $0 + $1.column.byteCount }
    }

    /// Length of the payloads, in bytes, which are left out if they are too large.
    var payloadByteCount: Int { payloads.byteCount }

    var count: Int { positions.count }

    /// Names of the zones of the rows, that of most rows first.
    var zonesByUse: [String] {
        zoneCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    private mutating func add(
        _ event: RecordedEvent, _ newest: RecordedEvent, _ commit: RecordedCommit
    ) throws(LogError) {
        let envelope = event.envelope
        positions.append(difference: Int64(clamping: event.position.rawValue))
        occurred.append(difference: envelope.occurredAt.microseconds)
        recorded.append(difference: envelope.recordedAt.microseconds)
        offsets.append(Int64(envelope.offsetS))
        kinds.append(Int64(names.index(ofKind: event.kind)))
        if !event.zone.isEmpty { zoneCounts[event.zone, default: 0] += 1 }
        zones.append(Int64(names.index(ofZone: event.zone)))
        tags.append(list: names.indices(of: event.tags, values))
        add(commit)
        guard !leavesOutPayloads else { return }
        payload.clear()
        let isKnown = try values.write(newest, in: catalogue, to: &payload) {
            (field) throws(LogError) in try log.people.text(at: event.position, field: field)
        }
        payloads.append(json: isKnown ? payload.text : "null")
        if payloads.byteCount > Self.payloadLimit {
            leavesOutPayloads = true
            payloads.removeAll()
        }
    }

    /// Adds the commit of the newest row, unless the row before has the same one.
    private mutating func add(_ commit: RecordedCommit) {
        if commit.first.rawValue != commits.lastFirst {
            commits.lastFirst = commit.first.rawValue
            let metadata = commit.metadata
            commits.first.append(difference: Int64(clamping: commit.first.rawValue))
            commits.count.append(Int64(clamping: commit.last.rawValue - commit.first.rawValue + 1))
            let actor = values.actor(commit) ?? (commit.isActorErased ? "erased" : "")
            commits.actor.append(Int64(names.actors.index(of: actor)))
            commits.device.append(Int64(names.devices.index(of: values.id(metadata.device))))
            commits.correlation.append(
                Int64(names.correlations.index(of: values.id(metadata.correlation))))
            commits.causation.append(Int64(clamping: metadata.causation?.rawValue ?? 0))
            commits.key.append(!commit.keyDigest.isEmpty)
        }
        commitRows.append(difference: Int64(commits.first.count - 1))
    }
}

extension StoryEvents.Names {
    mutating func index(ofKind kind: EventKind) -> Int32 {
        kinds.index(of: kind.name) { column in
            column.append { writer in
                writer.member("name", kind.name)
                writer.member("area", String(kind.area))
            }
        }
    }

    /// Returns the index of a zone; -1 without a zone.
    mutating func index(ofZone zone: String) -> Int32 { zone.isEmpty ? -1 : zones.index(of: zone) }

    /// Returns the indices of tags, as the story shows them.
    mutating func indices(of tags: [Tag], _ values: ShownValues) -> [Int32] {
        tags.map { self.tags.index(of: values.tag($0)) }
    }
}

extension StoryEvents {
    /// The columns of the rows, by their names, in the order in which they are written.
    var columns: [(name: String, column: StoryColumn)] {
        [
            ("position", positions), ("occurredUs", occurred), ("recordedUs", recorded),
            ("offsetS", offsets), ("kind", kinds), ("zone", zones), ("commit", commitRows),
            ("tags", tags), ("context", contextRows),
        ] + (leavesOutPayloads ? [] : [("payload", payloads)])
    }

    /// The columns of the commits, by their names.
    var commitColumns: [(name: String, column: StoryColumn)] {
        [
            ("first", commits.first), ("count", commits.count), ("actor", commits.actor),
            ("device", commits.device), ("correlation", commits.correlation),
            ("causation", commits.causation), ("key", commits.key),
        ]
    }
}
