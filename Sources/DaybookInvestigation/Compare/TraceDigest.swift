public import Daybook
import DaybookCryptography
import DaybookLibC
import DaybookLog

/// One SHA-256 of the states that the lines of a trace of a projection would show.
///
/// Two builds with equal digests of one log have equal states after each event, and need not write
/// their traces, which can differ only in the blank values that a first event sets. Two equal traces
/// may have different digests: of a field that was renamed and set by no event.
public struct TraceDigest: Record {
    public var projection = ""
    public var rules = RuleSet.standard
    /// SHA-256 of the log's first commit, which identifies the log; empty for an empty log.
    public var logID = ""
    /// Position up to which the log was read.
    public var through: Int64 = 0
    /// Number of events; an event is counted once for each of its entities.
    public var eventCount: Int64 = 0
    public var entityCount: Int64 = 0
    /// SHA-256 in hexadecimal of the descriptions of the fields and of each entity's changes.
    public var sha256 = ""

    public static var blank: Self { Self() }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "rules", &rules, "log", &logID, "through", &through)
        try field("events", &eventCount, "entities", &entityCount, "sha256", &sha256)
    }
}

extension TraceDigest {
    /// Returns the digests of all projections that have the rule set, in the order of their names.
    ///
    /// Several threads each fold one projection at a time.
    ///
    /// - Throws: the error of the first projection that cannot be folded.
    public static func all(_ rules: RuleSet, in reading: ProjectionReading) throws -> [Self] {
        let projections = reading.catalogue.projections.values.filter { $0.rules.contains(rules) }
            .sorted { $0.name.precedesByBytes($1.name) }
        return try Threads.map(projections.count) { index in
            Result { try Self(of: projections[index], rules, in: reading, threadCount: 1) }
        }.map { try $0.get() }
    }

    /// Creates the digest of all entities of a projection.
    ///
    /// Several threads each fold a share of the entities.
    public init(
        of projection: ProjectionDescription, _ rules: RuleSet, in reading: ProjectionReading
    ) throws {
        try self.init(of: projection, rules, in: reading, threadCount: EntityShare.threadCount)
    }

    private init(
        of projection: ProjectionDescription, _ rules: RuleSet, in reading: ProjectionReading,
        threadCount: Int
    ) throws {
        let header = try reading.traceHeader(projection, rules)
        (self.projection, self.rules) = (header.projection, header.rules)
        (logID, through) = (header.logID, header.through)
        let walk = try reading.entities.walk(of: projection, nil)
        let shares = try EntityShare.walks(along: walk, reading.entities, on: threadCount) {
            (events, entities) throws(LogError) in try Self.digests(of: events, rules, entities)
        }
        var hash = SHA256()
        hash.update(Array(projection.fields.digestedText.utf8))
        for (key, entity) in Array(shares.joined()).sortedByBytes(of: \.key) {
            eventCount += entity.eventCount
            entityCount += 1
            hash.update(Array("\(key.utf8.count):\(key)".utf8))
            hash.update(entity.chain)
        }
        sha256 = Hexadecimal.text(hash.finalize())
    }

    /// The events of one entity so far.
    private struct EntityDigest: Sendable {
        /// SHA-256 of the chain before and of what shows the last event and the state after it.
        var chain: [UInt8] = []
        var eventCount: Int64 = 0
    }

    /// Returns the digest of each entity of a share, with the entity's newest id.
    private static func digests(
        of events: WalkEvents, _ rules: RuleSet, _ reader: EntityReader
    ) throws(LogError) -> [(key: String, entity: EntityDigest)] {
        var folds = EntityFolds<EntityDigest>(of: events.walk.projection, rules)
        var comparison = FieldComparison()
        var bytes: [UInt8] = []
        try reader.fold(events) { (event, key) throws(FoldError) in
            let number = folds.number(of: key, EntityDigest())
            try add(event, to: &folds.entities[number], &comparison, reusing: &bytes)
        }
        return folds.numbers.map { ($0.key, folds.entities[$0.value].note) }
    }

    /// Folds an event, and continues the chain with the event and the state after it.
    private static func add(
        _ event: borrowing EventView, to entity: inout EntityFolds<EntityDigest>.Entity,
        _ comparison: inout FieldComparison, reusing bytes: inout [UInt8]
    ) throws(FoldError) {
        bytes.removeAll(keepingCapacity: true)
        bytes += entity.note.chain
        for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: event.position.rawValue >> shift))
        }
        bytes += event.kind.name.utf8
        bytes.append(0)
        try entity.fold.step(event, &comparison, into: &bytes)
        entity.note.chain = SHA256.hash(bytes)
        entity.note.eventCount += 1
    }
}

extension [FieldDescription] {
    /// The names and forms of the fields and of the fields within them.
    fileprivate var digestedText: String {
        map { "\($0.name):\($0.form){\($0.fields.digestedText)}" }.joined(separator: ",")
    }
}
